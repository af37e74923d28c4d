#include "json/pointer.h"

#include <charconv>

namespace pawl::json {

namespace {

std::unexpected<Error> invalid_pointer(std::string_view pointer, std::string what) {
  return fail("JSON_POINTER_INVALID", std::move(what), "Write it as /name/0/name, with ~0 for ~ and ~1 for /.",
              std::string(pointer));
}

Result<std::string> unescape(std::string_view token, std::string_view pointer) {
  std::string plain;
  for (size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '~') {
      plain.push_back(token[i]);
      continue;
    }
    const char escaped = i + 1 < token.size() ? token[++i] : '\0';
    if (escaped != '0' && escaped != '1') return invalid_pointer(pointer, "A ~ is followed by neither 0 nor 1.");
    plain.push_back(escaped == '0' ? '~' : '/');
  }
  return plain;
}

const Value* find_child(const Value& parent, std::string_view token) {
  if (!parent.is_array()) return parent.find(token);
  const auto index = array_index(token);
  return index && *index < parent.size() ? &parent.at(*index) : nullptr;
}

}  // namespace

Result<std::vector<std::string>> split_pointer(std::string_view pointer) {
  std::vector<std::string> tokens;
  if (pointer.empty()) return tokens;
  if (pointer.front() != '/') return invalid_pointer(pointer, "A JSON Pointer that is not empty begins with a slash.");
  for (size_t start = 1; start <= pointer.size();) {
    const size_t slash = std::min(pointer.find('/', start), pointer.size());
    PAWL_TRY(std::string token, unescape(pointer.substr(start, slash - start), pointer));
    tokens.push_back(std::move(token));
    start = slash + 1;
  }
  return tokens;
}

std::optional<size_t> array_index(std::string_view token) {
  size_t index = 0;
  const char* end = token.data() + token.size();
  const auto [stopped, error] = std::from_chars(token.data(), end, index);
  const bool has_leading_zero = token.size() > 1 && token.front() == '0';
  if (error != std::errc() || stopped != end || has_leading_zero) return std::nullopt;
  return index;
}

const Value* find_pointer(const Value& root, std::string_view pointer) {
  const auto tokens = split_pointer(pointer);
  if (!tokens) return nullptr;
  const Value* found = &root;
  for (const std::string& token : *tokens) {
    found = find_child(*found, token);
    if (found == nullptr) return nullptr;
  }
  return found;
}

std::string child_pointer(std::string_view pointer, std::string_view token) {
  std::string child(pointer);
  child.push_back('/');
  for (const char c : token) {
    if (c == '~')
      child.append("~0");
    else if (c == '/')
      child.append("~1");
    else
      child.push_back(c);
  }
  return child;
}

std::string child_pointer(std::string_view pointer, size_t index) {
  return std::string(pointer) + "/" + std::to_string(index);
}

}  // namespace pawl::json
