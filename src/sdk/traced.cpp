// The frames of a thread's stack, and their names.
#include "pawl/durable/traced.h"

#include <cstdint>
#include <cstdio>
#include <span>

#include <dlfcn.h>
#include <unwind.h>

#include "sdk/type_names.h"

namespace pawl::durable {
namespace {

constexpr std::size_t kFrameBytesMax = 256;

struct Walk {
  std::span<void*> frames;
  std::size_t count = 0;
  std::size_t to_skip;
};

// Unwinding gives the address behind a call; the one before it lies in the line that called.
_Unwind_Reason_Code take_frame(_Unwind_Context* context, void* argument) {
  auto& walk = *static_cast<Walk*>(argument);
  const std::uintptr_t behind = _Unwind_GetIP(context);
  if (behind == 0 || walk.count == walk.frames.size()) return _URC_END_OF_STACK;
  if (walk.to_skip > 0) {
    --walk.to_skip;
    return _URC_NO_REASON;
  }
  walk.frames[walk.count++] = reinterpret_cast<void*>(behind - 1);  // NOLINT(performance-no-int-to-ptr)
  return _URC_NO_REASON;
}

std::string hexadecimal(std::uintptr_t number) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "0x%zx", static_cast<std::size_t>(number));
  return digits;
}

std::string offset_in(const void* begin, const void* address) {
  return "+" + hexadecimal(reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(begin));
}

std::string words_for(void* address) {
  Dl_info info{};
  if (::dladdr(address, &info) == 0 || info.dli_fname == nullptr)
    return hexadecimal(reinterpret_cast<std::uintptr_t>(address));
  const std::string path = info.dli_fname;
  const std::string place = path.substr(path.rfind('/') + 1) + offset_in(info.dli_fbase, address);
  if (info.dli_sname == nullptr) return place;
  std::string function = detail::demangled(info.dli_sname);
  if (function.size() > kFrameBytesMax) function = function.substr(0, kFrameBytesMax) + "…";
  return function + offset_in(info.dli_saddr, address) + " (" + place + ")";
}

}  // namespace

// The frame of this constructor is not worth telling.
[[gnu::noinline]] Traced::Traced() noexcept : frames_{} {
  Walk walk{frames_, 0, 1};
  _Unwind_Backtrace(take_frame, &walk);
  count_ = walk.count;
}

std::vector<std::string> Traced::stack_trace() const {
  std::vector<std::string> words;
  words.reserve(count_);
  for (void* frame : std::span(frames_).first(count_)) words.push_back(words_for(frame));
  return words;
}

}  // namespace pawl::durable
