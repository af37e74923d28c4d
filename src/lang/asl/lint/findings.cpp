#include "lang/asl/lint/findings.h"

#include <utility>
#include <vector>

#include "json/pointer.h"

namespace pawl::asl {

std::string Place::pointer() const {
  if (parent_ == nullptr) return std::string(token_);
  const std::string above = parent_->pointer();
  return item_ == SIZE_MAX ? json::child_pointer(above, token_) : json::child_pointer(above, item_);
}

std::string Place::last_token() const { return item_ == SIZE_MAX ? std::string(token_) : std::to_string(item_); }

void Findings::report(Code code, const Place& place, std::string cause, std::string fix, At at) {
  if (full_) return;
  if (diagnostics_.size() + 1 >= kFindingsMax || bytes_ > kFindingBytesMax) return close();
  std::string pointer = place.pointer();
  const Position position = at == At::kKey ? positions_.key_at(pointer) : positions_.value_at(pointer);
  bytes_ += pointer.size() + cause.size() + fix.size();
  diagnostics_.push_back({.severity = info(code).severity,
                          .code = std::string(info(code).name),
                          .file = {},
                          .position = position,
                          .pointer = std::move(pointer),
                          .cause = std::move(cause),
                          .fix = std::move(fix)});
}

void Findings::close() {
  full_ = true;
  const CodeInfo& too_many = info(Code::kTooManyFindings);
  diagnostics_.push_back({.severity = too_many.severity,
                          .code = std::string(too_many.name),
                          .file = {},
                          .position = positions_.value_at(""),
                          .pointer = "",
                          .cause = "There are more findings than are listed.",
                          .fix = "Fix the ones listed and look again."});
}

std::string shortened(std::string_view text) {
  size_t characters = 0;
  size_t bytes = 0;
  for (; bytes < text.size(); ++bytes) {
    const bool begins_character = (static_cast<unsigned char>(text[bytes]) & 0xC0) != 0x80;
    if (begins_character && characters++ == kQuotedCharactersMax) return std::string(text.substr(0, bytes)) + "…";
  }
  return std::string(text);
}

std::string quoted(std::string_view text) { return "\"" + shortened(text) + "\""; }

std::string one_of_these(std::string_view field, const std::vector<std::string_view>& values) {
  return "The field '" + std::string(field) + "' should have one of these values: " + listed(values);
}

std::string listed(const std::vector<std::string_view>& names) {
  std::string out = "[";
  for (const std::string_view name : names) {
    if (out.size() > 1) out += ", ";
    out += name;
  }
  return out + "]";
}

}  // namespace pawl::asl
