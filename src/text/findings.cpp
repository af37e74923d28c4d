#include "text/findings.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "json/pointer.h"

namespace pawl::text {

std::string Place::pointer() const {
  if (parent_ == nullptr) return std::string(token_);
  const std::string above = parent_->pointer();
  return item_ == SIZE_MAX ? json::child_pointer(above, token_) : json::child_pointer(above, item_);
}

std::string Place::last_token() const { return item_ == SIZE_MAX ? std::string(token_) : std::to_string(item_); }

void FindingList::add(std::string_view code, Severity severity, const Place& place, std::string cause, std::string fix,
                      At at) {
  if (full_) return;
  if (diagnostics_.size() + 1 >= kFindingsMax || bytes_ > kFindingBytesMax) return close();
  std::string pointer = place.pointer();
  const Position position = at == At::kKey ? positions_.key_at(pointer) : positions_.value_at(pointer);
  bytes_ += pointer.size() + cause.size() + fix.size();
  diagnostics_.push_back({.severity = severity,
                          .code = std::string(code),
                          .file = {},
                          .position = position,
                          .pointer = std::move(pointer),
                          .cause = std::move(cause),
                          .fix = std::move(fix)});
}

void FindingList::close() {
  full_ = true;
  diagnostics_.push_back({.severity = Severity::kWarning,
                          .code = std::string(too_many_),
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

std::string listed(const std::vector<std::string_view>& names) {
  std::string out = "[";
  for (const std::string_view name : names) {
    if (out.size() > 1) out += ", ";
    out += name;
  }
  return out + "]";
}

void sort_by_position(Diagnostics& diagnostics) {
  std::ranges::stable_sort(diagnostics, {}, [](const Diagnostic& diagnostic) {
    return std::tuple(diagnostic.position.line, diagnostic.position.column);
  });
}

}  // namespace pawl::text
