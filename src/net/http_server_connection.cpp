#include "net/http_server_connection.h"

#include <algorithm>
#include <charconv>

#include <boost/asio/post.hpp>

#include "base/assert.h"

namespace pawl::net::server {

namespace {

constexpr size_t kKeptBytesMax = 4096;   // of a connection's buffer between requests
constexpr int kRequestsPerTurnMax = 32;  // of one client that sends many at once, before others have their turn
constexpr Duration kTickMin{5};
constexpr Duration kTickMax{1000};

// What a SendPiece holds.
class PieceSender {
 public:
  PieceSender(std::shared_ptr<Loop> loop, std::shared_ptr<Connection> connection)
      : loop_(std::move(loop)), connection_(std::move(connection)) {}
  PieceSender(PieceSender&&) = default;
  PieceSender& operator=(PieceSender&&) = delete;
  ~PieceSender() {
    if (connection_) loop_->deliver(std::move(connection_), BodyPiece{BodyPiece::Kind::cut, {}});
  }
  void operator()(std::optional<std::string> bytes) {
    PAWL_ASSERT(connection_ != nullptr, "a piece is sent once");
    const auto kind = bytes ? BodyPiece::Kind::more : BodyPiece::Kind::last;
    loop_->deliver(std::exchange(connection_, nullptr), BodyPiece{kind, std::move(bytes).value_or("")});
  }

 private:
  std::shared_ptr<Loop> loop_;
  std::shared_ptr<Connection> connection_;
};

std::string as_chunk(std::string_view bytes) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof(digits), bytes.size(), 16).ptr;
  return std::string(digits, end).append("\r\n").append(bytes).append("\r\n");
}

// What a Respond holds.
class Answerer {
 public:
  explicit Answerer(std::shared_ptr<Connection> connection) : connection_(std::move(connection)) {}
  Answerer(Answerer&&) = default;
  Answerer& operator=(Answerer&&) = delete;
  ~Answerer() {
    if (connection_) connection_->give(error_answer(500, "The request was not answered."));
  }
  void operator()(HttpServerResponse response) {
    PAWL_ASSERT(connection_ != nullptr, "a request is answered once");
    std::exchange(connection_, nullptr)->give(std::move(response));
  }

 private:
  std::shared_ptr<Connection> connection_;
};

}  // namespace

thread_local const Loop* Loop::current_ = nullptr;

void Connection::start() {
  error_code ignored;
  peer_ = transport_.socket().remote_endpoint(ignored).address().to_string();
  become_idle();
  if (transport_.is_handshaking()) enter(Phase::handshake, limits_.header_time_max);
  wait_for_bytes();
}

void Connection::close() {
  if (phase_ == Phase::closed) return;
  phase_ = Phase::closed;
  source_.reset();
  error_code ignored;
  transport_.socket().close(ignored);
  loop_->forget(*this);
}

void Connection::enter(Phase phase, Duration time_max) {
  phase_ = phase;
  deadline_ = SteadyClock::now() + time_max;
}

void Connection::become_idle() {
  parser_.reset();
  enter(Phase::idle, limits_.idle_time_max);
}

void Connection::expire_if_due(SteadyTime now) {
  if (now < deadline_) return;
  switch (phase_) {
    case Phase::header:
      return refuse(error_answer(408, "The headers did not come in time."));
    case Phase::body:
      return refuse(error_answer(408, "The body did not come in time."));
    case Phase::handling:
      return;
    case Phase::streaming:
      return write_pulse();
    case Phase::handshake:
    case Phase::idle:
    case Phase::writing:
    case Phase::lingering:
    case Phase::closed:
      return close();
  }
}

void Connection::wait_for_bytes() {
  if (is_waiting_for_bytes_) return;
  is_waiting_for_bytes_ = true;
  const auto wanted = phase_ == Phase::handshake ? transport_.wanted() : tcp::socket::wait_read;
  transport_.socket().async_wait(wanted, [self = shared_from_this()](const error_code& error) {
    self->is_waiting_for_bytes_ = false;
    if (self->phase_ == Phase::closed || self->phase_ == Phase::writing) return;  // after writing, it is asked again
    if (error) return self->close();
    self->read();
  });
}

