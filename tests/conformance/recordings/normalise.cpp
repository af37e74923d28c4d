#include "normalise.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <algorithm>
#include <array>

#include <pcre2.h>

#include "base/assert.h"
#include "json/parse.h"
#include "json/print.h"

namespace pawl::conformance {

namespace {

constexpr size_t kShownCharactersMax = 200;  // of each side of a difference

// The recorder's words for values that change from run to run.
constexpr std::array<std::string_view, 12> kWildcards = {"timestamp",
                                                         "date",
                                                         "datetime",
                                                         "start-date",
                                                         "stop-date",
                                                         "start-time",
                                                         "entered-time",
                                                         "a_task_token",
                                                         "RandomNumberGenerated",
                                                         "snf_role_arn",
                                                         "stateExitedEventDetails.output",
                                                         "executionSucceededEventDetails.output"};

// Added to the Context Object by AWS after some of the recordings were made.
constexpr std::string_view kLaterMember = "RedriveCount";

// The end of the placeholder that begins at `start` (one behind its bracket); npos where there is none. They may nest.
size_t placeholder_end(std::string_view text, size_t start) {
  size_t depth = 0;
  for (size_t i = start; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>' && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

bool fits_from(std::string_view recorded, std::string_view ours) {
  const size_t open = recorded.find('<');
  const size_t close = open == std::string_view::npos ? open : placeholder_end(recorded, open);
  if (close == std::string_view::npos) return recorded == ours;
  if (!ours.starts_with(recorded.substr(0, open))) return false;
  const std::string_view rest = recorded.substr(close);
  if (rest.empty()) return true;
  for (size_t skip = open; skip <= ours.size(); ++skip)
    if (fits_from(rest, ours.substr(skip))) return true;
  return false;
}

std::string shown(const Value& value) {
  std::string text = json::print(value);
  if (text.size() > kShownCharactersMax) text = text.substr(0, kShownCharactersMax) + "…";
  return text;
}

class Differ {
 public:
  std::vector<std::string> found;

  void compare(const Value& recorded, const Value& ours, const std::string& place) {
    if (found.size() >= kDifferencesMax) return;
    if (recorded.is_string()) return compare_text(recorded, ours, place);
    if (recorded.is_array() && ours.is_array()) return compare_arrays(recorded, ours, place);
    if (recorded.is_object() && ours.is_object()) return compare_objects(recorded, ours, place);
    if (!(recorded == ours)) report(recorded, ours, place);
  }

 private:
  void report(const Value& recorded, const Value& ours, const std::string& place) {
    found.push_back((place.empty() ? "/" : place) + ": recorded " + shown(recorded) + ", ours " + shown(ours));
  }

  void compare_text(const Value& recorded, const Value& ours, const std::string& place) {
    if (is_wildcard(recorded.as_string())) return;
    if (!ours.is_string()) return report(recorded, ours, place);
    if (fits_pattern(recorded.as_string(), ours.as_string())) return;
    const auto a = json::parse(recorded.as_string());
    const auto b = json::parse(ours.as_string());
    const bool both_hold_json = a && b && a->kind() == b->kind() && (a->is_object() || a->is_array());
    if (!both_hold_json) return report(recorded, ours, place);
    compare(*a, *b, place + "(text)");
  }

  void compare_arrays(const Value& recorded, const Value& ours, const std::string& place) {
    if (recorded.size() != ours.size()) return report(recorded, ours, place);
    for (size_t i = 0; i < ours.size(); ++i) compare(recorded.at(i), ours.at(i), place + "/" + std::to_string(i));
  }

  void compare_objects(const Value& recorded, const Value& ours, const std::string& place) {
    for (const json::Member& member : recorded.members()) {
      const std::string below = place + "/" + std::string(member.key.as_string());
      const Value* counterpart = ours.find(member.key.as_string());
      if (counterpart == nullptr)
        found.push_back(below + ": recorded " + shown(member.value) + ", ours has none");
      else
        compare(member.value, *counterpart, below);
    }
    for (const json::Member& member : ours.members()) {
      const std::string_view key = member.key.as_string();
      if (key == kLaterMember || recorded.find(key) != nullptr) continue;
      found.push_back(place + "/" + std::string(key) + ": recorded none, ours " + shown(member.value));
    }
  }
};

struct FreeCode {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};

}  // namespace

struct Transformers::Rule {
  std::unique_ptr<pcre2_code, FreeCode> pattern;
  std::string replacement;
};

Transformers::Transformers(const std::vector<std::pair<std::string, std::string>>& rules) {
  for (const auto& [pattern, replacement] : rules) {
    int error = 0;
    PCRE2_SIZE offset = 0;
    pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), PCRE2_UTF, &error,
                                     &offset, nullptr);
    PAWL_ASSERT(code != nullptr, pattern, error, offset);
    rules_.push_back({std::unique_ptr<pcre2_code, FreeCode>(code), replacement});
  }
}

Transformers::~Transformers() = default;

std::string Transformers::apply(std::string text) const {
  for (const Rule& rule : rules_) {
    std::string out(text.size() * 2 + rule.replacement.size() + 64, '\0');
    for (;;) {
      PCRE2_SIZE length = out.size();
      const int changed =
          pcre2_substitute(rule.pattern.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), 0,
                           PCRE2_SUBSTITUTE_GLOBAL | PCRE2_SUBSTITUTE_LITERAL, nullptr, nullptr,
                           reinterpret_cast<PCRE2_SPTR>(rule.replacement.data()), rule.replacement.size(),
                           reinterpret_cast<PCRE2_UCHAR*>(out.data()), &length);
      if (changed == PCRE2_ERROR_NOMEMORY) {
        out.resize(out.size() * 2);
        continue;
      }
      PAWL_ASSERT(changed >= 0, changed);
      out.resize(length);
      break;
    }
    text = std::move(out);
  }
  return text;
}

Value Transformers::apply(const Value& value) const {
  switch (value.kind()) {
    case Value::Kind::kNull:
    case Value::Kind::kBoolean:
    case Value::Kind::kNumber:
      return value;
    case Value::Kind::kString:
      return Value::string(apply(std::string(value.as_string())));
    case Value::Kind::kArray: {
      json::ArrayBuilder out(value.size());
      for (const Value& item : value.items()) out.push(apply(item));
      return out.build();
    }
    case Value::Kind::kObject: {
      json::ObjectBuilder out(value.size());
      for (const json::Member& member : value.members())
        out.set(apply(std::string(member.key.as_string())), apply(member.value));
      return out.build();
    }
  }
  return value;
}

bool fits_pattern(std::string_view recorded, std::string_view ours) { return fits_from(recorded, ours); }

bool is_wildcard(std::string_view recorded) {
  if (std::ranges::find(kWildcards, recorded) != kWildcards.end()) return true;
  return recorded.starts_with('<') && placeholder_end(recorded, 0) == recorded.size();
}

std::vector<std::string> differences(const Value& recorded, const Value& ours) {
  Differ differ;
  differ.compare(recorded, ours, "");
  return std::move(differ.found);
}

}  // namespace pawl::conformance
