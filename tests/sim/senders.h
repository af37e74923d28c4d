// Who sends events into a simulated world: each is sent until it is acknowledged, with the same id, and then counts
// once.
#pragma once

#include <map>
#include <string>

#include "sim/ledger.h"
#include "sim/scene.h"

namespace pawl::sim {

class Senders {
 public:
  Senders(Scene& scene, Ledger& ledger) : scene_(scene), ledger_(ledger) {}

  // One of them sends something, new or again.
  void act();
  // All trouble is over: whatever was not acknowledged is sent again, and whoever waits for a poke and was sent none is
  // poked.
  void finish();
  // The engine is gone, with every answer that it owed.
  void forget();
  bool are_all_taken() const;

  // Each event that starts something has done so once.
  void check_starts() const;

 private:
  struct Sent {
    Value event;
    bool is_out = false;  // not answered yet
    bool is_taken = false;
  };

  void send(const std::string& id);
  void send_new(const std::string& type, const std::string& attribute, const std::string& value);
  void poke(ExecutionId listener, const std::string& key);
  ExecutionId some_listener() const;
  std::string key_of(ExecutionId listener) const;

  Scene& scene_;
  Ledger& ledger_;
  std::map<std::string, Sent> sent_;             // by id
  std::map<ExecutionId, Timestamp> last_pokes_;  // by listener
  uint64_t last_ = 0;
  uint64_t incarnation_ = 0;
};

}  // namespace pawl::sim