void Connection::read() {
  auto& buffer = loop_->read_buffer();
  error_code error;
  const size_t size = transport_.read_some(buffer.data(), buffer.size(), error);
  if (phase_ == Phase::handshake && !transport_.is_handshaking()) become_idle();
  if (error == asio::error::would_block) return wait_for_bytes();
  if (error) return end_of_input();
  if (phase_ == Phase::lingering) return wait_for_bytes();
  const std::string_view bytes(buffer.data(), size);
  if (phase_ == Phase::streaming) return keep(bytes);  // the next request; no more is read until its turn
  if (kept_.empty()) return serve(bytes);
  kept_.append(bytes);
  serve(kept_);
}

// The client sends nothing more. Where it stopped inside a request it may still read an answer.
void Connection::end_of_input() {
  if (phase_ == Phase::header || phase_ == Phase::body) return refuse(error_answer(400, "The request is cut off."));
  close();
}

void Connection::keep(std::string_view bytes) {
  kept_.assign(bytes.data(), bytes.size());  // they may be a part of kept_
  if (kept_.empty() && kept_.capacity() > kKeptBytesMax) kept_.shrink_to_fit();
}

// Parses and handles until the bytes are used up, or a request must wait for its answer or the client for its turn.
void Connection::serve(std::string_view bytes) {
  for (int served = 0; !bytes.empty() && served < kRequestsPerTurnMax; ++served) {
    if (!parse(bytes)) return;
    if (!parser_->is_done()) break;
    if (handle() && write(*std::exchange(answer_, std::nullopt))) continue;
    if (phase_ == Phase::handling || phase_ == Phase::streaming || phase_ == Phase::writing) keep(bytes);
    return;
  }
  keep(bytes);
  if (phase_ != Phase::idle || kept_.empty()) return wait_for_bytes();
  asio::post(loop_->context(), [self = shared_from_this()] {
    if (self->phase_ == Phase::idle) self->serve(self->kept_);
  });
}

// Takes what belongs to the request from the bytes. False: it was refused.
bool Connection::parse(std::string_view& bytes) {
  if (!parser_) parser_.emplace(limits_);
  if (phase_ == Phase::idle) enter(Phase::header, limits_.header_time_max);
  while (!bytes.empty() && !parser_->is_done()) {
    const bool had_header = parser_->is_header_done();
    const error_code error = parser_->feed(bytes);
    if (error == http::error::need_more) return true;
    if (error) return refuse(answer_of(error)), false;
    if (!had_header && parser_->is_header_done() && !admit_header(!bytes.empty())) return false;
  }
  return true;
}

bool Connection::admit_header(bool has_more) {
  if (const auto objection = parser_->objection())
    return refuse(error_answer(objection->first, objection->second)), false;
  if (parser_->is_done()) return true;
  enter(Phase::body, limits_.body_time_max);
  if (has_more || !parser_->expects_continue()) return true;
  constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  error_code error;
  if (transport_.write_some(kContinue, {}, error) == kContinue.size()) return true;
  close();  // a client that has not taken the answers before this one
  return false;
}

// Calls the handler. True: it has answered already.
bool Connection::handle() {
  phase_ = Phase::handling;
  deadline_ = SteadyTime::max();
  keep_alive_ = parser_->keep_alive();
  is_http_1_0_ = parser_->is_http_1_0;
  is_head_ = parser_->request.method == "HEAD";
  HttpServerRequest request = std::move(parser_->request);
  request.peer = peer_;
  request.client = shared_from_this();
  parser_.reset();
  gone_ = nullptr;
  in_handler_ = true;
  try {
    loop_->service().handler(std::move(request), Answerer(shared_from_this()));
  } catch (...) {  // its Respond was destroyed, which answers 500
  }
  in_handler_ = false;
  loop_->note_request();
  return answer_.has_value();
}

void Connection::when_gone(std::function<void()> gone) {
  if (loop_->is_this_thread()) return watch_client(std::move(gone));
  asio::post(loop_->context(), [weak = weak_from_this(), gone = std::move(gone)]() mutable {
    if (const auto self = weak.lock()) self->watch_client(std::move(gone));
  });
}

