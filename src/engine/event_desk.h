// The event desk: where events meet those who wait for them.
//
// An event that arrives gets a number and goes into the store, and in the same commit to everyone who waits for it;
// what no waiting execution of a definition takes may start one. Whoever begins to wait is looked up among the events
// that are kept. So whichever comes second finds the first, and each wait gets one event, once: a wait is removed by
// the commit that sends its message, and the message by the commit of what follows from it.
//
// Life: the first shard hosts the desk, on its thread. What the desk decides goes into the batch that gathers there; it
// hears when that went to the writer, is durable, or is void. A desk whose decisions are void begins anew with what is
// stored, as after a restart.
//
// Memory: nothing of those who wait. The events of the last minutes, a few words each (engine/event_index.h).
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "engine/event_index.h"
#include "engine/event_starts.h"
#include "engine/spent_waits.h"

namespace pawl::engine {

// What became of an event that was handed in.
struct Published {
  EventNumber number;         // of its first arrival
  bool is_duplicate = false;  // it was there before
};

inline constexpr size_t kFanOutMax = 1'000;                 // told of one event in one step
inline constexpr size_t kFanOutBytesMax = 8 * 1024 * 1024;  // of messages in one step

class EventDesk {
 public:
  explicit EventDesk(Shared& shared);

  // Reads what it must know by heart. What waits and what is kept are then brought together, by go_on().
  void open();
  // A CloudEvent with source, id and type.
  Published receive(const Value& event, DeskOutput& out);
  // These have begun to wait, durably.
  void look(const std::vector<store::SubscriptionRow>& waits, const std::vector<kernel::EventShape>& shapes,
            DeskOutput& out);
  // Goes on with what takes several commits, as far as one of them goes.
  void go_on(DeskOutput& out);
  // Forgets some of what is old; whether there is more.
  bool expire(size_t count, DeskOutput& out);
  void give_up(const store::Wake& wake, DeskOutput& out) { starts_.give_up(wake, out); }

  bool has_more() const { return is_routing() || spent_.must_sweep(); }

  void submit();
  void settle();
  void roll_back();

 private:
  // An event that not all who wait for it have been told of.
  struct Routing {
    ArrivedEvent event;
    std::vector<EventKey> keys;
    size_t key = 0;                  // the one that it has come to
    store::SubscriptionRow last;     // the last that it has seen under that
    size_t seen = 0;                 // waits, spent ones too
    bool is_decided = false;         // what it starts
    bool is_stored_decided = false;  // its row says so, or will
    bool is_fresh = true;            // it has just arrived: it is for all who wait
  };
  struct ByPlace {
    bool operator()(const store::SubscriptionRow& a, const store::SubscriptionRow& b) const {
      return a.place() < b.place();
    }
  };
  // What is decided and not yet durable.
  struct Overlay {
    std::set<store::SubscriptionRow, ByPlace> removed;
    std::map<EventNumber, ArrivedEvent> events;
  };

  void route(Routing routing, DeskOutput& out);
  // Whether all have been told; whose they were is added to `definitions`.
  bool tell_waiters(Routing& routing, std::set<DefinitionId>& definitions, DeskOutput& out);
  std::vector<store::SubscriptionRow> next_waiters(Routing& routing, DeskOutput& out);
  void remove(const store::SubscriptionRow& wait, DeskOutput& out);
  void spend(const store::SubscriptionRow& wait, EventNumber event, DeskOutput& out);
  void sweep(DeskOutput& out);
  void tell(const store::SubscriptionRow& waiter, const ArrivedEvent& event, DeskOutput& out);
  void decide_starts(Routing& routing, bool has_told_all, std::set<DefinitionId> definitions, DeskOutput& out);
  bool is_removed(const store::SubscriptionRow& wait) const;
  bool is_for(const store::SubscriptionRow& wait, EventNumber number, Timestamp received) const;
  void look_for(std::span<const store::SubscriptionRow> operation, DeskOutput& out);
  void learn(const kernel::EventShape& shape);
  std::optional<ArrivedEvent> find_event(EventNumber number) const;
  void offer_stored(DeskOutput& out);
  void take_step(DeskOutput& out);
  bool is_offering() const { return last_offered_ < offered_until_; }
  bool is_routing() const { return !routings_.empty() || is_offering(); }

  Shared& shared_;
  EventIndex index_;
  EventStarts starts_;
  SpentWaits spent_;
  std::deque<Routing> routings_;  // in the order of arrival: nobody gets a later event before an earlier one
  EventNumber last_offered_;      // of what was stored when the desk opened
  EventNumber offered_until_;
  Overlay gathering_;
  Overlay in_flight_;
};

}  // namespace pawl::engine
