// The counted node behind long strings, long numbers, arrays and objects. For the json module only.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <sys/single_threaded.h>

namespace pawl::json {

class Value;
struct Member;

// A head, then its elements in the same allocation. Nothing but the count of references changes once it is shared.
// Before a process starts its second thread the count needs no locked instructions, which are most of what a copy
// costs.
struct Node {
  static constexpr uint32_t kImmortal = 0x80000000;  // a count this high is never changed
  static constexpr uint32_t kSizeMax = 0xFFFFFFFF;   // json_size saturates here

  std::atomic<uint32_t> refs{1};
  uint32_t count = 0;  // bytes, items or members
  uint32_t json_size = 0;
  uint32_t depth = 0;
  uint32_t* index = nullptr;  // of an object with many members (key_index.h)

  char* chars() { return reinterpret_cast<char*>(this + 1); }
  const char* chars() const { return reinterpret_cast<const char*>(this + 1); }
  Value* items() { return reinterpret_cast<Value*>(this + 1); }
  const Value* items() const { return reinterpret_cast<const Value*>(this + 1); }
  Member* members() { return reinterpret_cast<Member*>(this + 1); }
  const Member* members() const { return reinterpret_cast<const Member*>(this + 1); }

  void retain() noexcept {
    const uint32_t before = refs.load(std::memory_order_relaxed);
    if (before >= kImmortal) return;
    if (__libc_single_threaded)
      refs.store(before + 1, std::memory_order_relaxed);
    else
      refs.fetch_add(1, std::memory_order_relaxed);
  }
  // Whether the caller held the last reference.
  bool release() noexcept {
    const uint32_t before = refs.load(std::memory_order_acquire);
    if (before == 1) return true;
    if (before >= kImmortal) return false;
    if (!__libc_single_threaded) return refs.fetch_sub(1, std::memory_order_acq_rel) == 1;
    refs.store(before - 1, std::memory_order_relaxed);
    return false;
  }
};

}  // namespace pawl::json
