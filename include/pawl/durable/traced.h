// Traced: where an exception was made.
//
// C++ exceptions do not know where they were thrown. Those that derive from Traced, as ApplicationError does, tell it:
// the frames are recorded with the error, as its StackTrace.
//
//   struct OutOfStock : std::runtime_error, durable::Traced { using std::runtime_error::runtime_error; };
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace pawl::durable {

class Traced {
 public:
  // The innermost first: "ship(Item const&)+0x1a (order+0x4f2b)", or without the function where the program does not
  // tell its names; `addr2line -Cfe order 0x4f2b` gives file and line.
  std::vector<std::string> stack_trace() const;

 protected:
  Traced() noexcept;
  ~Traced() = default;
  Traced(const Traced&) = default;
  Traced& operator=(const Traced&) = default;

 private:
  static constexpr std::size_t kFramesMax = 32;

  std::array<void*, kFramesMax> frames_;
  std::size_t count_ = 0;
};

}  // namespace pawl::durable
