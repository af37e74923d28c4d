// What the builtins of one evaluation share: its error, its counts against the limits, its time.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "expr/jq/jq.h"
#include "expr/jq/regex.h"

namespace pawl::jq::internal {

enum class Failure : uint8_t { kNone, kError, kLimit };

class Context {
 public:
  explicit Context(const Evaluation& evaluation) : limits_(evaluation.limits), now_seconds_(evaluation.now_seconds) {}

  // Both give null, so that a builtin can end with them.
  Value raise(Value error) {
    failure_ = Failure::kError;
    error_ = std::move(error);
    return Value();
  }
  Value raise(std::string_view message) { return raise(Value::string(message)); }
  Value exceed(std::string_view what);

  bool failed() const { return failure_ != Failure::kNone; }
  Failure failure() const { return failure_; }
  const Value& error() const { return error_; }
  void clear_error() { failure_ = Failure::kNone; }

  // False, and failed, where there are no more.
  bool spend_steps(uint64_t steps) {
    steps_ += steps;
    return steps_ <= limits_.steps_max || out_of_steps();
  }
  bool spend_bytes(uint64_t bytes) {
    bytes_ += bytes;
    return bytes_ <= limits_.bytes_max || out_of_bytes();
  }
  // For a text that is about to be looked at: a step for many bytes, so that short ones cost nothing.
  bool spend_text(const Value& value) {
    constexpr uint64_t kBytesPerStep = 64;
    return !value.is_string() || spend_steps(value.json_size() / kBytesPerStep);
  }
  Value built(Value value);  // checks how deep a new value nests

  const Limits& limits() const { return limits_; }
  const std::optional<double>& now_seconds() const { return now_seconds_; }
  RegexCache& regexes() { return regexes_; }

  bool made_special = false;  // NaN or an infinity came up: outputs must be looked through for them

 private:
  bool out_of_steps();
  bool out_of_bytes();

  Limits limits_;
  std::optional<double> now_seconds_;
  uint64_t steps_ = 0;
  uint64_t bytes_ = 0;
  Failure failure_ = Failure::kNone;
  Value error_;
  RegexCache regexes_;
};

inline bool is_true(const Value& value) { return !value.is_null() && (!value.is_boolean() || value.as_boolean()); }

std::string_view type_name(const Value& value);
std::string json_text(const Value& value);  // as tojson: with jq's way to print numbers
std::string excerpt(const Value& value);    // its beginning, for messages
std::string described(const Value& value);  // number (1)

}  // namespace pawl::jq::internal
