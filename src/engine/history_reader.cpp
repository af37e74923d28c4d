#include "engine/history_reader.h"

#include <algorithm>

#include "store/chunk_codec.h"
#include "store/snapshot_codec.h"

namespace pawl::engine {

namespace {

using store::ChunkId;

// Reads the facts of one execution between two places where reading can begin.
class HistoryReader {
 public:
  HistoryReader(const store::Store& store, ExecutionId id, ChunkId head) : store_(store), id_(id), head_(head) {}

  // From a snapshot before `first` (or the beginning) to one that holds `last` (or the end).
  Result<HistoryPart> read(EventId first, EventId last) const {
    HistoryPart part;
    const auto snapshot = store_.snapshot_before(id_, first);
    if (snapshot) part.before = store::decode_snapshot(snapshot->body);
    const ChunkId begin = part.before != nullptr ? snapshot->chunk : ChunkId();
    const ChunkId found = store_.snapshot_chunk_with(id_, last);
    PAWL_TRY(const auto chunks, store_.load_chunks_after(id_, begin, found ? found : head_));
    store::ChunkDecoder decoder;
    for (const store::Chunk& chunk : chunks) {
      PAWL_TRY(auto facts, decoder.decode(chunk.body));
      std::ranges::move(facts, std::back_inserter(part.facts));
    }
    return part;
  }

  // The number of the last event: it is among the facts after the newest snapshot, or in that.
  Result<EventId> last_event() const {
    PAWL_TRY(const HistoryPart part, read(kAfterAllEvents, kAfterAllEvents));
    for (auto fact = part.facts.rbegin(); fact != part.facts.rend(); ++fact)
      if (fact->event) return fact->event;
    return part.before != nullptr ? part.before->last_event() : EventId();
  }

 private:
  static constexpr EventId kAfterAllEvents{UINT32_MAX};

  const store::Store& store_;
  const ExecutionId id_;
  const ChunkId head_;
};

}  // namespace

Result<HistoryPart> read_history_part(const store::Store& store, ExecutionId id, const EventRange& range) {
  const auto row = store.find_execution(id);
  if (!row) return fail("EXECUTION_NOT_FOUND", "There is no such execution.", "Check its name.");
  const auto live = store.find_live(id);
  const HistoryReader reader(store, id, live ? live->head : row->head);
  if (!range.reverse) {
    const uint32_t first = std::max(range.from.number, 1u);
    return reader.read(EventId(first), EventId(first + std::min(range.count, UINT32_MAX - first)));
  }
  EventId last = range.from;
  if (!last) {
    PAWL_TRY(last, reader.last_event());
  }
  const uint32_t first = last.number > range.count ? last.number - range.count + 1 : 1;
  return reader.read(EventId(first), last);
}

}  // namespace pawl::engine
