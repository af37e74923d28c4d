#define PCRE2_CODE_UNIT_WIDTH 8
#include "expr/jq/regex.h"

#include <pcre2.h>

#include "base/assert.h"

namespace pawl::jq::internal {

namespace {

struct MatchScratch {
  pcre2_match_context* context = pcre2_match_context_create(nullptr);

  MatchScratch() {
    PAWL_ASSERT(context != nullptr);
    pcre2_set_match_limit(context, kRegexStepsMax);
    pcre2_set_depth_limit(context, kRegexDepthMax);
    pcre2_set_heap_limit(context, kRegexHeapKibMax);
  }
  MatchScratch(const MatchScratch&) = delete;
  MatchScratch& operator=(const MatchScratch&) = delete;
  ~MatchScratch() { pcre2_match_context_free(context); }
};

struct FreeMatchData {
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};

const pcre2_code* code_of(const std::shared_ptr<const void>& held) {
  return static_cast<const pcre2_code*>(held.get());
}

std::string error_text(int code) {
  PCRE2_UCHAR buffer[256];
  pcre2_get_error_message(code, buffer, sizeof buffer);
  return reinterpret_cast<const char*>(buffer);
}

// By group number; the first is the whole match.
std::vector<std::optional<std::string>> group_names(const pcre2_code* code) {
  uint32_t groups = 0, names = 0, entry_size = 0;
  PCRE2_SPTR table = nullptr;
  pcre2_pattern_info(code, PCRE2_INFO_CAPTURECOUNT, &groups);
  pcre2_pattern_info(code, PCRE2_INFO_NAMECOUNT, &names);
  pcre2_pattern_info(code, PCRE2_INFO_NAMEENTRYSIZE, &entry_size);
  pcre2_pattern_info(code, PCRE2_INFO_NAMETABLE, &table);
  std::vector<std::optional<std::string>> found(groups + 1);
  for (uint32_t i = 0; i < names; ++i) {
    const PCRE2_SPTR entry = table + i * entry_size;
    found[static_cast<size_t>(entry[0] << 8 | entry[1])] = reinterpret_cast<const char*>(entry + 2);
  }
  return found;
}

}  // namespace

Result<Regex> Regex::compile(const std::string& pattern, const RegexFlags& flags) {
  if (pattern.size() > kRegexPatternBytesMax)
    return fail("JQ_ERROR", "it is longer than " + std::to_string(kRegexPatternBytesMax) + " bytes");
  uint32_t options = PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_DUPNAMES;
  if (flags.ignores_case) options |= PCRE2_CASELESS;
  if (flags.is_extended) options |= PCRE2_EXTENDED;
  if (flags.dot_matches_all) options |= PCRE2_DOTALL;
  int error = 0;
  size_t offset = 0;
  pcre2_code* code =
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), options, &error, &offset, nullptr);
  if (code == nullptr) return fail("JQ_ERROR", error_text(error) + " at byte " + std::to_string(offset));
  Regex regex;
  regex.code_ = std::shared_ptr<const void>(
      code, [](const void* held) { pcre2_code_free(static_cast<pcre2_code*>(const_cast<void*>(held))); });
  regex.names_ = group_names(code);
  regex.skips_empty_ = flags.skips_empty;
  return regex;
}

MatchOutcome Regex::match(std::string_view subject, size_t from, std::vector<Group>& groups) const {
  thread_local MatchScratch scratch;
  const std::unique_ptr<pcre2_match_data, FreeMatchData> data(
      pcre2_match_data_create_from_pattern(code_of(code_), nullptr));
  PAWL_ASSERT(data != nullptr);
  const uint32_t options = PCRE2_NO_UTF_CHECK | (skips_empty_ ? PCRE2_NOTEMPTY : 0);
  const int found = pcre2_match(code_of(code_), reinterpret_cast<PCRE2_SPTR>(subject.data()), subject.size(), from,
                                options, data.get(), scratch.context);
  if (found == PCRE2_ERROR_NOMATCH) return MatchOutcome::kNoMatch;
  if (found < 0) return MatchOutcome::kTooMuchEffort;
  const size_t* offsets = pcre2_get_ovector_pointer(data.get());
  groups.clear();
  for (size_t i = 0; i < names_.size(); ++i) {
    const bool is_set = offsets[2 * i] != PCRE2_UNSET;
    groups.push_back({names_[i], is_set, is_set ? offsets[2 * i] : 0, is_set ? offsets[2 * i + 1] : 0});
  }
  if (groups[0].to < groups[0].from) groups[0].to = groups[0].from;  // \K in a lookahead
  return MatchOutcome::kMatch;
}

Result<const Regex*> RegexCache::find(std::string_view pattern, std::string_view flags, const RegexFlags& parsed) {
  std::string key = std::string(flags) + "/" + std::string(pattern);
  for (const Entry& entry : entries_)
    if (entry.key == key) return &entry.regex;
  PAWL_TRY(Regex regex, Regex::compile(std::string(pattern), parsed));
  if (entries_.size() < kRegexesCached) entries_.emplace_back();
  Entry& entry = entries_[next_];
  next_ = (next_ + 1) % kRegexesCached;
  entry = {std::move(key), std::move(regex)};
  return &entry.regex;
}

}  // namespace pawl::jq::internal
