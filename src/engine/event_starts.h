// What events start: executions of definitions that ask for one event, or for several together.
//
// Of several, those that came wait in a partial set, which is a row in the store: found by the definition's family and
// the values that all its filters have in common, with a wake of its own where the time between two events is limited.
// A set takes one event of each kind; a second one of the same kind begins another set. Belongs to the desk.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/event_messages.h"
#include "engine/event_triggers.h"

namespace pawl::engine {

struct Shared;

// An event on its way to those who wait for it.
struct ArrivedEvent {
  EventNumber number;
  Timestamp received{};
  Value value;       // the CloudEvent
  std::string text;  // as it prints
};

// Where the desk puts what it decides: into what its shard makes durable next.
struct DeskOutput {
  store::Batch& batch;
  std::vector<store::Message>& sent;
};
void send(Shared& shared, ExecutionId destination, std::string body, DeskOutput& out);

inline constexpr int kSetsOfAnEventBits = 10;  // beyond as many sets, an event takes numbers of the one behind it

// The wake of a partial set is filed among those of executions, under an id that no execution has. Its slot is 0, and
// so the first shard's.
inline constexpr uint64_t kPartialSetBit = uint64_t{1} << 62;
ExecutionId wake_of_partial_set(EventNumber set);
bool is_partial_set(ExecutionId wake);

class EventStarts {
 public:
  explicit EventStarts(Shared& shared) : shared_(shared) {}

  // Starts what the event starts, but no execution of a family that it has reached already.
  void decide(const ArrivedEvent& event, const std::set<std::string>& reached, DeskOutput& out);
  // A wake of a partial set has come: the set is given up, where it waited too long.
  void give_up(const store::Wake& wake, DeskOutput& out);

  // What was decided went to the writer; is durable; or is void.
  void submit() { in_flight_ = std::exchange(gathering_, {}); }
  void settle() { in_flight_.clear(); }
  void roll_back() {
    in_flight_.clear();
    gathering_.clear();
  }

 private:
  using Changes = std::map<EventNumber, std::optional<store::PartialSetRow>>;  // none: it is gone

  void gather(const EventTrigger& trigger, const ArrivedEvent& event, DeskOutput& out);
  void start(DefinitionId definition, EventNumber last, Value events, Value correlation, DeskOutput& out);
  EventNumber free_number(EventNumber event) const;
  bool is_used(EventNumber id) const;
  std::vector<store::PartialSetRow> sets_under(const kernel::EventKey& key) const;
  std::optional<store::PartialSetRow> find(EventNumber id) const;
  void put(const store::PartialSetRow& row, Timestamp due_before, DeskOutput& out);
  void drop(const store::PartialSetRow& row, DeskOutput& out);

  Shared& shared_;
  Changes gathering_;  // not yet with the writer
  Changes in_flight_;  // with it
};

}  // namespace pawl::engine
