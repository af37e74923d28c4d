// The parser's stack of values that wait for their container. For the json module only.
#pragma once

#include <cstdlib>
#include <cstring>
#include <new>
#include <span>

#include "json/value.h"

namespace pawl::json {

// Small documents never leave the place inside it. A container takes the bits of its values, which are then forgotten,
// not destroyed.
class ValueStack {
 public:
  ValueStack() = default;
  ValueStack(const ValueStack&) = delete;
  ValueStack& operator=(const ValueStack&) = delete;
  ~ValueStack() {
    drop_from(0);
    if (values_ != inside()) std::free(values_);
  }

  size_t size() const { return size_; }
  void push(Value&& value) {
    if (size_ == capacity_) [[unlikely]]
      grow();
    new (values_ + size_++) Value(std::move(value));
  }
  std::span<Value> from(size_t start) { return {values_ + start, size_ - start}; }
  void forget_from(size_t start) { size_ = start; }
  void drop_from(size_t start) {
    while (size_ > start) values_[--size_].~Value();
  }

 private:
  static constexpr size_t kCapacityInside = 64;
  Value* inside() { return reinterpret_cast<Value*>(storage_); }

  void grow() {
    void* memory = std::malloc(2 * capacity_ * sizeof(Value));
    if (memory == nullptr) throw std::bad_alloc();
    std::memcpy(memory, static_cast<void*>(values_), size_ * sizeof(Value));
    if (values_ != inside()) std::free(values_);
    values_ = static_cast<Value*>(memory);
    capacity_ *= 2;
  }

  alignas(Value) std::byte storage_[kCapacityInside * sizeof(Value)];
  Value* values_ = inside();
  size_t size_ = 0;
  size_t capacity_ = kCapacityInside;
};

}  // namespace pawl::json
