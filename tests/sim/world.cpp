#include "sim/world.h"

#include <algorithm>
#include <iostream>

#include "base/crc32c.h"
#include "sim/violation.h"

namespace pawl::sim {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

constexpr uint64_t kFaultyOpensMax = 3;
constexpr uint64_t kDrainRoundsMax = 20'000;
constexpr Timestamp kBeginning{hours(24 * 365 * 55)};
constexpr Duration kForAsLongAsItTakes = hours(24 * 365);  // so that no event may be missed, or let in twice

// The engine came to doubt and stopped.
struct Stopped {
  Error error;
};

void stop_on_doubt(const Error& error) { throw Stopped{error}; }

// Some worlds are calm in one way and wild in another.
Weather make_weather(Dice& dice) {
  const auto some = [&](uint32_t chance_max) {
    return dice.chance(500) ? 0 : static_cast<uint32_t>(dice.below(chance_max + 1));
  };
  Weather weather;
  weather.steps = dice.between(150, 700);
  if (dice.chance(30)) weather.crowd = dice.between(100, 250);
  weather.kill = some(25);
  weather.power_loss = some(25);
  weather.full = some(40);
  weather.bad_sync = some(20);
  weather.bad_read = some(20);
  weather.clean_stop = some(10);
  weather.rival = some(10);
  weather.clock_forward = some(20);
  weather.clock_back = some(20);
  weather.overlap = some(300);
  weather.trouble = some(500);
  weather.checkpoint_pages = static_cast<int>(dice.between(5, 60));
  weather.shards_max = static_cast<uint32_t>(dice.between(1, 4));
  if (dice.chance(150)) weather.retention = dice.duration(minutes(5), hours(48));
  if (dice.chance(150)) weather.retention = dice.duration(seconds(1), minutes(2));
  if (dice.chance(200)) weather.mailbox_max = dice.between(1, 3);
  if (dice.chance(300)) weather.loaded_max = dice.between(0, 4);
  return weather;
}

}  // namespace

World::World(uint64_t seed, Definitions& definitions, bool is_verbose)
    : is_verbose_(is_verbose),
      dice_(seed),
      weather_(make_weather(dice_)),
      clock_(kBeginning),
      scene_{dice_, clock_, agenda_, witness_, definitions, weather_},
      ledger_(scene_),
      workers_(scene_, ledger_),
      clients_(scene_, ledger_, workers_),
      senders_(scene_, ledger_),
      disk_(dice_.number()) {
  witness_.set_meanwhile([this] {
    if (scene_.engine != nullptr && dice_.chance(weather_.overlap)) scene_.engine->commit();
  });
}

World::~World() = default;

template <typename... Parts>
void World::tell(const Parts&... parts) const {
  if (!is_verbose_) return;
  std::cerr << "[" << clock_.elapsed().count() << " ms] ";
  (std::cerr << ... << parts) << '\n';
}

Report World::run() {
  open();
  for (uint64_t i = 0; i < weather_.crowd; ++i) clients_.start();
  for (uint64_t i = 0; i < weather_.steps; ++i) step();
  drain();
  ledger_.check_all(limits_, weather_.clock_back == 0);
  senders_.check_starts();
  stop_cleanly();
  crash("after the end", Survival::kNothing);
  return report();
}

Report World::report() const {
  Report report;
  for (const store::ExecutionRow& row : witness_.durable().list_executions({.limit = SIZE_MAX})) {
    ++report.executions;
    report.facts += read_history(witness_.durable(), row.id)->facts.size();
  }
  report.crashes = crashes_;
  report.commits = witness_.commits();
  report.rolled_back = witness_.rolled_back();
  report.elapsed = clock_.elapsed();
  report.checksum = crc32c(witness_.durable().dump());
  return report;
}

// --- opening and crashing

void World::open() {
  for (uint64_t tries = 0;; ++tries) {
    const bool with_faults = tries < kFaultyOpensMax && !scene_.is_draining && dice_.chance(weather_.power_loss * 4);
    if (try_to_open(with_faults)) break;
    store_.reset();
    disk_.restore_power(dice_.one_of({Survival::kAll, Survival::kSome, Survival::kNothing}));
  }
  scene_.engine = engine_.get();
  scene_.may_be_full = false;
  has_fault_ = false;
}

