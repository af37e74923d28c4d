#include "server/task_tokens.h"

#include <algorithm>
#include <charconv>

namespace pawl::server {

namespace {

constexpr std::string_view kPurpose = "task";

// Takes a hexadecimal number off the front of a text, and the dash after it.
template <typename Number>
bool take_number(std::string_view& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  if (text.starts_with('-')) text.remove_prefix(1);
  return true;
}

void append_number(std::string& out, uint64_t number) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof(digits), number, 16).ptr;
  if (!out.empty()) out += '-';
  out.append(digits, end);
}

// AWS's tokens have letters and digits only, and '+', '/' and '=', which paths do not like. Neither letter is a digit
// of a hexadecimal number.
constexpr char kDash = 'x';
constexpr char kDot = 'z';

}  // namespace

std::string TaskTokens::mint(ExecutionId execution, OperationId operation, uint32_t attempt) {
  std::string text;
  append_number(text, execution.number);
  append_number(text, operation.number);
  append_number(text, attempt);
  std::string token = signer_.sign(kPurpose, text);
  std::ranges::replace(token, '-', kDash);
  std::ranges::replace(token, '.', kDot);
  return token;
}

std::optional<TaskName> TaskTokens::read(std::string_view token) const {
  std::string written(token);  // earlier versions handed it out like this
  std::ranges::replace(written, kDash, '-');
  std::ranges::replace(written, kDot, '.');
  const auto text = signer_.verify(kPurpose, written);
  if (!text) return std::nullopt;
  TaskName name;
  std::string_view rest = *text;
  const bool whole = take_number(rest, name.execution.number) && take_number(rest, name.operation.number) &&
                     take_number(rest, name.attempt) && rest.empty();
  return whole ? std::optional(name) : std::nullopt;
}

}  // namespace pawl::server
