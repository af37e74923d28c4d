// An HTTP worker: answers every POST with the same JSON, over keep-alive connections, on one thread.
//
//   task_worker [--answer JSON]
//
// Prints the port it listens on and works until it is killed.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unordered_map>

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http_framing.h"

namespace {

constexpr size_t kReadBytes = 64 * 1024;
constexpr int kEventsAtOnce = 256;
constexpr int kBacklog = 4096;

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "task_worker: %s\n", why.c_str());
  std::exit(2);
}

class Worker {
 public:
  explicit Worker(const std::string& answer)
      : answer_("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
                std::to_string(answer.size()) + "\r\n\r\n" + answer) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const pointer = reinterpret_cast<sockaddr*>(&address);
    const bool listens = ::bind(listener_, pointer, size) == 0 && ::listen(listener_, kBacklog) == 0 &&
                         ::getsockname(listener_, pointer, &size) == 0;
    if (!listens) give_up("cannot listen");
    port_ = ntohs(address.sin_port);
    watch(listener_);
  }

  uint16_t port() const { return port_; }

  [[noreturn]] void run() {
    epoll_event events[kEventsAtOnce];
    for (;;) {
      const int count = ::epoll_wait(poll_, events, kEventsAtOnce, -1);
      for (int i = 0; i < count; ++i) {
        if (events[i].data.fd == listener_)
          accept_one();
        else
          serve(events[i].data.fd);
      }
    }
  }

 private:
  void watch(int descriptor) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.fd = descriptor;
    ::epoll_ctl(poll_, EPOLL_CTL_ADD, descriptor, &event);
  }

  void accept_one() {
    const int descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (descriptor < 0) return;
    const int on = 1;
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    watch(descriptor);
  }

  void serve(int descriptor) {
    const ssize_t count = ::recv(descriptor, buffer_, sizeof buffer_, 0);
    std::string& received = received_[descriptor];
    bool stays = count > 0;
    if (stays) received.append(buffer_, static_cast<size_t>(count));
    for (auto bytes = pawl::bench::message_bytes(received); stays && bytes;
         bytes = pawl::bench::message_bytes(received)) {
      stays = pawl::bench::header(received, "connection") != "close";
      if (::send(descriptor, answer_.data(), answer_.size(), MSG_NOSIGNAL) < 0) stays = false;
      received.erase(0, *bytes);
    }
    if (stays) return;
    received_.erase(descriptor);
    ::close(descriptor);
  }

  const std::string answer_;
  const int poll_ = ::epoll_create1(EPOLL_CLOEXEC);
  int listener_ = -1;
  uint16_t port_ = 0;
  char buffer_[kReadBytes];
  std::unordered_map<int, std::string> received_;  // what of a request has come, by connection
};

}  // namespace

int main(int argc, char** argv) {
  const bool has_answer = argc == 3 && std::string_view(argv[1]) == "--answer";
  Worker worker(has_answer ? argv[2] : "{\"ok\":true}");
  std::printf("%u\n", unsigned{worker.port()});
  std::fflush(stdout);
  worker.run();
}
