// A client for tests that sends whatever bytes a test wants, over a real socket, and reads answers one by one.
#pragma once

#include <string>
#include <string_view>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace pawl::net {

class RawClient {
 public:
  explicit RawClient(uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{10, 0};  // a test that waits longer has failed
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  }
  RawClient(RawClient&& other) noexcept : socket_(std::exchange(other.socket_, -1)), bytes_(std::move(other.bytes_)) {}
  RawClient& operator=(RawClient&&) = delete;
  ~RawClient() {
    if (socket_ >= 0) ::close(socket_);
  }

  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
  }
  void send_nothing_more() const { ::shutdown(socket_, SHUT_WR); }

  // The next answer: its head and its body by Content-Length; "closed" where the server closes instead.
  std::string read_answer() {
    size_t end = std::string::npos;
    while ((end = bytes_.find("\r\n\r\n")) == std::string::npos)
      if (!read_some()) return "closed";
    end += 4;
    const size_t length_at = bytes_.find("Content-Length: ");
    const size_t body_size = length_at < end ? std::stoul(bytes_.substr(length_at + 16)) : 0;
    while (!answers_head_ && bytes_.size() < end + body_size)
      if (!read_some()) return "closed";
    const std::string answer = bytes_.substr(0, answers_head_ ? end : end + body_size);
    bytes_.erase(0, answer.size());
    return answer;
  }
  // Everything until the server closes.
  std::string read_to_end() {
    while (read_some()) {
    }
    return std::exchange(bytes_, {});
  }
  void expect_answers_without_body() { answers_head_ = true; }  // to HEAD

 private:
  bool read_some() {
    char buffer[65536];
    const ssize_t size = ::recv(socket_, buffer, sizeof(buffer), 0);
    EXPECT_FALSE(size < 0 && errno == EAGAIN) << "nothing came in time";
    if (size <= 0) return false;
    bytes_.append(buffer, static_cast<size_t>(size));
    return true;
  }

  int socket_;
  std::string bytes_;
  bool answers_head_ = false;
};

}  // namespace pawl::net
