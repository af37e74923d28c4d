#include "net/http_server.h"

#include <algorithm>
#include <condition_variable>
#include <thread>

#include <boost/asio/post.hpp>
#include <signal.h>
#include <sys/resource.h>

#include "base/assert.h"
#include "net/http_server_connection.h"

namespace pawl::net {

using namespace server;

namespace {

constexpr int kBacklog = 4096;
constexpr rlim_t kOtherDescriptors = 512;  // files, and the connections of tasks
constexpr Duration kAcceptPause{50};       // after an accept that failed, as where no descriptor is left

// Raises the process's limit of open files where it can. Gives how many of them connections may take.
uint32_t make_room_for_connections(uint32_t wanted) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  const rlim_t needed = wanted + kOtherDescriptors;
  if (limit.rlim_cur < needed) {
    limit.rlim_cur = std::min(needed, limit.rlim_max);
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) ::getrlimit(RLIMIT_NOFILE, &limit);
  }
  const rlim_t others = std::min(kOtherDescriptors, limit.rlim_cur / 2);
  return static_cast<uint32_t>(std::min<rlim_t>(wanted, limit.rlim_cur - others));
}

}  // namespace

// The port and the threads. Its acceptor belongs to the first loop.
class HttpServer::Server {
 public:
  Server(const HttpServerOptions& options, Handler handler)
      : service_(std::make_shared<Service>(options.limits, std::move(handler), options.when_idle, nullptr)) {
    for (uint32_t i = 0; i < std::max(options.threads, 1u); ++i) loops_.push_back(std::make_shared<Loop>(service_));
    acceptor_.emplace(loops_[0]->context());
    pause_.emplace(loops_[0]->context());
  }

  Result<void> open(const HttpServerOptions& options);
  void start();
  void shutdown(Duration grace);
  uint16_t port() const { return port_; }
  uint32_t connections() const { return service_->connections; }

 private:
  void accept();
  void admit(Loop& loop, tcp::socket socket);
  void run(const std::shared_ptr<Loop>& loop);

  std::shared_ptr<Service> service_;
  std::vector<std::shared_ptr<Loop>> loops_;
  size_t next_loop_ = 0;
  std::optional<tcp::acceptor> acceptor_;
  std::optional<asio::steady_timer> pause_;
  uint16_t port_ = 0;
  std::vector<std::thread> threads_;

  std::mutex mutex_;  // guards the next
  size_t running_ = 0;
  std::condition_variable ended_;
};

Result<void> HttpServer::Server::open(const HttpServerOptions& options) {
  if (options.tls.is_wanted()) {
    PAWL_TRY(service_->identity, TlsIdentity::read(options.tls));
  }
  error_code error;
  tcp::resolver resolver(loops_[0]->context());
  const auto addresses = resolver.resolve(options.host, std::to_string(options.port), tcp::resolver::passive, error);
  if (error || addresses.empty())
    return fail("HTTP_LISTEN_ADDRESS", "The address to listen on is not known: " + error.message() + ".",
                "Name an address of this machine, such as 127.0.0.1.", options.host);
  const tcp::endpoint endpoint = *addresses.begin();
  acceptor_->open(endpoint.protocol(), error);
  if (!error) acceptor_->set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_->bind(endpoint, error);
  if (!error) acceptor_->listen(kBacklog, error);
  if (error)
    return fail("HTTP_LISTEN_FAILED", "The port cannot be listened on: " + error.message() + ".",
                "Stop what uses it, or choose another port.", options.host + ":" + std::to_string(options.port));
  port_ = acceptor_->local_endpoint(error).port();
  service_->limits.connections_max = make_room_for_connections(options.limits.connections_max);
  return {};
}

// The threads have all signals blocked, so that a signal reaches the thread that waits for it.
void HttpServer::Server::start() {
  accept();
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  running_ = loops_.size();
  for (const auto& loop : loops_) threads_.emplace_back([this, loop] { run(loop); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void HttpServer::Server::run(const std::shared_ptr<Loop>& loop) {
  loop->run();
  const std::lock_guard lock(mutex_);
  --running_;
  ended_.notify_all();
}

void HttpServer::Server::accept() {
  Loop& loop = *loops_[next_loop_++ % loops_.size()];
  acceptor_->async_accept(loop.context(), [this, &loop](const error_code& error, tcp::socket socket) {
    if (!acceptor_->is_open()) return;
    if (!error) {
      admit(loop, std::move(socket));
      return accept();
    }
    pause_->expires_after(kAcceptPause);
    pause_->async_wait([this](const error_code& stopped) {
      if (!stopped) accept();
    });
  });
}

void HttpServer::Server::admit(Loop& loop, tcp::socket socket) {
  if (service_->connections >= service_->limits.connections_max && service_->identity != nullptr) return;
  if (service_->connections >= service_->limits.connections_max) {
    std::string bytes;
    const HttpServerResponse answer = error_answer(503, "There are too many connections.");
    append_head(bytes, answer, {.keep_alive = false, .is_http_1_0 = false, .date = {}});
    bytes += answer.body;
    error_code ignored;
    socket.non_blocking(true, ignored);
    socket.write_some(asio::buffer(bytes), ignored);
    return;
  }
  ++service_->connections;
  if (loop.is_this_thread()) return loop.adopt(std::move(socket));
  asio::post(loop.context(), [&loop, socket = std::move(socket)]() mutable { loop.adopt(std::move(socket)); });
}

void HttpServer::Server::shutdown(Duration grace) {
  if (threads_.empty()) return;
  for (const auto& loop : loops_) PAWL_ASSERT(!loop->is_this_thread(), "a server's thread cannot end the server");
  asio::post(loops_[0]->context(), [this] {
    error_code ignored;
    acceptor_->close(ignored);
    pause_->cancel();
  });
  for (const auto& loop : loops_) asio::post(loop->context(), [&loop = *loop] { loop.drain(); });
  {
    std::unique_lock lock(mutex_);
    ended_.wait_for(lock, grace, [this] { return running_ == 0; });
  }
  for (const auto& loop : loops_) asio::post(loop->context(), [&loop = *loop] { loop.close_all(); });
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  acceptor_.reset();
  pause_.reset();
  service_->handler = nullptr;
  service_->when_idle = nullptr;
}

Result<std::unique_ptr<HttpServer>> HttpServer::listen(const HttpServerOptions& options, Handler handler) {
  auto server = std::make_unique<Server>(options, std::move(handler));
  if (auto opened = server->open(options); !opened) return std::unexpected(std::move(opened).error());
  server->start();
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(server)));
}

HttpServer::HttpServer(std::unique_ptr<Server> server) : server_(std::move(server)) {}
HttpServer::~HttpServer() { shutdown(Duration(0)); }
uint16_t HttpServer::port() const { return server_->port(); }
uint32_t HttpServer::connections() const { return server_->connections(); }
void HttpServer::shutdown(Duration grace) { server_->shutdown(grace); }

}  // namespace pawl::net
