// A file of the simulated disk: what is stored, what is seen, what was changed in between; and its locks.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pawl::store {

// What a connection has open.
struct SimulatedHandle;

class SimulatedFile {
 public:
  struct Change {
    bool is_truncation = false;
    uint64_t offset = 0;  // of a truncation: the size
    std::string bytes;
  };

  std::string stored;  // what surely is on the disk
  std::string seen;    // what reads give
  std::vector<Change> unsynced;
  bool needs_directory_sync = false;  // a journal that is new

  // The database file's lock: many share it, one may reserve it, and then have it alone.
  int shared = 0;
  const SimulatedHandle* reserved = nullptr;
  const SimulatedHandle* exclusive = nullptr;

  // The index of the write-ahead log: memory that the connections share, with eight locks.
  static constexpr size_t kMemoryLocks = 8;
  std::vector<std::unique_ptr<char[]>> memory;
  int memory_users = 0;
  std::array<int, kMemoryLocks> memory_shared{};
  std::array<const SimulatedHandle*, kMemoryLocks> memory_exclusive{};
};

inline void apply_change(const SimulatedFile::Change& change, std::string& content) {
  if (change.is_truncation) return content.resize(change.offset);
  const uint64_t end = change.offset + change.bytes.size();
  if (content.size() < end) content.resize(end);
  content.replace(change.offset, change.bytes.size(), change.bytes);
}

}  // namespace pawl::store
