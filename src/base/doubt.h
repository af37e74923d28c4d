// What is done when nobody can know what is true any more: a failed sync, a broken checksum, another owner.
#pragma once

#include <functional>

#include "base/result.h"

namespace pawl {

// Must not return: whoever calls it has nothing right to go on with. Tests throw.
using OnDoubt = std::function<void(const Error&)>;

// Says so on stderr and ends the process at once, without writing anything more.
[[noreturn]] void stop_the_process(const Error& error);

}  // namespace pawl
