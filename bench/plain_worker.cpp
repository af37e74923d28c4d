// A function without the SDK, for bench/durable: asks for a call over a socket and waits. What a worker with the SDK
// takes more than this is the SDK's.
#include <cstdlib>
#include <string>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

int main() {
  const std::string api = std::getenv("AWS_LAMBDA_RUNTIME_API");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(std::stoi(api.substr(api.find(':') + 1))));
  const int connection = ::socket(AF_INET, SOCK_STREAM, 0);
  if (::connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return 1;
  const std::string request = "GET /2018-06-01/runtime/invocation/next HTTP/1.1\r\nHost: " + api + "\r\n\r\n";
  if (::send(connection, request.data(), request.size(), 0) < 0) return 1;
  char byte = 0;
  return ::recv(connection, &byte, 1, 0) < 0 ? 1 : 0;
}
