#include "json/key_index.h"

#include <cstdlib>
#include <memory>
#include <new>

#include "base/random.h"
#include "json/build.h"

namespace pawl::json {

namespace {

uint64_t read_word(const char* at, size_t size) {
  uint64_t word = 0;
  if (size > 0) std::memcpy(&word, at, size);
  return word;
}

uint64_t mix(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// Seeded once a process, so that nobody can prepare keys that all fall into one slot.
size_t hash_key(std::string_view key) {
  static const uint64_t seed = entropy_seed() | 1;
  constexpr uint64_t kMultiplier = 0x9E3779B97F4A7C15;
  uint64_t hash = seed ^ key.size();
  const char* at = key.data();
  size_t left = key.size();
  for (; left > 8; left -= 8, at += 8) hash = mix(hash ^ read_word(at, 8), kMultiplier ^ seed);
  return mix(hash ^ read_word(at, left), kMultiplier ^ (seed << 1));
}

struct FreeIndex {
  void operator()(uint32_t* index) const { std::free(index); }
};

std::optional<size_t> find_repeated_of_few(std::span<const Member> members) {
  for (size_t i = 1; i < members.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (ValueAccess::equal_strings(members[i].key, members[j].key)) return i;
  return std::nullopt;
}

}  // namespace

uint32_t* allocate_index(size_t members) {
  size_t capacity = 32;
  while (capacity < members * 2) capacity *= 2;
  auto* index = static_cast<uint32_t*>(std::calloc(capacity + 1, sizeof(uint32_t)));
  if (index == nullptr) throw std::bad_alloc();
  index[0] = static_cast<uint32_t>(capacity - 1);
  return index;
}

uint32_t* make_index(const Member* members, uint32_t count) {
  uint32_t* index = allocate_index(count);
  for (uint32_t number = 0; number < count; ++number) enter_member(index, members, number);
  return index;
}

uint32_t* copy_index(const uint32_t* index) {
  const size_t words = size_t{index[0]} + 2;
  auto* copy = static_cast<uint32_t*>(std::malloc(words * sizeof(uint32_t)));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, index, words * sizeof(uint32_t));
  return copy;
}

bool has_room(const uint32_t* index, size_t members) { return members * 2 <= size_t{index[0]} + 1; }

uint32_t enter_member(uint32_t* index, const Member* members, uint32_t number) {
  const std::string_view key = members[number].key.as_string();
  const uint32_t mask = index[0];
  size_t slot = hash_key(key) & mask;
  for (; index[1 + slot] != 0; slot = (slot + 1) & mask)
    if (members[index[1 + slot] - 1].key.as_string() == key) return index[1 + slot] - 1;
  index[1 + slot] = number + 1;
  return number;
}

const Member* find_in_index(const uint32_t* index, const Member* members, std::string_view key) noexcept {
  const uint32_t mask = index[0];
  for (size_t slot = hash_key(key) & mask; index[1 + slot] != 0; slot = (slot + 1) & mask) {
    const Member& member = members[index[1 + slot] - 1];
    if (member.key.as_string() == key) return &member;
  }
  return nullptr;
}

std::optional<size_t> find_repeated_key(std::span<const Member> members) {
  if (members.size() < kIndexedMembersMin) return find_repeated_of_few(members);
  const std::unique_ptr<uint32_t, FreeIndex> index(allocate_index(members.size()));
  for (uint32_t number = 0; number < members.size(); ++number)
    if (enter_member(index.get(), members.data(), number) != number) return number;
  return std::nullopt;
}

size_t keep_last_of_repeated_keys(std::span<Member> members) {
  const std::unique_ptr<uint32_t, FreeIndex> index(allocate_index(members.size()));
  size_t kept = 0;
  for (Member& member : members) {
    if (&member != &members[kept]) members[kept] = std::move(member);
    const uint32_t earlier = enter_member(index.get(), members.data(), static_cast<uint32_t>(kept));
    if (earlier == kept)
      ++kept;
    else
      members[earlier].value = std::move(members[kept].value);
  }
  return kept;
}

}  // namespace pawl::json
