// Scanning of strings sixteen bytes at a time. For the json module only.
#pragma once

#include <cstddef>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace pawl::json {

// The first byte at or after `at` that ends a run of plain text inside a JSON string: a quote, a backslash, a control
// character or the start of a sequence that is not ASCII; else `end`.
inline const char* skip_plain_ascii(const char* at, const char* end) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i blank = _mm_set1_epi8(' ');
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    // Bytes from 0x80 are negative here, so that one comparison finds them and the control characters.
    const __m128i special = _mm_or_si128(_mm_cmplt_epi8(bytes, blank),
                                         _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)));
    const int mask = _mm_movemask_epi8(special);
    if (mask != 0) return at + __builtin_ctz(static_cast<unsigned>(mask));
  }
#endif
  while (at < end && static_cast<signed char>(*at) >= ' ' && *at != '"' && *at != '\\') ++at;
  return at;
}

// The first byte at or after `at` that JSON must escape: a quote, a backslash or a control character; else `end`.
inline const char* skip_unescaped(const char* at, const char* end) {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i control = _mm_set1_epi8(0x1F);
  for (; end - at >= 16; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i special = _mm_or_si128(_mm_cmpeq_epi8(_mm_max_epu8(bytes, control), control),
                                         _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)));
    const int mask = _mm_movemask_epi8(special);
    if (mask != 0) return at + __builtin_ctz(static_cast<unsigned>(mask));
  }
#endif
  while (at < end && static_cast<unsigned char>(*at) >= ' ' && *at != '"' && *at != '\\') ++at;
  return at;
}

}  // namespace pawl::json
