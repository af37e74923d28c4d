#include "lang/durable/update.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "json/print.h"

namespace pawl::functions {

using kernel::Entry;
using kernel::EntryStatus;

namespace {

constexpr size_t kIdBytesMax = 64;
constexpr size_t kNameBytesMax = 256;
constexpr size_t kSubTypeBytesMax = 32;
constexpr size_t kFunctionBytesMax = 256;
constexpr size_t kTenantBytesMax = 256;
constexpr int64_t kWaitSecondsMax = 31'622'400;
constexpr int64_t kCallbackSecondsMax = 99'999'999;

constexpr std::array<std::pair<std::string_view, EntryType>, 6> kTypes = {{{"EXECUTION", EntryType::kVerdict},
                                                                           {"CONTEXT", EntryType::kContext},
                                                                           {"STEP", EntryType::kStep},
                                                                           {"WAIT", EntryType::kWait},
                                                                           {"CALLBACK", EntryType::kCallback},
                                                                           {"CHAINED_INVOKE", EntryType::kInvoke}}};
constexpr std::array<std::pair<std::string_view, Action>, 5> kActions = {{{"START", Action::kStart},
                                                                          {"SUCCEED", Action::kSucceed},
                                                                          {"FAIL", Action::kFail},
                                                                          {"RETRY", Action::kRetry},
                                                                          {"CANCEL", Action::kCancel}}};

std::unexpected<Error> invalid(std::string what) { return fail("InvalidParameterValueException", std::move(what)); }

bool is_id_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}
bool is_printable(char c) { return c >= 0x20 && c <= 0x7E; }
bool is_tenant_character(char c) { return is_id_character(c) || std::string_view("._:/=+@ ").contains(c); }

// --- shapes

// Reads the members of one update; the first that is not of its shape is the error of all.
class Reader {
 public:
  Reader(const Value& update, size_t index) : update_(update), index_(index) {
    if (!update.is_object()) refuse("", "Member must be a structure");
  }

  template <typename Enum, size_t kCount>
  Enum one_of(std::string_view member, const std::array<std::pair<std::string_view, Enum>, kCount>& names) {
    const Value* found = update_.find(member);
    if (found == nullptr || !found->is_string()) {
      refuse(member, "Member must not be null");
      return names[0].second;
    }
    const auto at = std::ranges::find(names, found->as_string(), [](const auto& entry) { return entry.first; });
    if (at != names.end()) return at->second;
    refuse(member, "Member must satisfy enum value set");
    return names[0].second;
  }

  Value text(std::string_view member, size_t bytes_max, bool (*allows)(char), bool is_required = false) {
    const Value* found = update_.find(member);
    const bool is_there = found != nullptr && !found->is_null();
    if (!is_there && is_required) refuse(member, "Member must not be null");
    return is_there ? checked_text(member, *found, bytes_max, allows) : Value();
  }

  Value option_text(std::string_view structure, std::string_view member, size_t bytes_max, bool (*allows)(char)) {
    const Value found = option(structure, member);
    return found.is_null() ? Value() : checked_text(member, found, bytes_max, allows);
  }

  Value payload() {
    const Value* found = update_.find("Payload");
    if (found == nullptr || found->is_null()) return {};
    return found->is_string() ? *found : refuse("Payload", "Member must be a string");
  }

  Value error() {
    const Value* found = update_.find("Error");
    if (found == nullptr || found->is_null()) return {};
    if (!found->is_object()) return refuse("Error", "Member must be a structure");
    const auto wrong = find_wrong_member(*found);
    return wrong ? refuse("Error." + std::string(wrong->member), std::string(wrong->constraint)) : *found;
  }

  // A member of one of the structures with options; null where it is not there.
  Value option(std::string_view structure, std::string_view member) {
    const Value* options = update_.find(structure);
    const Value* found = options == nullptr ? nullptr : options->find(member);
    return found == nullptr ? Value() : *found;
  }

