#include "kernel/ledger.h"

#include <utility>

#include "base/assert.h"
#include "json/members.h"

namespace pawl::kernel {

namespace {

EntryStatus status_after(const Entry& entry, Outcome outcome) {
  switch (outcome) {
    case Outcome::kSucceeded:
      return entry.type == EntryType::kStep ? EntryStatus::kReady : EntryStatus::kSucceeded;
    case Outcome::kFailed:
      return EntryStatus::kFailed;
    case Outcome::kTimedOut:
    case Outcome::kHeartbeatTimedOut:
      return entry.type == EntryType::kWait ? EntryStatus::kSucceeded : EntryStatus::kTimedOut;
    case Outcome::kAborted:
      return EntryStatus::kStopped;
  }
  return EntryStatus::kFailed;
}

}  // namespace

const Entry* Ledger::find(std::string_view id) const {
  const auto found = by_id_.find(std::string(id));
  return found == by_id_.end() ? nullptr : entries_[found->second].get();
}

const Entry* Ledger::find_waiting(OperationId operation) const {
  const auto found = waiting_.find(operation);
  return found == waiting_.end() ? nullptr : entries_[found->second].get();
}

// --- evolving

Entry& Ledger::open(const Fact& fact) {
  const auto index = static_cast<uint32_t>(entries_.size());
  auto entry = std::make_unique<Entry>();
  entry->id = fact.value.find("id")->as_string();
  entry->type = static_cast<EntryType>(fact.value.find("type")->as_integer().value_or(0));
  entry->parent = json::value_at(fact.value, "parent");
  entry->name = json::value_at(fact.value, "name");
  entry->sub_type = json::value_at(fact.value, "subType");
  entry->started = fact.time;
  if (entry->parent.is_string())
    if (Entry* parent = mutable_entry(entry->parent.as_string())) parent->children.push_back(index);
  by_id_[entry->id] = index;
  entries_.push_back(std::move(entry));
  return *entries_.back();
}

// An object describes a new entry; a string names one that is there.
void Ledger::change(const Fact& fact) {
  Entry* entry = fact.value.is_string() ? mutable_entry(fact.value.as_string()) : &open(fact);
  PAWL_ASSERT(entry != nullptr);
  entry->status = static_cast<EntryStatus>(fact.number);
  entry->attempts = fact.limit;
  entry->due = fact.due;
  entry->result = json::value_at(fact.extra, "result");
  entry->error = json::value_at(fact.extra, "error");
  if (const Value* token = fact.extra.find("token")) entry->token = *token;
  if (const Value* keeps = fact.extra.find("keepsChildren")) entry->keeps_children = keeps->as_boolean();
  count_change(*entry);
  if (is_closed(entry->status)) close(*entry, fact.time);
}

void Ledger::close(Entry& entry, Timestamp time) {
  entry.ended = time;
  if (entry.operation) {
    waiting_.erase(entry.operation);
    abandoned_.push_back(std::exchange(entry.operation, {}));
  }
  if (entry.type != EntryType::kContext || entry.keeps_children) return;
  for (const uint32_t child : std::exchange(entry.children, {})) drop(child);
}

// With all that is below it. Not by recursion: how deep contexts lie in each other is up to the code.
void Ledger::drop(uint32_t index) {
  std::vector<uint32_t> left = {index};
  while (!left.empty()) {
    const std::unique_ptr<Entry> entry = std::move(entries_[left.back()]);
    left.pop_back();
    if (entry == nullptr) continue;
    by_id_.erase(entry->id);
    if (entry->operation) {
      waiting_.erase(entry->operation);
      abandoned_.push_back(entry->operation);
    }
    left.insert(left.end(), entry->children.begin(), entry->children.end());
  }
}

void Ledger::take_checkpoint(const Fact& fact, FactSeq seq) {
  sequence_ = fact.number;
  last_client_ = json::value_at(fact.value, "client");
  last_digest_ = json::value_at(fact.value, "digest");
  last_checkpoint_ = seq;
  seen_before_ = delivered_;
  delivered_ = changes_;
}

void Ledger::begin_invocation() {
  seen_before_ = delivered_;
  delivered_ = changes_;
}

void Ledger::wait_for(const Value& id, OperationId operation) {
  Entry* entry = mutable_entry(id.as_string());
  PAWL_ASSERT(entry != nullptr);
  entry->operation = operation;
  waiting_[operation] = by_id_.at(entry->id);
}

void Ledger::end(const Entry& waiting, const Fact& fact) {
  Entry& entry = *mutable_entry(waiting.id);
  waiting_.erase(std::exchange(entry.operation, {}));
  entry.status = status_after(entry, fact.outcome);
  entry.missed_heartbeat = fact.outcome == Outcome::kHeartbeatTimedOut;
  if (entry.type == EntryType::kCallback || entry.type == EntryType::kInvoke)
    (fact.outcome == Outcome::kSucceeded ? entry.result : entry.error) = fact.value;
  if (entry.status == EntryStatus::kReady) entry.due = kNever;
  count_change(entry);
  if (is_closed(entry.status)) close(entry, fact.time);
}

// --- as one value

namespace {

Value number(uint64_t value) { return Value::integer(static_cast<int64_t>(value)); }
Value time_value(Timestamp time) { return Value::integer(time.time_since_epoch().count()); }

Value dump_entry(const Entry& entry, size_t index) {
  json::ArrayBuilder out(20);
  out.push(number(index));
  out.push(Value::string(entry.id));
  out.push(number(static_cast<uint64_t>(entry.type)));
  out.push(number(static_cast<uint64_t>(entry.status)));
  for (const Value* value : {&entry.parent, &entry.name, &entry.sub_type, &entry.token, &entry.result, &entry.error})
    out.push(*value);
  for (const Timestamp time : {entry.started, entry.ended, entry.due}) out.push(time_value(time));
  out.push(number(entry.attempts));
  out.push(Value::boolean(entry.keeps_children));
  out.push(Value::boolean(entry.missed_heartbeat));
  out.push(number(entry.operation.number));
  out.push(number(entry.changed));
  json::ArrayBuilder children(entry.children.size());
  for (const uint32_t child : entry.children) children.push(number(child));
  out.push(children.build());
  return out.build();
}

constexpr size_t kDumpedFields = 19;
constexpr size_t kFirstValue = 4;
constexpr size_t kFirstTime = 10;
constexpr size_t kFirstCount = 13;
constexpr uint64_t kEntriesMax = 1 << 26;  // what a damaged snapshot may ask for

// Of a part that must be an integer; below zero where it is none.
int64_t integer_at(const Value& parts, size_t index) { return parts.at(index).as_integer().value_or(-1); }

template <typename Enum>
bool is_one_of(int64_t number, Enum first, Enum last) {
  return number >= static_cast<int64_t>(first) && number <= static_cast<int64_t>(last);
}

bool has_shape(const Value& parts) {
  if (!parts.is_array() || parts.size() != kDumpedFields) return false;
  for (const size_t index : {size_t{0}, size_t{2}, size_t{3}, kFirstTime, kFirstTime + 1, kFirstTime + 2, kFirstCount,
                             kFirstCount + 3, kFirstCount + 4})
    if (!parts.at(index).is_int64()) return false;
  if (!is_one_of(integer_at(parts, 2), EntryType::kContext, EntryType::kVerdict)) return false;
  if (!is_one_of(integer_at(parts, 3), EntryStatus::kStarted, EntryStatus::kStopped)) return false;
  return parts.at(1).is_string() && parts.at(kFirstCount + 1).is_boolean() && parts.at(kFirstCount + 2).is_boolean() &&
         parts.at(kFirstCount + 5).is_array();
}

}  // namespace

Value Ledger::dump() const {
  json::ArrayBuilder entries;
  for (size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i] != nullptr) entries.push(dump_entry(*entries_[i], i));
  json::ArrayBuilder out(9);
  for (const uint64_t count : {uint64_t{entries_.size()}, changes_, delivered_, seen_before_, uint64_t{sequence_},
                               uint64_t{last_checkpoint_.number}})
    out.push(number(count));
  out.push(last_client_);
  out.push(last_digest_);
  out.push(entries.build());
  return out.build();
}

