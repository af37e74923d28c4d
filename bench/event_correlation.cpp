// Correlation at scale, in one process: executions that each wait for an event with their own correlation value, on the
// durable engine, and events that each reach one of them.
//
//   event_correlation --waiting N --events M --data DIR [--shards S] [--shuffle] [--made]
//
// Where there are more events than waits, they come in rounds: waits are made anew for each, which is not counted. With
// --events 0 the waits are made and left; with --made they are there already, in a copy of that directory. Prints one
// line of JSON: how fast waits were made, events delivered (from the first that is handed in to the end of the last
// execution that it ended), and whether each arrived exactly once.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <semaphore>
#include <string>
#include <vector>

#include <sys/resource.h>

#include "base/random.h"
#include "engine/toy_borders.h"
#include "kernel/toy_program.h"
#include "store/sqlite/sqlite_store.h"

using namespace pawl;
using engine::Engine;
using json::Value;

namespace {

constexpr std::ptrdiff_t kInFlight = 2'000;  // starts or events that are not answered yet

struct Settings {
  size_t waiting = 10'000;
  size_t events = 10'000;
  std::string data;
  uint32_t shards = 1;
  bool shuffles = false;
  bool are_made = false;  // the waits, by an earlier call
};

class Waiters final : public engine::Programs {
 public:
  Waiters() {
    auto program = std::make_shared<kernel::ToyProgram>(kernel::kAwaitEvent);
    program->wait = std::chrono::hours(24);
    program_ = std::move(program);
  }
  std::shared_ptr<const kernel::Program> find(engine::DefinitionId) override { return program_; }
  std::string family_of(engine::DefinitionId) override { return "waiters"; }

 private:
  std::shared_ptr<const kernel::Program> program_;
};

std::string name_of(size_t toy) { return "toy-" + std::to_string(toy); }

Value event_for(size_t toy) {
  json::ObjectBuilder event(6);
  event.set("specversion", Value::string("1.0"));
  event.set("id", Value::string("moved-" + std::to_string(toy)));
  event.set("source", Value::string("toys"));
  event.set("type", Value::string("toy.moved"));
  event.set("toy", Value::string(name_of(toy)));
  event.set("data", Value::empty_object().with_member("x", Value::integer(static_cast<int64_t>(toy))));
  return event.build();
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// Of the whole process, so far.
double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

class Bench {
 public:
  explicit Bench(const Settings& settings) : settings_(settings), ended_(std::max(settings.waiting, settings.events)) {
    store_ = store::SqliteStore::open(settings.data).value();
    engine::EngineOptions options;
    options.shards = settings.shards;
    options.mailbox_max = 2 * kInFlight;
    options.on_closed = [this](const engine::Closed& closed) { note(closed.outcome); };
    engine_ = Engine::open({*store_, waiters_, tasks_, offers_, tokens_, clock_}, options).value();
  }

  // Of a round of so many waits; gives how many a second.
  double make_waits(size_t round = 0) {
    const auto begin = std::chrono::steady_clock::now();
    const size_t first = round * settings_.waiting;
    for (size_t toy = first; toy < first + settings_.waiting; ++toy) {
      room_.acquire();
      engine::StartRequest request = engine::request_of(engine::DefinitionId(1));
      request.correlation = Value::empty_object().with_member("toy", Value::string(name_of(toy)));
      engine_->start(std::move(request), [this](const Result<engine::Started>&) { room_.release(); });
    }
    drain();
    return static_cast<double>(settings_.waiting) / seconds_since(begin);
  }

  size_t rounds() const { return std::max<size_t>(1, settings_.events / settings_.waiting); }

  // Evenly over those that wait; gives the seconds.
  double deliver(size_t round) {
    const size_t count = settings_.events / rounds();
    std::vector<size_t> toys;
    for (size_t i = 0; i < count; ++i) toys.push_back(round * settings_.waiting + i * settings_.waiting / count);
    SeededRandom random(1);
    for (size_t i = toys.size(); settings_.shuffles && i > 1; --i) std::swap(toys[i - 1], toys[random.next() % i]);
    const auto begin = std::chrono::steady_clock::now();
    for (const size_t toy : toys) {
      room_.acquire();
      engine_->publish(event_for(toy), [this](const Result<engine::Published>& published) {
        if (!published || published->is_duplicate) ++refused_;
        room_.release();
      });
    }
    drain();
    while (closed_.load() < (round + 1) * count && seconds_since(begin) < 600) std::this_thread::yield();
    return seconds_since(begin);
  }

  bool reached_each_once() const {
    size_t once = 0;
    for (const std::atomic<uint8_t>& count : ended_) {
      if (count.load() > 1) return false;
      once += count.load();
    }
    return once == settings_.events && refused_.load() == 0;
  }

 private:
  void drain() {
    for (std::ptrdiff_t i = 0; i < kInFlight; ++i) room_.acquire();
    room_.release(kInFlight);
  }
  void note(const Value& outcome) {
    const Value* event = outcome.find("event");
    const Value* data = event == nullptr ? nullptr : event->find("data");
    if (data == nullptr) return;
    ++ended_[static_cast<size_t>(data->find("x")->as_integer().value_or(0))];
    ++closed_;
  }

  const Settings settings_;
  std::vector<std::atomic<uint8_t>> ended_;
  std::atomic<size_t> closed_{0};
  std::atomic<size_t> refused_{0};
  std::counting_semaphore<kInFlight> room_{kInFlight};
  std::unique_ptr<store::SqliteStore> store_;
  Waiters waiters_;
  engine::NoTasks tasks_;
  engine::Offers offers_;
  engine::ToyTokens tokens_;
  SystemClock clock_;
  std::unique_ptr<Engine> engine_;
};

Settings read_settings(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    if (name == "--shuffle" || name == "--made") {
      (name == "--made" ? settings.are_made : settings.shuffles) = true;
      continue;
    }
    ++i;
    if (name == "--waiting") settings.waiting = std::strtoull(value, nullptr, 10);
    if (name == "--events") settings.events = std::strtoull(value, nullptr, 10);
    if (name == "--shards") settings.shards = static_cast<uint32_t>(std::strtoul(value, nullptr, 10));
    if (name == "--data") settings.data = value;
  }
  return settings;
}

}  // namespace

int main(int argc, char** argv) {
  const Settings settings = read_settings(argc, argv);
  if (settings.data.empty() || settings.waiting == 0 ||
      (settings.events > settings.waiting && settings.events % settings.waiting != 0)) {
    std::fputs("usage: event_correlation --waiting N --events M --data DIR [--shards S] [--shuffle] [--made]\n",
               stderr);
    return 2;
  }
  Bench bench(settings);
  const double made = settings.are_made ? 0 : bench.make_waits();
  if (settings.events == 0) return 0;
  double seconds = 0;
  double cpu = 0;
  for (size_t round = 0; round < bench.rounds(); ++round) {
    if (round > 0) bench.make_waits(round);
    const double cpu_before = cpu_seconds();
    seconds += bench.deliver(round);
    cpu += cpu_seconds() - cpu_before;
  }
  const auto events = static_cast<double>(settings.events);
  const bool is_exact = bench.reached_each_once();
  std::printf(
      "{\"waiting\":%zu,\"events\":%zu,\"waits_per_s\":%.0f,\"rate\":%.0f,\"cpu_us\":%.1f,\"exactly_once\":%s}\n",
      settings.waiting, settings.events, made, events / seconds, cpu * 1e6 / events, is_exact ? "true" : "false");
  return is_exact ? 0 : 1;
}