void Connection::watch_client(std::function<void()> gone) {
  if (phase_ == Phase::closed) return gone();
  if (phase_ != Phase::handling) return;
  const bool is_watched = gone_ != nullptr;
  gone_ = std::move(gone);
  if (is_watched) return;
  transport_.socket().async_wait(tcp::socket::wait_read, [self = shared_from_this()](const error_code& error) {
    if (self->phase_ != Phase::handling || self->gone_ == nullptr) return;
    if (!error && !self->has_client_left()) return;
    const auto tell = std::exchange(self->gone_, nullptr);
    self->close();
    tell();
  });
}

// Of one that has something to say: it is the end, or the next request, which stays unread.
bool Connection::has_client_left() {
  char byte = 0;
  error_code error;
  transport_.socket().receive(asio::buffer(&byte, 1), tcp::socket::message_peek, error);
  return error && error != asio::error::would_block;
}

void Connection::give(HttpServerResponse response) {
  if (loop_->is_this_thread() && in_handler_)
    answer_ = std::move(response);
  else
    loop_->deliver(shared_from_this(), std::move(response));
}

void Connection::take_late_answer(HttpServerResponse response) {
  if (phase_ != Phase::handling || !write(std::move(response))) return;
  if (kept_.empty()) return wait_for_bytes();
  serve(kept_);
}

// True: all of it is on its way and the next request may come.
bool Connection::write(HttpServerResponse response) {
  const bool has_body = !is_head_ && status_has_body(response.status);
  keep_alive_ = keep_alive_ && !loop_->is_draining() && !(response.source != nullptr && is_http_1_0_);
  std::string& head = loop_->head_buffer();
  head.clear();
  append_head(head, response, {keep_alive_, is_http_1_0_, loop_->date()});
  if (!has_body || response.source != nullptr) response.body.clear();
  if (has_body) source_ = std::move(response.source);
  if (!write_bytes(head, response.body)) return false;
  if (source_ != nullptr) return stream(), false;
  if (keep_alive_) return become_idle(), true;
  return linger(), false;
}

// True: all of them are on their way. Else the connection is closed, or goes on when the client has taken them.
bool Connection::write_bytes(std::string_view head, std::string_view body) {
  error_code error;
  const size_t sent = transport_.write_some(head, body, error);
  if (error && error != asio::error::would_block) return close(), false;
  if (sent == head.size() + body.size()) return true;
  unsent_ = std::string(head).append(body);
  sent_ = sent;
  enter(Phase::writing, limits_.write_time_max);
  write_rest();
  return false;
}

void Connection::write_rest() {
  transport_.socket().async_wait(transport_.wanted(), [self = shared_from_this()](error_code error) {
    if (self->phase_ != Phase::writing) return;
    const std::string_view rest = std::string_view(self->unsent_).substr(self->sent_);
    const size_t sent = error ? 0 : self->transport_.write_some(rest, {}, error);
    if (error && error != asio::error::would_block) return self->close();
    self->sent_ += sent;
    if (self->sent_ < self->unsent_.size()) return self->write_rest();
    self->unsent_ = std::string();
    self->go_on();
  });
}

// After something that the client took slowly.
void Connection::go_on() {
  if (source_ != nullptr) return stream();
  if (!keep_alive_ || loop_->is_draining()) return linger();
  become_idle();
  if (kept_.empty()) return wait_for_bytes();
  serve(kept_);
}

// Waits for the next piece, or takes the one that has come already.
void Connection::stream() {
  if (loop_->is_draining()) return close();
  enter(Phase::streaming, limits_.pulse_time);
  if (early_piece_) return write_piece(*std::exchange(early_piece_, std::nullopt));
  if (kept_.empty()) wait_for_bytes();
  if (std::exchange(is_piece_asked_, true)) return;
  source_->next(PieceSender(loop_, shared_from_this()));
}

void Connection::take_piece(BodyPiece piece) {
  is_piece_asked_ = false;
  if (phase_ == Phase::streaming) return write_piece(std::move(piece));
  if (phase_ == Phase::writing) early_piece_ = std::move(piece);
}

void Connection::write_piece(BodyPiece piece) {
  if (piece.kind == BodyPiece::Kind::cut) return close();
  const bool is_last = piece.kind == BodyPiece::Kind::last;
  if (is_last) source_.reset();
  std::string bytes = is_last ? (is_http_1_0_ ? "" : "0\r\n\r\n") : std::move(piece.bytes);
  if (!is_last && !is_http_1_0_ && !bytes.empty()) bytes = as_chunk(bytes);
  if (write_bytes(bytes, {})) go_on();
}