bool Ledger::restore_entry(const Value& dumped) {
  if (!has_shape(dumped)) return false;
  const auto index = static_cast<uint64_t>(integer_at(dumped, 0));
  if (index >= entries_.size()) return false;
  auto entry = std::make_unique<Entry>();
  entry->id = dumped.at(1).as_string();
  entry->type = static_cast<EntryType>(integer_at(dumped, 2));
  entry->status = static_cast<EntryStatus>(integer_at(dumped, 3));
  Value* const values[] = {&entry->parent, &entry->name,   &entry->sub_type,
                           &entry->token,  &entry->result, &entry->error};
  for (size_t i = 0; i < std::size(values); ++i) *values[i] = dumped.at(kFirstValue + i);
  Timestamp* const times[] = {&entry->started, &entry->ended, &entry->due};
  for (size_t i = 0; i < std::size(times); ++i)
    *times[i] = Timestamp(Duration(*dumped.at(kFirstTime + i).as_integer()));
  entry->attempts = static_cast<uint32_t>(integer_at(dumped, kFirstCount));
  entry->keeps_children = dumped.at(kFirstCount + 1).as_boolean();
  entry->missed_heartbeat = dumped.at(kFirstCount + 2).as_boolean();
  entry->operation = OperationId(static_cast<uint32_t>(integer_at(dumped, kFirstCount + 3)));
  entry->changed = static_cast<uint64_t>(integer_at(dumped, kFirstCount + 4));
  for (const Value& child : dumped.at(kFirstCount + 5).items()) {
    const auto place = static_cast<uint64_t>(child.is_int64() ? child.as_integer().value_or(-1) : -1);
    if (place >= entries_.size()) return false;
    entry->children.push_back(static_cast<uint32_t>(place));
  }
  by_id_[entry->id] = static_cast<uint32_t>(index);
  if (entry->operation) waiting_[entry->operation] = static_cast<uint32_t>(index);
  entries_[index] = std::move(entry);
  return true;
}

