// The updates that the code of a durable function sends in a checkpoint.
//
// A batch is read, checked against the ledger as a whole, and only then recorded: it counts entirely or not at all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "kernel/ledger.h"

namespace pawl::functions {

using json::Value;
using kernel::EntryType;

enum class Action : uint8_t { kStart, kSucceed, kFail, kRetry, kCancel };

struct Update {
  std::string id;
  EntryType type = EntryType::kStep;
  Action action = Action::kStart;
  Value parent;  // null where it has none; so are the others
  Value name;
  Value sub_type;
  Value payload;
  Value error;
  Value replays_children;          // of a context
  uint32_t seconds = 0;            // until the next attempt, the end of a wait, the timeout of a callback (0: none)
  uint32_t heartbeat_seconds = 0;  // of a callback; 0: none
  Value function;                  // of a chained call
  Value tenant;
};

// How many bytes may be sent, and how many entries there may be.
struct Bounds {
  size_t result_bytes_max = 262'144;
  size_t call_bytes_max = 1'048'576;       // input of a chained call
  size_t execution_bytes_max = 6'291'456;  // result of the whole execution
  size_t error_bytes_max = 262'144;
  size_t operations_max = 0;  // 0: no limit
};

// Errors have AWS's names as codes: ValidationException where a member is not of its shape,
// InvalidParameterValueException where it makes no sense.
// Whether it may name a tenant.
bool is_tenant(std::string_view text);

// What is wrong with an ErrorObject of the API; nothing where its members are texts, and its trace is a list of texts.
struct WrongMember {
  std::string_view member;
  std::string_view constraint;
};
std::optional<WrongMember> find_wrong_member(const Value& error);

Result<std::vector<Update>> read_updates(const Value& updates, const Bounds& bounds);
Result<void> check_updates(const std::vector<Update>& updates, const kernel::Ledger* ledger, const Bounds& bounds);

// How an entry stands once it was recorded.
kernel::EntryStatus status_after(Action action);

std::string_view name_of(EntryType type);              // "STEP"
std::string_view name_of(kernel::EntryStatus status);  // "STARTED"

}  // namespace pawl::functions
