#include "server/rest_stream.h"

#include <mutex>
#include <utility>

#include "api/fact_json.h"
#include "json/print.h"
#include "server/history_events.h"
#include "server/rest.h"

namespace pawl::server {

namespace {

using Facts = std::vector<kernel::Fact>;

constexpr size_t kPieceBytesMax = 64 * 1024;  // a piece ends with the fact that reaches it
constexpr const char* kHeartbeat = ": still here\n\n";

// What the stream on its connection's thread and the engine on its shards' threads share. Its mutex is held for a few
// assignments only: no shard waits for a client.
class FactFeed : public std::enable_shared_from_this<FactFeed> {
 public:
  FactFeed(engine::Engine& engine, ExecutionId execution) : engine_(engine), execution_(execution) {}

  // What was read since the last call; null where nothing was.
  std::optional<Result<Facts>> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(arrived_, std::nullopt);
  }
  void put(Result<Facts> facts) {
    const std::lock_guard lock(mutex_);
    arrived_ = std::move(facts);
  }
  bool has_news() {
    const std::lock_guard lock(mutex_);
    return has_news_;
  }
  // Asks the stream to go on once there is something to take.
  void wake_later(net::SendPiece send) {
    {
      const std::lock_guard lock(mutex_);
      if (!std::exchange(has_news_, false)) {
        waiting_ = std::move(send);
        return;
      }
    }
    engine_.facts(execution_, [self = shared_from_this(), send = std::move(send)](Result<Facts> facts) mutable {
      self->put(std::move(facts));
      send("");
    });
  }
  // Something of the execution has become durable.
  void notice() {
    net::SendPiece send;
    {
      const std::lock_guard lock(mutex_);
      has_news_ = true;
      send = std::exchange(waiting_, nullptr);
    }
    if (send) send("");
  }
  // The stream has ended: nobody waits any more.
  void close() {
    const std::lock_guard lock(mutex_);
    waiting_ = nullptr;
  }

 private:
  engine::Engine& engine_;
  const ExecutionId execution_;
  std::mutex mutex_;      // guards the three below
  bool has_news_ = true;  // nothing was read yet
  net::SendPiece waiting_;
  std::optional<Result<Facts>> arrived_;
};

// The body. Belongs to the connection's thread; only its feed is known to others.
class FactStream final : public net::HttpBodySource {
 public:
  FactStream(engine::Engine& engine, ExecutionId execution, FactStreamRequest request)
      : engine_(engine),
        feed_(std::make_shared<FactFeed>(engine, execution)),
        request_(std::move(request)),
        view_(request_.code),
        watch_(engine.watch(execution, [feed = feed_] { feed->notice(); })) {}
  ~FactStream() override {
    engine_.unwatch(watch_);
    feed_->close();
  }

  void next(net::SendPiece send) override {
    if (auto arrived = feed_->take()) accept(*std::move(arrived));
    if (position_ < facts_.size()) return send(print_facts());
    if (is_failed_) return send(std::nullopt);
    if (is_end_told_ && !feed_->has_news()) return send(std::nullopt);
    const bool has_ended = position_ > 0 && kernel::is_terminal(last_kind_);
    if (has_ended && !is_end_told_ && !feed_->has_news()) return send(print_end());
    feed_->wake_later(std::move(send));
  }

  std::string pulse() override { return kHeartbeat; }

 private:
  void accept(Result<Facts> facts) {
    is_failed_ = !facts;
    if (!facts) return;
    facts_ = std::move(*facts);
    while (position_ < facts_.size() && position_ < request_.after) print_next();
  }

  // Every fact is printed in its turn, because what AWS's view tells of one is found in earlier ones.
  std::string print_next() {
    const kernel::Fact& fact = facts_[position_++];
    last_kind_ = fact.kind;
    if (fact.kind == kernel::FactKind::kExecutionRedriven) is_end_told_ = false;
    Value data;
    if (request_.as_events)
      data = protocol_event(view_, fact, request_.qualifiers);
    else if (position_ > request_.after)
      data = api::fact_to_json(fact, FactSeq(position_), *request_.code->program);
    if (!data.is_object()) return {};
    return "id: " + std::to_string(position_) + "\ndata: " + json::print(data) + "\n\n";
  }

  std::string print_facts() {
    std::string piece;
    while (position_ < facts_.size() && piece.size() < kPieceBytesMax) piece += print_next();
    if (position_ == facts_.size()) facts_ = Facts();
    return piece;
  }

  std::string print_end() {
    is_end_told_ = true;
    return "id: " + std::to_string(position_) + "\nevent: end\ndata: {\"kind\":\"" +
           std::string(kernel::name_of(last_kind_)) + "\"}\n\n";
  }

  engine::Engine& engine_;
  std::shared_ptr<FactFeed> feed_;
  FactStreamRequest request_;
  HistoryEvents view_;
  engine::WatchId watch_;
  Facts facts_;          // all, as they were last read; none where the client has them all
  size_t position_ = 0;  // how many facts the client has
  kernel::FactKind last_kind_ = kernel::FactKind::kExecutionStarted;
  bool is_end_told_ = false;
  bool is_failed_ = false;
};

net::HttpServerResponse stream_answer(std::unique_ptr<FactStream> stream) {
  net::HttpServerResponse response;
  response.content_type = "text/event-stream";
  response.headers.emplace_back("Cache-Control", "no-store");
  response.headers.emplace_back("X-Accel-Buffering", "no");  // of a proxy in between
  response.source = std::move(stream);
  return response;
}

}  // namespace

// Of one that has ended, the facts are read once to see whether the client has them all.
void open_fact_stream(engine::Engine& engine, const store::ExecutionRow& row, FactStreamRequest request,
                      net::Respond respond) {
  if (row.status == store::ExecutionStatus::kRunning)
    return respond(stream_answer(std::make_unique<FactStream>(engine, row.id, std::move(request))));
  engine.facts(row.id, [&engine, id = row.id, request = std::move(request),
                        respond = std::move(respond)](Result<Facts> facts) mutable {
    if (!facts) return respond(rest_refusal(to_refusal(facts.error())));
    const bool has_ended = !facts->empty() && kernel::is_terminal(facts->back().kind);
    if (has_ended && request.after >= facts->size()) return respond({.status = 204, .headers = {}, .body = {}});
    respond(stream_answer(std::make_unique<FactStream>(engine, id, std::move(request))));
  });
}

}  // namespace pawl::server
