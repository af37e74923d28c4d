// Definitions that cron starts: when next, and whether they are paused; durable.
//
// A schedule is a document of the store. It fires by starting an execution with a name that follows from the definition
// and the time, and is moved on when that start is durable: a crash between the two starts nothing twice. Fires that
// were missed, while the server was down or the schedule paused, run once.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "engine/engine.h"
#include "server/start_rules.h"
#include "store/store.h"

namespace pawl::server {

struct Schedule {
  std::string definition;  // its name
  std::string cron;
  std::string timezone;     // empty: the machine's
  Timestamp next = kNever;  // kNever: cron names no time any more
  bool paused = false;

  friend bool operator==(const Schedule&, const Schedule&) = default;
};

// Lifecycle: load, serve, close. Concurrency: any thread may call; where it has a thread, that one fires.
class Schedules {
 public:
  Schedules(const StartRules& rules, engine::Programs& programs, const Clock& clock)
      : rules_(rules), programs_(programs), clock_(clock) {}
  ~Schedules() { close(); }
  Schedules(const Schedules&) = delete;
  Schedules& operator=(const Schedules&) = delete;

  // Errors: CATALOG_DAMAGED.
  Result<void> load(const store::Store& store);
  // Fires from now on: by a thread of its own, or (in virtual time) when fire_due() is called.
  void serve(engine::Engine& engine, bool has_thread);
  void close();

  // The definition has changed: what has to be made durable of that. Nothing where its schedule is as before.
  std::vector<store::Document> follow(const std::string& definition);
  // The same for a pause or its end. None where it has no schedule.
  std::optional<std::vector<store::Document>> set_paused(const std::string& definition, bool paused);

  std::vector<Schedule> list() const;
  std::optional<Schedule> find(std::string_view definition) const;
  // The earliest time at which one fires; kNever where none will.
  Timestamp next_fire() const;
  void fire_due();

 private:
  struct Entry {
    Schedule schedule;
    bool is_firing = false;  // its start is on its way
    Timestamp not_before{};  // after a start that was refused
  };

  void work();
  void fire(const std::string& definition, Timestamp due);
  void take_answer(const std::string& definition, Timestamp fired, const Result<engine::Started>& started);
  Timestamp next_fire_locked() const;
  Timestamp due_of(const Entry& entry) const;

  const StartRules& rules_;
  engine::Programs& programs_;
  const Clock& clock_;
  mutable std::mutex mutex_;          // guards everything below
  engine::Engine* engine_ = nullptr;  // null: nothing fires yet
  std::condition_variable changed_;
  std::map<std::string, Entry, std::less<>> entries_;
  bool closing_ = false;
  std::thread thread_;
};

// What an execution is called that a schedule starts at that time: "inbox-20260316T090000Z".
std::string scheduled_name(std::string_view definition, Timestamp fired);

}  // namespace pawl::server
