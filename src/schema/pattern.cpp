// Pattern on PCRE2.
#define PCRE2_CODE_UNIT_WIDTH 8
#include "schema/pattern.h"

#include <pcre2.h>

#include "base/assert.h"

namespace pawl::schema::internal {

namespace {

// ECMA-262 matches [] with nothing, a group that took no part with the empty text, and $ only at the very end.
constexpr uint32_t kOptions =
    PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY | PCRE2_ALLOW_EMPTY_CLASS | PCRE2_MATCH_UNSET_BACKREF;

// What a thread needs to search, made once for each.
struct Scratch {
  pcre2_match_context* context = pcre2_match_context_create(nullptr);
  pcre2_match_data* data = pcre2_match_data_create(1, nullptr);

  Scratch() {
    PAWL_ASSERT(context != nullptr && data != nullptr);
    pcre2_set_match_limit(context, kPatternStepsMax);
    pcre2_set_depth_limit(context, kPatternDepthMax);
    pcre2_set_heap_limit(context, kPatternHeapKibMax);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    pcre2_match_data_free(data);
    pcre2_match_context_free(context);
  }
};

std::unexpected<Error> wrong(const std::string& why) {
  return fail("SCHEMA_INVALID", "The regular expression is wrong: " + why + ".", "Write it as JavaScript does.");
}

}  // namespace

Result<Pattern> Pattern::compile(std::string_view pattern) {
  if (pattern.size() > kPatternBytesMax)
    return wrong("it is longer than " + std::to_string(kPatternBytesMax) + " bytes");
  const std::string translated = translate_pattern(pattern);
  int error = 0;
  size_t offset = 0;
  pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.data()), translated.size(), kOptions, &error,
                                   &offset, nullptr);
  if (code == nullptr) {
    PCRE2_UCHAR text[256];
    pcre2_get_error_message(error, text, sizeof text);
    return wrong(reinterpret_cast<const char*>(text));
  }
  Pattern compiled;
  compiled.code_ = std::shared_ptr<const void>(
      code, [](const void* held) { pcre2_code_free(static_cast<pcre2_code*>(const_cast<void*>(held))); });
  return compiled;
}

PatternOutcome Pattern::search(std::string_view subject) const {
  thread_local Scratch scratch;
  const int outcome =
      pcre2_match(static_cast<const pcre2_code*>(code_.get()), reinterpret_cast<PCRE2_SPTR>(subject.data()),
                  subject.size(), 0, PCRE2_NO_UTF_CHECK, scratch.data, scratch.context);
  if (outcome >= 0) return PatternOutcome::kMatch;
  return outcome == PCRE2_ERROR_NOMATCH ? PatternOutcome::kNoMatch : PatternOutcome::kTooMuchEffort;
}

}  // namespace pawl::schema::internal