  uint32_t seconds(std::string_view structure, std::string_view member, int64_t least, int64_t most) {
    const Value found = option(structure, member);
    if (found.is_null()) return 0;
    const auto count = found.is_number() ? found.as_integer() : std::nullopt;
    if (count && *count >= least && *count <= most) return static_cast<uint32_t>(*count);
    const bool is_more = count && *count > most;
    refuse(member, is_more ? "Member must have value less than or equal to " + std::to_string(most)
                           : "Member must have value greater than or equal to " + std::to_string(least));
    return 0;
  }

  const std::optional<Error>& problem() const { return problem_; }

 private:
  Value checked_text(std::string_view member, const Value& given, size_t bytes_max, bool (*allows)(char)) {
    if (!given.is_string()) return refuse(member, "Member must be a string");
    const std::string_view text = given.as_string();
    if (text.empty()) return refuse(member, "Member must have length greater than or equal to 1");
    if (text.size() > bytes_max)
      return refuse(member, "Member must have length less than or equal to " + std::to_string(bytes_max));
    if (!std::ranges::all_of(text, allows)) return refuse(member, "Member must satisfy regular expression pattern");
    return given;
  }

  Value refuse(std::string_view member, const std::string& constraint) {
    if (problem_) return {};
    const std::string place =
        "updates." + std::to_string(index_ + 1) + ".member" + (member.empty() ? "" : "." + std::string(member));
    problem_ =
        Error{"ValidationException",
              {},
              "1 validation error detected: Value at '" + place + "' failed to satisfy constraint: " + constraint,
              {}};
    return {};
  }

  const Value& update_;
  size_t index_;
  std::optional<Error> problem_;
};

Result<Update> read_update(const Value& value, size_t index) {
  Reader reader(value, index);
  if (reader.problem()) return std::unexpected(*reader.problem());
  Update update;
  const Value id = reader.text("Id", kIdBytesMax, is_id_character, true);
  update.type = reader.one_of("Type", kTypes);
  update.action = reader.one_of("Action", kActions);
  update.parent = reader.text("ParentId", kIdBytesMax, is_id_character);
  update.name = reader.text("Name", kNameBytesMax, is_printable);
  update.sub_type = reader.text("SubType", kSubTypeBytesMax, is_id_character);
  update.payload = reader.payload();
  update.error = reader.error();
  update.replays_children = reader.option("ContextOptions", "ReplayChildren");
  if (update.type == EntryType::kStep)
    update.seconds = reader.seconds("StepOptions", "NextAttemptDelaySeconds", 1, kWaitSecondsMax);
  if (update.type == EntryType::kWait)
    update.seconds = reader.seconds("WaitOptions", "WaitSeconds", 1, kWaitSecondsMax);
  if (update.type == EntryType::kCallback) {
    update.seconds = reader.seconds("CallbackOptions", "TimeoutSeconds", 0, kCallbackSecondsMax);
    update.heartbeat_seconds = reader.seconds("CallbackOptions", "HeartbeatTimeoutSeconds", 0, kCallbackSecondsMax);
  }
  update.function = reader.option_text("ChainedInvokeOptions", "FunctionName", kFunctionBytesMax, is_printable);
  update.tenant = reader.option_text("ChainedInvokeOptions", "TenantId", kTenantBytesMax, is_tenant_character);
  if (reader.problem()) return std::unexpected(*reader.problem());
  update.id = update.type == EntryType::kVerdict ? std::string() : std::string(id.as_string());
  return update;
}

// --- sizes

Result<void> check_size(const Value& text, size_t bytes_max, std::string_view what) {
  const size_t bytes = text.is_string() ? text.as_string().size() : text.json_size();
  if (text.is_null() || bytes <= bytes_max) return {};
  return invalid(std::string(what) + " size must be less than or equal to " + std::to_string(bytes_max) + " bytes.");
}

Result<void> check_sizes(const Update& update, const Bounds& bounds) {
  const std::string type(name_of(update.type));
  if (auto checked = check_size(update.error, bounds.error_bytes_max, "Error object"); !checked) return checked;
  if (update.type == EntryType::kVerdict)
    return check_size(update.payload, bounds.execution_bytes_max, type + " output payload");
  if (update.type == EntryType::kInvoke)
    return check_size(update.payload, bounds.call_bytes_max, type + " input payload");
  return check_size(update.payload, bounds.result_bytes_max, type + " output payload");
}

}  // namespace

