// Strong ids: an ExecutionId can not be passed where a FactSeq is wanted.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <ostream>

namespace pawl {

template <typename Tag, typename Number>
struct Id {
  Number number = 0;

  constexpr Id() = default;
  constexpr explicit Id(Number value) : number(value) {}
  constexpr explicit operator bool() const { return number != 0; }  // 0 names nothing
  constexpr Id next() const { return Id(number + 1); }
  friend constexpr auto operator<=>(const Id&, const Id&) = default;
  friend std::ostream& operator<<(std::ostream& out, Id id) { return out << id.number; }
};

using ExecutionId = Id<struct ExecutionTag, uint64_t>;
using FactSeq = Id<struct FactSeqTag, uint64_t>;  // 1, 2, 3… within an execution
using EventId = Id<struct EventTag, uint32_t>;    // of the history that users see; 0: not shown
using ScopeId = Id<struct ScopeTag, uint32_t>;    // 1 is the root
using OperationId = Id<struct OperationTag, uint32_t>;
using ShardId = Id<struct ShardTag, uint32_t>;
using Epoch = Id<struct EpochTag, uint64_t>;

// A state's place in the definition's text, counted from 1 in the order of appearance; 0 names none.
using StateOrdinal = Id<struct StateOrdinalTag, uint32_t>;

}  // namespace pawl

template <typename Tag, typename Number>
struct std::hash<pawl::Id<Tag, Number>> {
  size_t operator()(pawl::Id<Tag, Number> id) const noexcept { return std::hash<Number>{}(id.number); }
};
