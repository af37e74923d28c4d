// The gRPC server of the tests as a program: prints its address, and serves until its standard input ends.
#include <iostream>
#include <limits>

#include "connect/grpc_test_server.h"

int main() {
  const pawl::connect::Depot depot;
  std::cout << depot.address() << std::endl;
  std::cin.ignore(std::numeric_limits<std::streamsize>::max());
  return 0;
}