bool is_tenant(std::string_view text) {
  return !text.empty() && text.size() <= kTenantBytesMax && std::ranges::all_of(text, is_tenant_character);
}

std::optional<WrongMember> find_wrong_member(const Value& error) {
  for (const std::string_view name : {"ErrorMessage", "ErrorType", "ErrorData"})
    if (const Value* given = error.find(name); given != nullptr && !given->is_null() && !given->is_string())
      return WrongMember{name, "Member must be a string"};
  const Value* trace = error.find("StackTrace");
  const bool has_trace = trace != nullptr && !trace->is_null();
  if (has_trace && (!trace->is_array() || !std::ranges::all_of(trace->items(), &Value::is_string)))
    return WrongMember{"StackTrace", "Member must be a list of strings"};
  return std::nullopt;
}

Result<std::vector<Update>> read_updates(const Value& updates, const Bounds& bounds) {
  std::vector<Update> read;
  if (updates.is_null()) return read;
  if (!updates.is_array())
    return fail("ValidationException", "1 validation error detected: Value at 'updates' must be a list.");
  for (size_t i = 0; i < updates.size(); ++i) {
    PAWL_TRY(Update update, read_update(updates.at(i), i));
    if (auto checked = check_sizes(update, bounds); !checked) return std::unexpected(checked.error());
    read.push_back(std::move(update));
  }
  return read;
}

// --- sense

namespace {

bool may(EntryType type, Action action) {
  switch (type) {
    case EntryType::kStep:
      return action != Action::kCancel;
    case EntryType::kContext:
      return action == Action::kStart || action == Action::kSucceed || action == Action::kFail;
    case EntryType::kWait:
      return action == Action::kStart || action == Action::kCancel;
    case EntryType::kCallback:
    case EntryType::kInvoke:
      return action == Action::kStart;
    case EntryType::kVerdict:
      return action == Action::kSucceed || action == Action::kFail;
  }
  return false;
}

// What goes with an action, whatever the entry is.
Result<void> check_members(const Update& update) {
  const std::string type(name_of(update.type));
  if (!may(update.type, update.action)) return invalid("Invalid action for a " + type + " operation.");
  if (update.action == Action::kSucceed && !update.error.is_null())
    return invalid("Cannot provide an Error for SUCCEED action.");
  if (update.action == Action::kFail && !update.payload.is_null())
    return invalid("Cannot provide a Payload for FAIL action.");
  if (update.action == Action::kRetry && !update.error.is_null() && !update.payload.is_null())
    return invalid("Cannot provide both error and payload to RETRY a STEP operation.");
  if (update.action == Action::kRetry && update.seconds == 0)
    return invalid("Invalid StepOptions for the given action.");
  if (update.type == EntryType::kWait && update.action == Action::kStart && update.seconds == 0)
    return invalid("Invalid WaitOptions for the given action.");
  if (update.type == EntryType::kInvoke && !update.function.is_string())
    return invalid("ChainedInvokeOptions are required for CHAINED_INVOKE operations.");
  return {};
}

// The ledger as it will be after the updates that were looked at.
class Preview {
 public:
  Preview(const kernel::Ledger* ledger, const Bounds& bounds)
      : ledger_(ledger), count_(ledger == nullptr ? 0 : ledger->entries().size()), bounds_(bounds) {}

  Result<void> take(const Update& update) {
    if (is_over_) return invalid("EXECUTION update must be the last update.");
    if (auto checked = check_members(update); !checked) return checked;
    if (update.type == EntryType::kVerdict) {
      is_over_ = true;
      return {};
    }
    if (auto checked = check_once(update); !checked) return checked;
    if (auto checked = check_entry(update); !checked) return checked;
    if (auto checked = check_parent(update); !checked) return checked;
    return record(update);
  }

 private:
  struct Known {
    EntryType type;
    EntryStatus status;
  };

  const Entry* stored(std::string_view id) const { return ledger_ == nullptr ? nullptr : ledger_->find(id); }
  std::optional<Known> find(const std::string& id) const {
    if (const auto found = changed_.find(id); found != changed_.end()) return found->second;
    const Entry* entry = stored(id);
    return entry == nullptr ? std::nullopt : std::optional(Known{entry->type, entry->status});
  }