std::unique_ptr<Ledger> Ledger::restore(const Value& dumped) {
  if (!dumped.is_array() || dumped.size() != 9 || !dumped.at(8).is_array()) return nullptr;
  for (size_t i = 0; i < 6; ++i)
    if (!dumped.at(i).is_int64() || integer_at(dumped, i) < 0) return nullptr;
  if (static_cast<uint64_t>(integer_at(dumped, 0)) > kEntriesMax) return nullptr;
  auto ledger = std::make_unique<Ledger>();
  ledger->entries_.resize(static_cast<size_t>(integer_at(dumped, 0)));
  ledger->changes_ = static_cast<uint64_t>(integer_at(dumped, 1));
  ledger->delivered_ = static_cast<uint64_t>(integer_at(dumped, 2));
  ledger->seen_before_ = static_cast<uint64_t>(integer_at(dumped, 3));
  ledger->sequence_ = static_cast<uint32_t>(integer_at(dumped, 4));
  ledger->last_checkpoint_ = FactSeq(static_cast<decltype(FactSeq::number)>(integer_at(dumped, 5)));
  ledger->last_client_ = dumped.at(6);
  ledger->last_digest_ = dumped.at(7);
  for (const Value& entry : dumped.at(8).items())
    if (!ledger->restore_entry(entry)) return nullptr;
  return ledger;
}

}  // namespace pawl::kernel
