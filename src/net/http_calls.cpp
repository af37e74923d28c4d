// See http_client.cpp for why Beast's assertions are off.
#define BOOST_DISABLE_ASSERTS

#include "net/http_calls.h"

#include <array>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>

#include <boost/asio/connect.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <signal.h>
#include <sys/socket.h>

#include "net/http_client_message.h"

namespace pawl::net {

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using tcp = asio::ip::tcp;
using SteadyClock = std::chrono::steady_clock;
using TlsStream = asio::ssl::stream<tcp::socket&>;

struct Call {
  CallId id;
  HttpRequest request;
  Url url;
  HttpCalls::Done done;
  bool is_second_try = false;
};

using Origin = std::tuple<bool, std::string, uint16_t>;
Origin origin_of(const Url& url) { return {url.secure, url.host, url.port}; }

class Connection;

// What a connection tells when it is done with a call.
class Switchboard {
 public:
  virtual ~Switchboard() = default;
  virtual asio::ssl::context& tls() = 0;
  // The call ended; the connection may take another one where it stays open.
  virtual void finished(Connection& connection, Call call, Result<HttpResponse> result) = 0;
  virtual void send_again(Connection& connection, Call call) = 0;
};

// One connection, with at most one call at a time. Handlers that come after close() find no call and do nothing.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(asio::io_context& loop, Switchboard& owner, Origin origin)
      : owner_(owner), origin_(std::move(origin)), resolver_(loop), socket_(loop), timer_(loop) {}

  const Origin& origin() const { return origin_; }
  bool is_open() const { return is_connected_; }
  SteadyClock::time_point idle_since() const { return idle_since_; }
  CallId call() const { return call_ ? call_->id : CallId(); }

