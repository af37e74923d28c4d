// The threads of the HTTP server and their connections. Only for the server's own files.
//
// Bytes are read into a buffer that all connections of a thread share and parsed there; a connection keeps bytes of its
// own only where a request has not come as a whole, so that an idle one is small.
#pragma once

#include <array>
#include <atomic>
#include <ctime>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include "net/http_server_parser.h"
#include "net/http_server_transport.h"

namespace pawl::net::server {

using SteadyClock = std::chrono::steady_clock;
using SteadyTime = SteadyClock::time_point;

inline constexpr size_t kReadBytes = 64 * 1024;

// What the threads share. The handler is released when the last thread has ended.
struct Service {
  HttpServerLimits limits;
  HttpServer::Handler handler;
  std::function<void()> when_idle;              // null: nothing to do then
  std::shared_ptr<const TlsIdentity> identity;  // null: no TLS
  std::atomic<uint32_t> connections = 0;
};

class Connection;

// What came of a SendPiece.
struct BodyPiece {
  enum class Kind { more, last, cut };
  Kind kind = Kind::more;
  std::string bytes;
};

// One thread and its connections. Everything but deliver() is for that thread alone.
//
// Ownership: a connection that waits for an answer is held by the Respond that somebody else has, and holds its loop;
// so the loop outlives the server as long as such an answer can still come.
class Loop : public std::enable_shared_from_this<Loop> {
 public:
  explicit Loop(std::shared_ptr<Service> service);

  asio::io_context& context() { return context_; }
  Service& service() { return *service_; }
  std::array<char, kReadBytes>& read_buffer() { return read_buffer_; }
  std::string& head_buffer() { return head_buffer_; }
  bool is_draining() const { return draining_; }
  bool is_this_thread() const { return current_ == this; }
  std::string_view date();

  void run();
  void adopt(tcp::socket socket);
  void forget(Connection& connection);
  void note_request();
  void drain();
  void close_all();

  // Hands an answer, or the next piece of one, to the loop's thread; from any thread.
  using Content = std::variant<HttpServerResponse, BodyPiece>;
  void deliver(std::shared_ptr<Connection> connection, Content content);

 private:
  struct Delivery {
    std::shared_ptr<Connection> connection;
    Content content;
  };

  void take_deliveries();
  void schedule_tick();
  void tick();

  static thread_local const Loop* current_;

  std::shared_ptr<Service> service_;
  asio::io_context context_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
  asio::steady_timer timer_{context_};
  Duration tick_;
  bool draining_ = false;
  bool awaits_idleness_ = false;
  std::vector<std::shared_ptr<Connection>> connections_;
  std::array<char, kReadBytes> read_buffer_;
  std::string head_buffer_;
  time_t date_second_ = -1;
  std::string date_;

  std::mutex mutex_;  // guards the next two
  std::vector<Delivery> deliveries_;
  bool ended_ = false;
};

// One client. Its phases go round from idle to writing; a failure leads from each to lingering or closed.
class Connection final : public HttpServerClient, public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::shared_ptr<Loop> loop, tcp::socket socket)
      : loop_(std::move(loop)),
        limits_(loop_->service().limits),
        transport_(std::move(socket), loop_->service().identity.get()) {}

  size_t index = 0;  // among the loop's connections

  void start();
  void close();
  void expire_if_due(SteadyTime now);
  void close_if_idle() {
    if (phase_ == Phase::idle || phase_ == Phase::handshake || phase_ == Phase::streaming) close();
  }

  // The answer of the request that is being handled; from any thread.
  void give(HttpServerResponse response);
  // The same, on the loop's thread, where the handler had returned without an answer.
  void take_late_answer(HttpServerResponse response);
  // The piece that the source was asked for.
  void take_piece(BodyPiece piece);

  void when_gone(std::function<void()> gone) override;

 private:
  // `streaming` waits for the next piece of the body, `writing` for the client to take what was written.
  enum class Phase { handshake, idle, header, body, handling, streaming, writing, lingering, closed };

  void enter(Phase phase, Duration time_max);
  void become_idle();
  void wait_for_bytes();
  void read();
  void end_of_input();
  void keep(std::string_view bytes);
  void serve(std::string_view bytes);
  bool parse(std::string_view& bytes);
  bool admit_header(bool has_more);
  bool handle();
  void watch_client(std::function<void()> gone);
  bool has_client_left();
  bool write(HttpServerResponse response);
  bool write_bytes(std::string_view head, std::string_view body);
  void write_rest();
  void go_on();
  void stream();
  void write_piece(BodyPiece piece);
  void write_pulse();
  void refuse(HttpServerResponse response);
  void linger();

  std::shared_ptr<Loop> loop_;
  const HttpServerLimits& limits_;
  Transport transport_;
  Phase phase_ = Phase::idle;
  SteadyTime deadline_ = SteadyTime::max();
  bool is_waiting_for_bytes_ = false;
  bool in_handler_ = false;
  bool keep_alive_ = true;
  bool is_http_1_0_ = false;
  bool is_head_ = false;
  std::optional<RequestParser> parser_;  // of the request that is being read
  std::optional<HttpServerResponse> answer_;
  std::unique_ptr<HttpBodySource> source_;  // of the body that is being sent
  bool is_piece_asked_ = false;             // of the source, and not there yet
  std::optional<BodyPiece> early_piece_;    // that came while the client was taking a pulse
  std::string kept_;                        // bytes that came and are not parsed yet
  std::string unsent_;                      // an answer that the client takes slowly
  size_t sent_ = 0;                         // of it
  std::function<void()> gone_;              // of the request that is being handled
  std::string peer_;
};

}  // namespace pawl::net::server