void Connection::write_pulse() {
  enter(Phase::streaming, limits_.pulse_time);
  const std::string bytes = source_->pulse();
  if (bytes.empty()) return;
  write_bytes(is_http_1_0_ ? bytes : as_chunk(bytes), {});
}

void Connection::refuse(HttpServerResponse response) {
  keep_alive_ = false;
  is_head_ = false;
  write(std::move(response));
}

// Closing at once, with bytes unread, would take the last answer away from a client that is still sending.
void Connection::linger() {
  parser_.reset();
  kept_ = std::string();
  error_code error;
  transport_.shut_down(error);
  if (error) return close();
  enter(Phase::lingering, limits_.linger_time_max);
  wait_for_bytes();
}

Loop::Loop(std::shared_ptr<Service> service) : service_(std::move(service)) {
  const HttpServerLimits& limits = service_->limits;
  const Duration shortest = std::min({limits.header_time_max, limits.body_time_max, limits.idle_time_max,
                                      limits.write_time_max, limits.linger_time_max});
  tick_ = std::clamp(shortest / 4, kTickMin, kTickMax);
}

void Loop::run() {
  current_ = this;
  context_.run();
  std::vector<Delivery> late;  // ends after the lock: what a source does at its end is not known here
  const std::lock_guard lock(mutex_);
  ended_ = true;
  late.swap(deliveries_);
}

std::string_view Loop::date() {
  const time_t now = ::time(nullptr);
  if (now != date_second_) date_ = http_date(date_second_ = now);
  return date_;
}

void Loop::adopt(tcp::socket socket) {
  if (draining_) {
    --service_->connections;
    return;
  }
  auto connection = std::make_shared<Connection>(shared_from_this(), std::move(socket));
  connection->index = connections_.size();
  connections_.push_back(connection);
  if (connections_.size() == 1) schedule_tick();
  connection->start();
}

void Loop::forget(Connection& connection) {
  const size_t index = connection.index;
  connections_.back()->index = index;
  std::swap(connections_[index], connections_.back());
  connections_.pop_back();
  --service_->connections;
  if (!connections_.empty()) return;
  timer_.cancel();
  if (draining_) work_.reset();
}

// Twice round: what was readable when this request was read comes first, then what has become readable since.
void Loop::note_request() {
  if (service_->when_idle == nullptr || std::exchange(awaits_idleness_, true)) return;
  asio::post(context_, [this] {
    asio::post(context_, [this] {
      awaits_idleness_ = false;
      service_->when_idle();
    });
  });
}

// Backwards, because one that closes is replaced by the last.
void Loop::drain() {
  draining_ = true;
  for (size_t i = connections_.size(); i-- > 0;) std::shared_ptr(connections_[i])->close_if_idle();
  if (connections_.empty()) work_.reset();
}

void Loop::close_all() {
  for (size_t i = connections_.size(); i-- > 0;) std::shared_ptr(connections_[i])->close();
}

void Loop::deliver(std::shared_ptr<Connection> connection, Content content) {
  bool is_first = false;
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    is_first = deliveries_.empty();
    deliveries_.push_back({std::move(connection), std::move(content)});
  }
  // Raw, because a loop that has ended never runs it; a Respond, or the loop itself, keeps the loop until then.
  if (is_first) asio::post(context_, [this] { take_deliveries(); });
}

void Loop::take_deliveries() {
  std::vector<Delivery> deliveries;
  {
    const std::lock_guard lock(mutex_);
    deliveries.swap(deliveries_);
  }
  for (Delivery& delivery : deliveries) {
    if (auto* response = std::get_if<HttpServerResponse>(&delivery.content))
      delivery.connection->take_late_answer(std::move(*response));
    else
      delivery.connection->take_piece(std::move(std::get<BodyPiece>(delivery.content)));
  }
}

void Loop::schedule_tick() {
  timer_.expires_after(tick_);
  timer_.async_wait([this](const error_code& error) {
    if (!error) tick();
  });
}

void Loop::tick() {
  const SteadyTime now = SteadyClock::now();
  for (size_t i = connections_.size(); i-- > 0;) std::shared_ptr(connections_[i])->expire_if_due(now);
  if (!connections_.empty()) schedule_tick();
}

}  // namespace pawl::net::server