  // Whether the other side has neither closed it nor sent what nobody asked for.
  bool is_fresh() {
    char byte;
    const ssize_t count = ::recv(socket_.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }

  void run(Call call) {
    call_ = std::move(call);
    started_ = SteadyClock::now();
    was_used_ = is_connected_;
    if (is_connected_) return talk();
    set_timer(std::min(call_->request.timeout, call_->request.connect_timeout));
    resolve();
  }

  void close() {
    error_code ignored;
    is_connected_ = false;
    call_.reset();
    resolver_.cancel();
    timer_.cancel();
    socket_.close(ignored);
  }

 private:
  // A handler that holds the connection, and is called only while the call that it is for is under way.
  template <typename Function>
  auto guarded(Function function) {
    return [self = shared_from_this(), id = call_->id, function = std::move(function)](const error_code& error,
                                                                                       auto&&... more) mutable {
      if (self->call_ && self->call_->id == id) function(error, std::forward<decltype(more)>(more)...);
    };
  }

  template <typename Function>
  void with_stream(Function function) {
    if (tls_)
      function(*tls_);
    else
      function(socket_);
  }

  void set_timer(Duration limit) {
    timer_.expires_at(started_ + limit);
    timer_.async_wait(guarded([this](const error_code& stopped) {
      if (!stopped) fail_late();
    }));
  }

  // Connecting has a limit of its own; only the limit of the whole request is a timeout to whoever sent it.
  void fail_late() {
    const bool time_is_left = SteadyClock::now() < started_ + call_->request.timeout;
    end(is_connected_ || !time_is_left ? timeout_error() : slow_connect_error(), false);
  }

  void resolve() {
    resolver_.async_resolve(call_->url.host, std::to_string(call_->url.port),
                            guarded([this](const error_code& error, const tcp::resolver::results_type& found) {
                              if (error) return end(resolve_error(error), false);
                              connect(found);
                            }));
  }

  void connect(const tcp::resolver::results_type& addresses) {
    asio::async_connect(socket_, addresses, guarded([this](const error_code& error, const auto&) {
                          if (error) return end(connect_error(error.message()), false);
                          error_code ignored;
                          socket_.set_option(tcp::no_delay(true), ignored);
                          secure();
                        }));
  }

  void secure() {
    if (!call_->url.secure) return connected();
    tls_.emplace(socket_, owner_.tls());
    error_code ignored;
    tls_->set_verify_mode(asio::ssl::verify_peer, ignored);
    tls_->set_verify_callback(asio::ssl::host_name_verification(call_->url.host), ignored);
    prepare_tls(tls_->native_handle(), call_->url);
    tls_->async_handshake(asio::ssl::stream_base::client, guarded([this](const error_code& error) {
                            if (error) return end(tls_error(error), false);
                            connected();
                          }));
  }

  void connected() {
    is_connected_ = true;
    talk();
  }

  void talk() {
    set_timer(call_->request.timeout);
    head_ = make_head(call_->request, call_->url, true);
    const std::array message{asio::buffer(head_), asio::buffer(call_->request.body)};
    // A server may answer and close before it has read everything: its answer counts, whatever became of the writing.
    with_stream([&](auto& stream) {
      asio::async_write(stream, message, guarded([this](const error_code&, size_t) { read(); }));
    });
  }

  void read() {
    parser_.emplace();
    parser_->header_limit(kHeaderBytesMax);
    parser_->body_limit(call_->request.body_bytes_max);
    if (call_->request.method == "HEAD") parser_->skip(true);
    with_stream([&](auto& stream) {
      http::async_read(stream, buffer_, *parser_, guarded([this](const error_code& error, size_t) { take(error); }));
    });
  }

  void take(const error_code& error) {
    if (!error) {
      const bool stays = parser_->get().keep_alive() && buffer_.size() == 0;
      return end(to_response(parser_->release()), stays);
    }
    const bool was_stale = was_used_ && !parser_->got_some() && !call_->is_second_try;
    if (!was_stale) return end(read_error(error), false);
    Call again = *std::exchange(call_, std::nullopt);
    again.is_second_try = true;
    close();
    owner_.send_again(*this, std::move(again));
  }

  void end(Result<HttpResponse> result, bool stays_open) {
    Call ended = *std::exchange(call_, std::nullopt);
    if (!stays_open) close();
    idle_since_ = SteadyClock::now();
    owner_.finished(*this, std::move(ended), std::move(result));
  }

  Switchboard& owner_;
  const Origin origin_;
  tcp::resolver resolver_;
  tcp::socket socket_;
  asio::steady_timer timer_;
  std::optional<TlsStream> tls_;
  std::optional<Call> call_;
  std::string head_;
  boost::beast::flat_buffer buffer_;
  std::optional<http::response_parser<http::string_body>> parser_;
  SteadyClock::time_point started_;
  SteadyClock::time_point idle_since_;
  bool is_connected_ = false;
  bool was_used_ = false;
};

}  // namespace

// Everything but the thread is the thread's own.
class HttpCalls::Client final : public Switchboard {
 public:
  ~Client() override {
    loop_.stop();
    if (thread_.joinable()) thread_.join();
    for (const auto& [id, connection] : busy_) connection->close();
  }

  void start(CallId id, HttpRequest request, Done done) {
    start_thread();
    asio::post(loop_, [this, id, request = std::move(request), done = std::move(done)]() mutable {
      auto call = make_call(id, std::move(request));
      if (!call) return done(std::unexpected(call.error()));
      call->done = std::move(done);
      take(*std::move(call));
    });
  }

  void cancel(CallId id) {
    asio::post(loop_, [this, id] { drop(id); });
  }

  asio::ssl::context& tls() override {
    if (!tls_) {
      error_code ignored;
      tls_.emplace(asio::ssl::context::tls_client);
      tls_->set_default_verify_paths(ignored);
    }
    return *tls_;
  }

  void finished(Connection& connection, Call call, Result<HttpResponse> result) override {
    leave(connection, call.id);
    call.done(std::move(result));
  }

  void send_again(Connection& connection, Call call) override {
    hosts_[connection.origin()].waiting.push_front(std::move(call));
    leave(connection, hosts_[connection.origin()].waiting.front().id);
  }

