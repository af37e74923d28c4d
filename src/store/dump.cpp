#include "store/dump.h"

#include <sstream>

#include "base/crc32c.h"

namespace pawl::store {

namespace {

int64_t ms(Timestamp time) { return time.time_since_epoch().count(); }

template <typename... Parts>
std::string line(const Parts&... parts) {
  std::ostringstream out;
  ((out << parts << ' '), ...);
  return out.str();
}

}  // namespace

void Dump::add(const ExecutionRow& row) {
  lines_.insert(line("execution", row.id, "definition", row.definition, "status", static_cast<int>(row.status), "name",
                     row.name, "started", ms(row.started), "closed", ms(row.closed), "head", row.head, "parent",
                     row.parent, "redrives", row.redrives, "redriven", ms(row.redriven), "version", row.version,
                     "alias", row.alias));
}

void Dump::add(const LiveRow& row) {
  lines_.insert(line("live", row.execution, "head", row.head, "wake", ms(row.wake), "attention", row.attention));
}

void Dump::add(const Chunk& chunk) {
  lines_.insert(line("chunk", chunk.id, "execution", chunk.execution, "fact", chunk.first_fact, "event",
                     chunk.first_event, "previous", chunk.previous, "bytes", chunk.body.size(), "crc",
                     crc32c(chunk.body)));
}

void Dump::add(const SnapshotRow& snapshot) {
  lines_.insert(line("snapshot", snapshot.execution, "fact", snapshot.last_fact, "event", snapshot.last_event, "chunk",
                     snapshot.chunk, "bytes", snapshot.body.size(), "crc", crc32c(snapshot.body)));
}

void Dump::add(const Wake& wake) { lines_.insert(line("wake", ms(wake.due), wake.execution)); }

void Dump::add(const NameRow& name) { lines_.insert(line("name", name.hash, name.execution)); }

void Dump::add(const Document& document) {
  lines_.insert(line("document", document.kind, document.key, document.body));
}

void Dump::add(const Message& message) {
  lines_.insert(line("message", message.id, "destination", message.destination, message.body));
}

void Dump::add(const SubscriptionRow& row) {
  lines_.insert(line("subscription", kernel::to_hex(row.key), "definition", row.definition, "execution", row.execution,
                     "operation", row.operation, "filter", row.filter, "after", row.after, "known", row.known, "made",
                     ms(row.made)));
}

void Dump::add(const SpentWait& spent) {
  const SubscriptionRow& wait = spent.wait;
  lines_.insert(line("spent wait", spent.event, kernel::to_hex(wait.key), "definition", wait.definition, "execution",
                     wait.execution, "operation", wait.operation, "filter", wait.filter));
}

void Dump::add(const EventRow& row) {
  lines_.insert(line("event", row.number, "identity", kernel::to_hex(row.identity), "received", ms(row.received),
                     "decided", row.is_decided, row.body));
}

void Dump::add(const PartialSetRow& row) {
  lines_.insert(line("partial set", row.id, "key", kernel::to_hex(row.key), "due", ms(row.due), row.body));
}

void Dump::add(const SinkItem& item) {
  lines_.insert(line("sink item", item.id, item.sink, "execution", item.execution, item.body));
}

std::string Dump::text() const {
  std::string text;
  for (const std::string& entry : lines_) text += entry + '\n';
  return text;
}

bool matches(const ListFilter& filter, const ExecutionRow& row) {
  return (!filter.definition || row.definition == *filter.definition) &&
         (!filter.status || row.status == *filter.status) &&
         (!filter.redriven || (row.redrives != 0) == *filter.redriven) &&
         (!filter.started_after || row.started >= *filter.started_after) &&
         (!filter.started_before || row.started <= *filter.started_before) &&
         (filter.version == 0 || row.version == filter.version) && (filter.alias.empty() || row.alias == filter.alias);
}

CommitError fenced(ShardId shard) {
  return {CommitFailure::kFenced,
          {"STORE_FENCED", "shard " + std::to_string(shard.number), "Another process has taken this shard.",
           "Stop one of the two processes that use this data directory."}};
}

Error missing_chunk(ExecutionId execution, ChunkId chunk) {
  return {"STORE_MISSING_CHUNK", "execution " + std::to_string(execution.number),
          "Chunk " + std::to_string(chunk.number) + " of its history is missing.",
          "Run `pawl doctor`, and restore the data directory from a backup."};
}

}  // namespace pawl::store
