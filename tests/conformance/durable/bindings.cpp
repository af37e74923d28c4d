#include "bindings.h"

#include <random>

#include "json/print.h"

namespace pawl::conformance {

namespace {

constexpr std::string_view kGenerator = "${GEN_STR:";

std::string letters(const std::string& seed, size_t count) {
  std::seed_seq sequence(seed.begin(), seed.end());
  std::mt19937 random(sequence);
  std::string made;
  while (made.size() < count) made += static_cast<char>('a' + random() % 26);
  return made;
}

}  // namespace

Bindings::Bindings(const Value& variables, const std::string& seed) {
  if (!variables.is_object()) return;
  for (const json::Member& variable : variables.members()) {
    const std::string name(variable.key.as_string());
    const std::string text = variable.value.is_string() ? std::string(variable.value.as_string()) : "";
    if (text.starts_with(kGenerator)) {
      bind(name, Value::string(letters(seed + "/" + name, std::stoul(text.substr(kGenerator.size())))));
    } else {
      bind(name, variable.value);
    }
  }
}

const Value* Bindings::find(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

std::string Bindings::substitute_text(std::string_view text) const {
  std::string out;
  while (!text.empty()) {
    const size_t begin = std::min(text.find("${"), text.size());
    out += text.substr(0, begin);
    text.remove_prefix(begin);
    if (text.empty()) break;
    const size_t end = text.find('}');
    const Value* value = end == std::string_view::npos ? nullptr : find(std::string(text.substr(2, end - 2)));
    if (value == nullptr) {
      out += text.substr(0, 2);
      text.remove_prefix(2);
      continue;
    }
    out += value->is_string() ? std::string(value->as_string()) : json::print(*value);
    text.remove_prefix(end + 1);
  }
  return out;
}

Value Bindings::substitute(const Value& value) const {
  if (value.is_string()) return Value::string(substitute_text(value.as_string()));
  if (value.is_array()) {
    json::ArrayBuilder out(value.size());
    for (const Value& item : value.items()) out.push(substitute(item));
    return out.build();
  }
  if (value.is_object()) {
    json::ObjectBuilder out(value.size());
    for (const json::Member& member : value.members()) out.set(member.key.as_string(), substitute(member.value));
    return out.build();
  }
  return value;
}

std::string name_in(const Value& value) {
  if (!value.is_string()) return {};
  const std::string_view text = value.as_string();
  if (!text.starts_with("${") || !text.ends_with("}") || text.starts_with("${/")) return {};
  const std::string_view name = text.substr(2, text.size() - 3);
  return name.find_first_of("${}") == std::string_view::npos ? std::string(name) : std::string();
}

}  // namespace pawl::conformance
