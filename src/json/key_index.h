// Finding members by name: the hash index of large objects, and names that occur twice. For the json module only.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "json/value.h"

namespace pawl::json {

// An index is a calloc'd table: index[0] is the mask, then come mask + 1 slots holding a member's number + 1, or 0. It
// is freed with std::free.
uint32_t* allocate_index(size_t members);

uint32_t* make_index(const Member* members, uint32_t count);  // with all members; their keys differ
uint32_t* copy_index(const uint32_t* index);
bool has_room(const uint32_t* index, size_t members);  // for so many members in all

// Enters a member. Where an earlier one has the same key, nothing is entered and its number returned, else `number`.
uint32_t enter_member(uint32_t* index, const Member* members, uint32_t number);

const Member* find_in_index(const uint32_t* index, const Member* members, std::string_view key) noexcept;

// The first member that repeats an earlier one's key.
std::optional<size_t> find_repeated_key(std::span<const Member> members);

// Moves each repeated key's value into the place of the key's first member, and the members together; how many remain.
size_t keep_last_of_repeated_keys(std::span<Member> members);

}  // namespace pawl::json