 private:
  struct Host {
    std::vector<std::shared_ptr<Connection>> idle;
    std::deque<Call> waiting;
    size_t busy = 0;
  };

  // Signals are for the thread that waits for them.
  void start_thread() {
    const std::lock_guard lock(thread_mutex_);
    if (thread_.joinable()) return;
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::thread([this] { loop_.run(); });
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  static Result<Call> make_call(CallId id, HttpRequest request) {
    Call call;
    call.id = id;
    PAWL_TRY(call.url, parse_url(request.url));
    if (auto checked = check_headers(request); !checked) return std::unexpected(checked.error());
    call.request = std::move(request);
    return call;
  }

  void take(Call call) {
    Host& host = hosts_[origin_of(call.url)];
    host.waiting.push_back(std::move(call));
    run_next(host);
  }

  void run_next(Host& host) {
    if (host.waiting.empty() || host.busy >= kConnectionsToAHostMax) return;
    Call call = std::move(host.waiting.front());
    host.waiting.pop_front();
    auto connection = call.is_second_try ? nullptr : take_idle(host);
    if (connection == nullptr) connection = std::make_shared<Connection>(loop_, *this, origin_of(call.url));
    ++host.busy;
    busy_[call.id] = connection;
    connection->run(std::move(call));
  }

  // The one that was used last: the others may then grow old.
  std::shared_ptr<Connection> take_idle(Host& host) {
    while (!host.idle.empty()) {
      auto connection = std::move(host.idle.back());
      host.idle.pop_back();
      if (connection->is_fresh()) return connection;
      connection->close();
    }
    return nullptr;
  }

  void leave(Connection& connection, CallId id) {
    Host& host = hosts_[connection.origin()];
    auto self = std::move(busy_[id]);
    busy_.erase(id);
    --host.busy;
    if (self->is_open()) host.idle.push_back(std::move(self));
    run_next(host);
    expect_idle();
  }

  void drop(CallId id) {
    for (auto& [origin, host] : hosts_) std::erase_if(host.waiting, [&](const Call& call) { return call.id == id; });
    const auto found = busy_.find(id);
    if (found == busy_.end()) return;
    const auto connection = found->second;
    connection->close();
    leave(*connection, id);
  }

  // One look at the idle connections is always to come while there are any.
  void expect_idle() {
    if (looks_at_idle_) return;
    looks_at_idle_ = true;
    idle_timer_.expires_after(kIdleConnectionTime);
    idle_timer_.async_wait([this](const error_code& stopped) {
      looks_at_idle_ = false;
      if (!stopped) close_idle();
    });
  }

  void close_idle() {
    const auto oldest = SteadyClock::now() - kIdleConnectionTime;
    bool has_idle = false;
    for (auto& [origin, host] : hosts_) {
      std::erase_if(host.idle, [&](const auto& connection) {
        const bool is_old = connection->idle_since() <= oldest;
        if (is_old) connection->close();
        return is_old;
      });
      has_idle = has_idle || !host.idle.empty();
    }
    std::erase_if(hosts_, [](const auto& entry) {
      return entry.second.idle.empty() && entry.second.waiting.empty() && entry.second.busy == 0;
    });
    if (has_idle) expect_idle();
  }

  asio::io_context loop_{1};
  asio::executor_work_guard<asio::io_context::executor_type> stays_ = asio::make_work_guard(loop_);
  asio::steady_timer idle_timer_{loop_};
  bool looks_at_idle_ = false;
  std::optional<asio::ssl::context> tls_;
  std::map<Origin, Host> hosts_;
  std::unordered_map<CallId, std::shared_ptr<Connection>> busy_;
  std::mutex thread_mutex_;  // guards thread_ while it is made
  std::thread thread_;
};

HttpCalls::HttpCalls() : client_(std::make_unique<Client>()) {}
HttpCalls::~HttpCalls() = default;

void HttpCalls::start(CallId id, HttpRequest request, Done done) {
  client_->start(id, std::move(request), std::move(done));
}

void HttpCalls::cancel(CallId id) { client_->cancel(id); }

}  // namespace pawl::net