bool World::try_to_open(bool with_faults) {
  disk_.heal();
  full_for_ = 0;
  if (with_faults) disk_.lose_power_at(dice_.between(1, 60));
  auto opened = store::SqliteStore::open(
      "data", {.vfs = disk_.vfs(), .checkpoint_pages = weather_.checkpoint_pages, .on_doubt = stop_on_doubt});
  require(opened.has_value() || with_faults, "the store cannot be opened: ", opened ? "" : to_string(opened.error()));
  if (!opened) return false;
  store_ = *std::move(opened);
  disk_.heal();
  if (!disk_.has_power()) return false;
  witness_.use(store_.get());
  witness_.check_survival();
  ledger_.check_open();
  shards_ = static_cast<uint32_t>(dice_.between(1, weather_.shards_max));
  engine_ = open_engine();
  tell("opened with ", shards_, " shards");
  return true;
}

std::unique_ptr<engine::Engine> World::open_engine() {
  engine::EngineOptions options;
  options.shards = shards_;
  options.retention = weather_.retention;
  options.mailbox_max = weather_.mailbox_max;
  options.loaded_max = weather_.loaded_max;
  options.threads = false;
  options.seed = dice_.number() | 1;
  options.on_doubt = stop_on_doubt;
  options.events_keep = kForAsLongAsItTakes;
  options.events_remember = kForAsLongAsItTakes;
  auto engine = engine::Engine::open(
      {witness_, scene_.definitions, workers_, workers_, workers_, clock_, nullptr, &scene_.definitions}, options);
  require(engine.has_value(), "the engine cannot be opened");
  return *std::move(engine);
}

// Whoever lost the shards can write nothing more, and hears of it.
void World::meet_rival() {
  tell("a rival takes the shards");
  engine_->run_ready();
  const auto rival = open_engine();
  const uint64_t before = witness_.commits();
  try {
    const bool had_work = engine_->commit();
    require(!had_work, "an engine that lost its shards could commit");
  } catch (const Stopped& stopped) {
    require(stopped.error.code == "STORE_FENCED", "an engine lost its shards and says ", to_string(stopped.error));
  }
  require(witness_.commits() == before, "an engine that lost its shards has written");
}

void World::crash(const char* reason, Survival survival) {
  tell("crash: ", reason, ", ", static_cast<int>(survival));
  ++crashes_;
  disk_.lose_power();
  scene_.engine = nullptr;
  engine_.reset();
  workers_.forget();
  clients_.forget();
  senders_.forget();
  if (weather_.clock_back != 0) ledger_.forget_beats();
  store_.reset();
  disk_.restore_power(survival);
  clock_.advance(dice_.chance(100) ? dice_.duration(minutes(1), hours(5))
                                   : dice_.duration(milliseconds(1), seconds(3)));
  open();
}

void World::crash_somehow(const char* reason) {
  crash(reason, dice_.one_of({Survival::kAll, Survival::kSome, Survival::kSome, Survival::kNothing}));
}

// Whatever a clean stop leaves unsynced may be lost.
void World::stop_cleanly() {
  settle();
  tell("a clean stop");
  scene_.engine = nullptr;
  engine_.reset();
  workers_.forget();
  clients_.forget();
  senders_.forget();
  if (weather_.clock_back != 0) ledger_.forget_beats();
  store_.reset();
  disk_.lose_power();
  disk_.restore_power(Survival::kNothing);
  open();
}

// --- living

void World::step() {
  try {
    if (break_something()) return;
    move_on();
    if (full_for_ != 0 && --full_for_ == 0) disk_.set_capacity(std::nullopt);
  } catch (const Stopped& stopped) {
    require(has_fault_, "the engine stopped without a reason: ", to_string(stopped.error));
    return crash_somehow(stopped.error.code.c_str());
  }
  if (!disk_.has_power() && dice_.chance(500)) crash_somehow("the power is gone");
}

