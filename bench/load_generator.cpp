// Sends one HTTP request again and again over keep-alive connections and prints how that went.
//
//   load_generator --port P [--path /] [--header 'Name: value']… --body FILE --connections N
//                  (--requests N | --seconds S) [--warm-up S]
//
// Each connection has one request out at a time, so N connections are N requests in flight. One thread and raw sockets:
// the load is to take as little of the machine as it can from what is measured.
//
// Prints {"requests","failed","seconds","rate","p50_ms","p90_ms","p99_ms","max_ms"}. An answer other than 2xx is a
// failure; a connection that ends is one too, and ends the program.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http_framing.h"

namespace {

using SteadyClock = std::chrono::steady_clock;
using Microseconds = std::chrono::microseconds;

constexpr size_t kReadBytes = 64 * 1024;
constexpr int kEventsAtOnce = 256;
constexpr int kPatienceMs = 60'000;  // without any answer

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "load_generator: %s\n", why.c_str());
  std::exit(2);
}

std::string read_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) give_up("cannot read " + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Arguments {
  uint16_t port = 0;
  std::string path = "/";
  std::string headers;
  std::string body;
  size_t connections = 1;
  uint64_t requests = UINT64_MAX;
  double seconds = 1e9;
  double warm_up = 0;
};

Arguments parse_arguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const std::string value = argv[i + 1];
    if (name == "--port") arguments.port = static_cast<uint16_t>(std::stoul(value));
    if (name == "--path") arguments.path = value;
    if (name == "--header") arguments.headers += value + "\r\n";
    if (name == "--body") arguments.body = read_file(value);
    if (name == "--connections") arguments.connections = std::stoul(value);
    if (name == "--requests") arguments.requests = std::stoull(value);
    if (name == "--seconds") arguments.seconds = std::stod(value);
    if (name == "--warm-up") arguments.warm_up = std::stod(value);
  }
  if (arguments.port == 0 || arguments.connections == 0) give_up("--port P --connections N --requests N | --seconds S");
  return arguments;
}

std::string make_request(const Arguments& arguments) {
  return "POST " + arguments.path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + arguments.headers +
         "Content-Length: " + std::to_string(arguments.body.size()) + "\r\n\r\n" + arguments.body;
}

int open_connection(uint16_t port) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    give_up("no connection to port " + std::to_string(port));
  const int on = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return descriptor;
}

struct Connection {
  int descriptor = -1;
  std::string received;
  SteadyClock::time_point sent;
};

// Keeps every connection busy until the count or the time is reached, then waits for what is out.
class Load {
 public:
  Load(const Arguments& arguments, const std::vector<Connection*>& connections, int poll)
      : request_(make_request(arguments)), connections_(connections), poll_(poll) {}

  void run(uint64_t requests, double seconds) {
    latencies_.clear();
    failed_ = 0;
    left_ = requests;
    begin_ = SteadyClock::now();
    end_ = begin_ + std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double>(seconds));
    for (Connection* connection : connections_) send_next(*connection);
    while (out_ > 0) take_events();
    seconds_ = std::chrono::duration<double>(SteadyClock::now() - begin_).count();
  }

  void print() {
    std::sort(latencies_.begin(), latencies_.end());
    std::printf(
        "{\"requests\":%zu,\"failed\":%zu,\"seconds\":%.4f,\"rate\":%.1f,\"p50_ms\":%.3f,\"p90_ms\":%.3f,"
        "\"p99_ms\":%.3f,\"max_ms\":%.3f}\n",
        latencies_.size(), failed_, seconds_, static_cast<double>(latencies_.size()) / seconds_, percentile(0.5),
        percentile(0.9), percentile(0.99), percentile(1));
  }

 private:
  void send_next(Connection& connection) {
    connection.sent = SteadyClock::now();
    if (left_ == 0 || connection.sent >= end_) return;
    --left_;
    ++out_;
    const ssize_t written = ::send(connection.descriptor, request_.data(), request_.size(), MSG_NOSIGNAL);
    if (written != static_cast<ssize_t>(request_.size())) give_up("a request could not be sent");
  }

  void take_events() {
    epoll_event events[kEventsAtOnce];
    const int count = ::epoll_wait(poll_, events, kEventsAtOnce, kPatienceMs);
    if (count == 0) give_up("no answer for " + std::to_string(kPatienceMs / 1000) + " s");
    for (int i = 0; i < count; ++i) receive(*static_cast<Connection*>(events[i].data.ptr));
  }

  void receive(Connection& connection) {
    const ssize_t count = ::recv(connection.descriptor, buffer_, sizeof buffer_, 0);
    if (count <= 0) give_up("a connection ended");
    connection.received.append(buffer_, static_cast<size_t>(count));
    const auto bytes = pawl::bench::message_bytes(connection.received);
    if (!bytes) return;
    const auto took = std::chrono::duration_cast<Microseconds>(SteadyClock::now() - connection.sent);
    latencies_.push_back(static_cast<uint32_t>(took.count()));
    if (pawl::bench::status_of(connection.received) / 100 != 2) note_failure(connection.received);
    connection.received.clear();
    --out_;
    send_next(connection);
  }

  void note_failure(std::string_view answer) {
    if (failed_++ == 0) std::fprintf(stderr, "load_generator: %.*s\n", static_cast<int>(answer.size()), answer.data());
  }

  double percentile(double part) const {
    if (latencies_.empty()) return 0;
    const auto at = static_cast<size_t>(part * static_cast<double>(latencies_.size() - 1));
    return latencies_[at] / 1000.0;
  }

  const std::string request_;
  const std::vector<Connection*>& connections_;
  const int poll_;
  char buffer_[kReadBytes];
  std::vector<uint32_t> latencies_;
  size_t failed_ = 0;
  uint64_t left_ = 0;
  size_t out_ = 0;
  SteadyClock::time_point begin_, end_;
  double seconds_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse_arguments(argc, argv);
  const int poll = ::epoll_create1(EPOLL_CLOEXEC);
  std::vector<Connection> storage(arguments.connections);
  std::vector<Connection*> connections;
  for (Connection& connection : storage) {
    connection.descriptor = open_connection(arguments.port);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = &connection;
    ::epoll_ctl(poll, EPOLL_CTL_ADD, connection.descriptor, &event);
    connections.push_back(&connection);
  }
  Load load(arguments, connections, poll);
  if (arguments.warm_up > 0) load.run(UINT64_MAX, arguments.warm_up);
  load.run(arguments.requests, arguments.seconds);
  load.print();
}
