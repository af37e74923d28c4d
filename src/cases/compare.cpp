#include "cases/compare.h"

#include <algorithm>

#include "json/pointer.h"
#include "json/print.h"
#include "json/utf8.h"

namespace pawl::cases {

namespace {

std::string shown(const Value& value, size_t bytes_max = kShownValueBytesMax) {
  std::string text = json::print(value);
  if (text.size() <= bytes_max) return text;
  text.resize(bytes_max);
  text.resize(json::find_invalid_utf8(text));  // not in the middle of a character
  return text + "… (" + std::to_string(value.json_size()) + " bytes)";
}

// Gathers differences, and counts those that are too many to show.
class Comparison {
 public:
  Comparison(const std::string& what, std::vector<std::string>& differences) : what_(what), differences_(differences) {}
  ~Comparison() {
    if (found_ > kDifferencesMax)
      differences_.push_back(what_ + ": " + std::to_string(found_ - kDifferencesMax) + " more differences");
  }
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

  // The recursion is as deep as the shallower value, and those have a bound.
  void walk(const Value& expected, const Value& actual, const std::string& pointer) {
    if (expected == actual) return;
    if (expected.is_object() && actual.is_object()) return walk_objects(expected, actual, pointer);
    if (expected.is_array() && actual.is_array()) return walk_arrays(expected, actual, pointer);
    report(pointer, "expected " + shown(expected) + ", got " + shown(actual));
  }

 private:
  void walk_objects(const Value& expected, const Value& actual, const std::string& pointer) {
    for (const json::Member& member : expected.members()) {
      const std::string here = json::child_pointer(pointer, member.key.as_string());
      const Value* found = actual.find(member.key.as_string());
      if (found == nullptr)
        report(here, "expected " + shown(member.value) + ", got nothing");
      else
        walk(member.value, *found, here);
    }
    for (const json::Member& member : actual.members())
      if (expected.find(member.key.as_string()) == nullptr)
        report(json::child_pointer(pointer, member.key.as_string()), "expected nothing, got " + shown(member.value));
  }

  void walk_arrays(const Value& expected, const Value& actual, const std::string& pointer) {
    const size_t common = std::min(expected.size(), actual.size());
    if (expected.size() != actual.size())
      report(pointer, "expected " + std::to_string(expected.size()) + " items, got " + std::to_string(actual.size()));
    for (size_t i = 0; i < common; ++i) walk(expected.at(i), actual.at(i), json::child_pointer(pointer, i));
    for (size_t i = common; i < expected.size(); ++i)
      report(json::child_pointer(pointer, i), "expected " + shown(expected.at(i)) + ", got nothing");
    for (size_t i = common; i < actual.size(); ++i)
      report(json::child_pointer(pointer, i), "expected nothing, got " + shown(actual.at(i)));
  }

  void report(const std::string& pointer, const std::string& text) {
    if (++found_ <= kDifferencesMax)
      differences_.push_back(what_ + (pointer.empty() ? "" : " " + pointer) + ": " + text);
  }

  const std::string& what_;
  std::vector<std::string>& differences_;
  size_t found_ = 0;
};

}  // namespace

void compare(const std::string& what, const Value& expected, const Value& actual,
             std::vector<std::string>& differences) {
  Comparison(what, differences).walk(expected, actual, "");
}

void compare_lists(const std::string& what, const Value& expected, const Value& actual,
                   std::vector<std::string>& differences) {
  if (expected == actual) return;
  constexpr size_t kListBytesMax = 2000;
  differences.push_back(what + ": expected " + shown(expected, kListBytesMax));
  differences.push_back(what + ":      got " + shown(actual, kListBytesMax));
  size_t at = 0;
  while (at < expected.size() && at < actual.size() && expected.at(at) == actual.at(at)) ++at;
  const std::string wanted = at < expected.size() ? shown(expected.at(at)) : "the end";
  const std::string got = at < actual.size() ? shown(actual.at(at)) : "the end";
  differences.push_back(what + ": they part at " + std::to_string(at) + ": expected " + wanted + ", got " + got);
}

}  // namespace pawl::cases