bool World::break_something() {
  if (dice_.chance(weather_.kill)) return crash("killed", Survival::kAll), true;
  if (dice_.chance(weather_.kill)) return crash_somehow("the power is lost"), true;
  if (dice_.chance(weather_.clean_stop) && disk_.has_power() && !has_fault_) return stop_cleanly(), true;
  if (dice_.chance(weather_.rival) && disk_.has_power() && !has_fault_ && full_for_ == 0) {
    meet_rival();
    return crash_somehow("after a rival"), true;
  }
  if (dice_.chance(weather_.power_loss)) disk_.lose_power_at(dice_.between(1, 40)), has_fault_ = true;
  if (dice_.chance(weather_.bad_sync)) disk_.fail_sync_at(dice_.between(1, 4)), has_fault_ = true;
  if (dice_.chance(weather_.bad_read)) disk_.fail_read_at(dice_.between(1, 10)), has_fault_ = true;
  if (dice_.chance(weather_.full)) {
    disk_.set_capacity(dice_.chance(500) ? 0 : disk_.used_bytes() + dice_.below(40'000));
    full_for_ = dice_.between(1, 40);
    scene_.may_be_full = true;
    tell("the disk is full");
  }
  if (dice_.chance(weather_.clock_forward)) clock_.set(dice_.duration(milliseconds(1), hours(2)));
  if (dice_.chance(weather_.clock_back)) clock_.set(-dice_.duration(milliseconds(1), hours(2)));
  return false;
}

void World::move_on() {
  const uint64_t choice = dice_.below(100);
  if (choice < 30)
    engine_->run_ready();
  else if (choice < 50)
    engine_->commit();
  else if (choice < 66)
    clients_.act();
  else if (choice < 72)
    senders_.act();
  else if (choice < 95)
    pass_time();
  else
    settle();
}

void World::settle() {
  while (engine_->run_ready() || engine_->commit()) {
  }
}

// When something happens by itself, by the time that really passes.
Timestamp World::next_event() const {
  const Timestamp wall = clock_.now();
  const Timestamp wake = witness_.durable().next_wake();
  const Timestamp due = wake > wall ? wake : std::max(engine_->next_timer(), wall);
  const Timestamp passed = due == kNever ? kNever : clock_.passed() + (due - wall);
  return std::min(passed, agenda_.next());
}

void World::pass_time() {
  const Timestamp next = next_event();
  if (next == kNever) return;
  const Duration whole = std::max(next - clock_.passed(), Duration(0));
  clock_.advance(dice_.chance(300) ? dice_.duration(Duration(0), whole) : whole);
  while (agenda_.run_one(clock_.passed())) {
  }
}

// --- the end

bool World::has_open_executions() const {
  return !witness_.durable()
              .list_executions({.definition = {}, .status = store::ExecutionStatus::kRunning, .before = {}, .limit = 1})
              .empty();
}

// Everybody answers what they were asked.
void World::finish_work() {
  workers_.answer_all();
  senders_.finish();
  const auto offers = workers_.offers();
  for (const auto& [key, offer] : offers) clients_.take(offer);
  settle();
  for (const auto& [token, input] : workers_.tokens()) {
    const auto history = read_history(witness_.durable(), token.execution);
    const auto* operation = history ? history->execution->find_operation(token.operation) : nullptr;
    if (operation != nullptr && operation->attempt == token.attempt) clients_.complete(token, input, true);
  }
}

void World::drain() {
  tell("drain");
  scene_.is_draining = true;
  const bool was_powerless = !disk_.has_power();
  disk_.heal();
  if (was_powerless || has_fault_) crash_somehow("before the end");
  for (uint64_t round = 0;; ++round) {
    require(round < kDrainRoundsMax, "executions go on for ever");
    settle();
    finish_work();
    settle();
    if (!has_open_executions() && senders_.are_all_taken()) break;
    if (!senders_.are_all_taken()) continue;  // refused, because too many came at once
    const Timestamp next = next_event();
    require(next != kNever, "executions are stuck");
    clock_.advance(std::max(next - clock_.passed(), Duration(0)));
    while (agenda_.run_one(clock_.passed())) {
    }
  }
  require(clients_.unanswered() == 0, clients_.unanswered(), " questions were never answered");
}

}  // namespace pawl::sim
