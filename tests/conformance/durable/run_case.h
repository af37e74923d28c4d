// The two ways to run a case: in this process against the SDK's own service, or on a server.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "match.h"

namespace pawl::conformance {

// Cases may be run on several threads at once.
class Stage {
 public:
  virtual ~Stage() = default;
  // Errors: DURABLE_CASE_STUCK, and what kept the case from being run at all.
  virtual Result<Observed> run(const DurableCase& one, const Bindings& bindings) = 0;
  // Why the case cannot be run here; empty where it can.
  virtual std::string left_out(const DurableCase& one) const = 0;
};

// Time is skipped. What needs a process that ends is left out.
std::unique_ptr<Stage> local_stage();

struct ServerPlace {
  std::string url;      // of a server that has the functions already; empty: one is started
  std::string command;  // `pawl`
  std::string worker;   // the program that serves the cases
};

// Starts the server with all functions, in a directory of its own; both are gone afterwards. Errors: those of starting.
Result<std::unique_ptr<Stage>> server_stage(const ServerPlace& place);

// Null for what has no handler; the functions that cases invoke are found as well.
const durable::Handler* handler_of(const std::string& id);

}  // namespace pawl::conformance