  // A step and a context may be started and closed in one batch.
  Result<void> check_once(const Update& update) {
    const int so_far = seen_[update.id]++;
    const bool is_pair = update.type == EntryType::kStep || update.type == EntryType::kContext;
    if (so_far == 0) {
      started_here_[update.id] = update.action == Action::kStart;
      return {};
    }
    if (so_far == 1 && is_pair && started_here_[update.id] && update.action != Action::kStart) return {};
    return invalid("Cannot update the same operation twice in a single request.");
  }

  Result<void> check_entry(const Update& update) {
    const auto known = find(update.id);
    if (!known) return update.action == Action::kCancel ? cannot(update) : Result<void>();
    if (known->type != update.type) return invalid("Inconsistent operation type.");
    if (const Entry* entry = stored(update.id)) {
      const bool is_renamed = !update.name.is_null() && !entry->name.is_null() && entry->name != update.name;
      const bool is_resorted =
          !update.sub_type.is_null() && !entry->sub_type.is_null() && entry->sub_type != update.sub_type;
      if (is_renamed) return invalid("Inconsistent operation name.");
      if (is_resorted) return invalid("Inconsistent operation subtype.");
      if (entry->parent != update.parent) return invalid("Inconsistent parent operation id.");
    }
    const bool may_start = update.type == EntryType::kStep && known->status == EntryStatus::kReady;
    const bool may_close = known->status == EntryStatus::kStarted || known->status == EntryStatus::kReady;
    const bool fits = update.action == Action::kStart ? may_start : may_close;
    return fits ? Result<void>() : cannot(update);
  }

  static Result<void> cannot(const Update& update) {
    const std::string type(name_of(update.type));
    if (update.action == Action::kStart) return invalid("Cannot start a " + type + " operation that already exist.");
    return invalid("Invalid current " + type + " state to close.");
  }

  Result<void> check_parent(const Update& update) {
    if (!update.parent.is_string()) return {};
    const auto parent = find(std::string(update.parent.as_string()));
    if (!parent || parent->type != EntryType::kContext) return invalid("Invalid parent operation id.");
    return {};
  }

  Result<void> record(const Update& update) {
    const bool is_new = !find(update.id);
    if (is_new && bounds_.operations_max != 0 && ++count_ > bounds_.operations_max)
      return fail("ServiceQuotaExceededException", "The execution has too many operations: " +
                                                       std::to_string(bounds_.operations_max) + " is the limit.");
    changed_[update.id] = {update.type, status_after(update.action)};
    return {};
  }

  const kernel::Ledger* ledger_;
  size_t count_;
  const Bounds& bounds_;
  std::unordered_map<std::string, Known> changed_;
  std::unordered_map<std::string, int> seen_;
  std::unordered_map<std::string, bool> started_here_;
  bool is_over_ = false;
};

}  // namespace

Result<void> check_updates(const std::vector<Update>& updates, const kernel::Ledger* ledger, const Bounds& bounds) {
  Preview preview(ledger, bounds);
  for (const Update& update : updates)
    if (auto taken = preview.take(update); !taken) return taken;
  return {};
}

EntryStatus status_after(Action action) {
  switch (action) {
    case Action::kStart:
      return EntryStatus::kStarted;
    case Action::kSucceed:
      return EntryStatus::kSucceeded;
    case Action::kFail:
      return EntryStatus::kFailed;
    case Action::kRetry:
      return EntryStatus::kPending;
    case Action::kCancel:
      return EntryStatus::kCancelled;
  }
  return EntryStatus::kFailed;
}

std::string_view name_of(EntryType type) {
  for (const auto& [name, known] : kTypes)
    if (known == type) return name;
  return "UNKNOWN";
}

std::string_view name_of(EntryStatus status) {
  constexpr std::array<std::string_view, 9> kNames = {"UNKNOWN", "STARTED",   "PENDING",   "READY",  "SUCCEEDED",
                                                      "FAILED",  "CANCELLED", "TIMED_OUT", "STOPPED"};
  return kNames[static_cast<size_t>(status)];
}

}  // namespace pawl::functions
