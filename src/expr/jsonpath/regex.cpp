// Regex on PCRE2: compile options for the two families of patterns, and matching within the limits of regex.h.
#define PCRE2_CODE_UNIT_WIDTH 8
#include "expr/jsonpath/regex.h"

#include <algorithm>

#include <pcre2.h>

#include "base/assert.h"

namespace pawl::jsonpath::internal {
namespace {

template <typename T, void (*release)(T*)>
struct Release {
  void operator()(T* object) const { release(object); }
};
using CompileContext =
    std::unique_ptr<pcre2_compile_context, Release<pcre2_compile_context, pcre2_compile_context_free>>;

// What a thread needs to match: made once a thread, because making it costs more than a short match.
struct MatchScratch {
  pcre2_match_context* context = pcre2_match_context_create(nullptr);
  pcre2_match_data* data = pcre2_match_data_create(1, nullptr);

  MatchScratch() {
    PAWL_ASSERT(context != nullptr && data != nullptr);
    pcre2_set_depth_limit(context, kRegexDepthMax);
    pcre2_set_heap_limit(context, kRegexHeapKibMax);
  }
  MatchScratch(const MatchScratch&) = delete;
  MatchScratch& operator=(const MatchScratch&) = delete;
  ~MatchScratch() {
    pcre2_match_data_free(data);
    pcre2_match_context_free(context);
  }
};

int match_with_limit(const pcre2_code* code, std::string_view subject, uint32_t steps) {
  thread_local MatchScratch scratch;
  pcre2_set_match_limit(scratch.context, steps);
  return pcre2_match(code, reinterpret_cast<PCRE2_SPTR>(subject.data()), subject.size(), 0, PCRE2_NO_UTF_CHECK,
                     scratch.data, scratch.context);
}

uint32_t easy_steps(std::string_view subject) {
  const size_t steps = kRegexStepsEasy + subject.size() * kRegexStepsPerByte;
  return static_cast<uint32_t>(std::min<size_t>(steps, kRegexStepsMax));
}

RegexOutcome outcome_of(int code) {
  if (code >= 0) return RegexOutcome::kMatch;
  return code == PCRE2_ERROR_NOMATCH ? RegexOutcome::kNoMatch : RegexOutcome::kTooMuchEffort;
}

std::string error_text(int code) {
  PCRE2_UCHAR buffer[256];
  pcre2_get_error_message(code, buffer, sizeof buffer);
  return reinterpret_cast<const char*>(buffer);
}

}  // namespace

Result<Regex> Regex::compile(const std::string& pattern, uint32_t options, uint32_t newline) {
  if (pattern.size() > kRegexPatternBytesMax)
    return fail("JSONPATH_SYNTAX", "The regular expression is longer than 8192 bytes.");
  const CompileContext context(pcre2_compile_context_create(nullptr));
  PAWL_ASSERT(context != nullptr);
  pcre2_set_newline(context.get(), newline);
  int error = 0;
  size_t offset = 0;
  pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                                   options | PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C, &error, &offset, context.get());
  if (code == nullptr) return fail("JSONPATH_SYNTAX", "The regular expression is wrong: " + error_text(error) + ".");
  Regex regex;
  regex.code_ = std::shared_ptr<const void>(
      code, [](const void* held) { pcre2_code_free(static_cast<pcre2_code*>(const_cast<void*>(held))); });
  return regex;
}

Result<Regex> Regex::compile_java(std::string_view pattern, std::string_view flags) {
  uint32_t options = PCRE2_ANCHORED | PCRE2_ENDANCHORED;
  uint32_t newline = PCRE2_NEWLINE_ANYCRLF;
  for (const char flag : flags) {
    switch (flag) {
      case 'i':
        options |= PCRE2_CASELESS;
        break;
      case 'm':
        options |= PCRE2_MULTILINE;
        break;
      case 's':
        options |= PCRE2_DOTALL;
        break;
      case 'x':
        options |= PCRE2_EXTENDED;
        break;
      case 'U':
        options |= PCRE2_UCP;
        break;
      case 'd':
        newline = PCRE2_NEWLINE_LF;
        break;
      case 'u':
        break;
      default:
        return fail("JSONPATH_SYNTAX", std::string("The regular expression's flag '") + flag + "' is unknown.");
    }
  }
  return compile(std::string(pattern), options, newline);
}

Result<Regex> Regex::compile_iregexp(std::string_view pattern, bool whole) {
  PAWL_TRY(const std::string translated, translate_iregexp(pattern));
  const uint32_t options = PCRE2_DOLLAR_ENDONLY | (whole ? PCRE2_ANCHORED | PCRE2_ENDANCHORED : 0);
  return compile(translated, options, PCRE2_NEWLINE_LF);
}

RegexOutcome Regex::match(std::string_view subject, bool& hard) const {
  const auto* code = static_cast<const pcre2_code*>(code_.get());
  const int first = match_with_limit(code, subject, easy_steps(subject));
  if (first != PCRE2_ERROR_MATCHLIMIT) return outcome_of(first);
  hard = true;
  return outcome_of(match_with_limit(code, subject, kRegexStepsMax));
}

}  // namespace pawl::jsonpath::internal
