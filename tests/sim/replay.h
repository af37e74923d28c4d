// Decides a stored history anew: from the signals that its facts tell of, at their times, the same facts must follow.
#pragma once

#include <functional>
#include <string>

#include "kernel/program.h"
#include "sim/history.h"

namespace pawl::sim {

using MintToken = std::function<std::string(OperationId operation, uint32_t attempt)>;

// Only for histories that no clock set back had a part in: the times of their facts are then the clock's.
void check_replay(const History& history, const kernel::Program& program, const kernel::Limits& limits,
                  const MintToken& mint);

}  // namespace pawl::sim
