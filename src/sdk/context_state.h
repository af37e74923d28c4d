// ContextState: what a Context stands for.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "pawl/durable/context.h"

namespace pawl::durable::detail {

class Invocation;

// Who an operation is: its place in its context gives both ids, so that they are the same on each replay.
struct OperationKey {
  std::string logical;  // "2-1-3"
  std::string id;       // on the wire
};

OperationKey key_of(const std::string& prefix, std::uint64_t place);

// The scope of log lines.
struct LogScope {
  LogSink sink;
  LogLevel level = LogLevel::Info;
  LogRecord common;
  std::function<bool()> is_silent;  // empty: never
};

// Belongs to the invocation's thread and lives as long as the invocation.
class ContextState {
 public:
  // `parent_id` is what its operations name as ParentId; `prefix` is what their ids begin with.
  ContextState(Invocation& owner, ContextState* parent_context, std::string id_prefix, std::string id_of_parent,
               std::string context_name);

  OperationKey next_key() { return key_of(prefix, ++operations); }
  // True where this context or one that it lies in has ended: nothing of it is recorded or resumed.
  bool is_closed() const;
  // True while the next operation is one that an earlier invocation has recorded.
  bool is_replaying() const;
  bool logs_in_replay() const;

  Invocation& invocation;
  ContextState* parent;
  std::string prefix;
  std::string parent_id;
  std::string name;
  std::uint64_t operations = 0;
  std::uint64_t randoms = 0;
  bool closed = false;
  bool only_replays = false;  // its operation has ended and the body is run for its result alone
  std::optional<bool> log_in_replay;
  Timestamp now;
  Context context;
};

}  // namespace pawl::durable::detail
