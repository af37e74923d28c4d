// Snapshots of executions to bytes and back. The grammar stands in snapshot_codec.cpp.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "kernel/execution.h"

namespace pawl::store {

std::string encode_snapshot(const kernel::Execution& execution);

// Null where the bytes are damaged or of another version: the facts say the same.
std::unique_ptr<kernel::Execution> decode_snapshot(std::string_view body);

}  // namespace pawl::store
