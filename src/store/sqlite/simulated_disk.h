// A disk in memory for SQLite, which forgets and lies as real ones do: the simulated twin of the file system.
//
// What is written is seen at once and is durable only after a sync of its file; a new or a deleted file only after a
// sync of the directory (which SQLite asks for with the first sync of a new journal). When the power fails, each change
// that no sync covers is kept, lost or torn, sector by sector and independently of the others, so that a later one may
// survive an earlier one. A seed decides which.
//
//   SimulatedDisk disk(7);
//   auto store = SqliteStore::open("data", {.vfs = disk.vfs()}).value();
//   …
//   disk.lose_power();  store.reset();  disk.restore_power(SimulatedDisk::Survival::kSome);
//
// Lifecycle: outlives every connection to it; none is open while the power comes back. One thread. Not for locks
// between processes: a second process on the same directory is the real file system's test.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"

struct sqlite3_vfs;

namespace pawl::store {

class SimulatedFile;

class SimulatedDisk {
 public:
  // What becomes of changes that no sync covers.
  enum class Survival : uint8_t {
    kAll,      // only the process ended: the system still writes them
    kSome,     // the power failed
    kNothing,  // the power failed before the disk had begun with any
  };
  enum class Answer : uint8_t { kOk, kFailed, kFull };

  explicit SimulatedDisk(uint64_t seed);
  ~SimulatedDisk();
  SimulatedDisk(const SimulatedDisk&) = delete;
  SimulatedDisk& operator=(const SimulatedDisk&) = delete;

  const std::string& vfs() const { return name_; }  // as SQLite knows it

  // --- faults

  // Nothing is written, synced or read any more.
  void lose_power() { has_power_ = false; }
  // As lose_power, in the middle of the n-th change (write, sync, truncation, deletion) from now on, counted from 1.
  void lose_power_at(uint64_t change) { power_ends_at_ = changes_ + change; }
  bool has_power() const { return has_power_; }
  void restore_power(Survival survival);

  // What does not fit is refused, SQLITE_FULL, and every write where less is left than is used; nullopt: everything
  // fits.
  void set_capacity(std::optional<uint64_t> bytes) { capacity_ = bytes; }
  uint64_t used_bytes() const;
  // The n-th sync from now on fails, SQLITE_IOERR_FSYNC. What it should have synced is then lost or not, and no later
  // sync brings it back, as on Linux.
  void fail_sync_at(uint64_t sync) { failing_sync_ = syncs_ + sync; }
  // The n-th read from now on fails, SQLITE_IOERR_READ.
  void fail_read_at(uint64_t read) { failing_read_ = reads_ + read; }
  // No sync or read fails by itself any more, and the power stays.
  void heal();
  // Turns one bit of what is stored. The file and the place must exist.
  void flip_bit(const std::string& file, uint64_t offset, int bit);
  // The bytes of a file, as they are seen; empty where there is none.
  std::string content_of(const std::string& file) const;

  uint64_t changes() const { return changes_; }
  uint64_t syncs() const { return syncs_; }
  uint64_t reads() const { return reads_; }

  // --- for the file system that SQLite sees (simulated_vfs.cpp)

  std::shared_ptr<SimulatedFile> open(const std::string& name, bool create);
  bool exists(const std::string& name) const { return seen_names_.contains(name); }
  Answer remove(const std::string& name, bool sync_directory);
  Answer read(const SimulatedFile& file, char* into, uint64_t size, uint64_t offset);
  Answer write(SimulatedFile& file, const char* bytes, uint64_t size, uint64_t offset);
  Answer truncate(SimulatedFile& file, uint64_t size);
  Answer sync(SimulatedFile& file);
  Random& random() { return random_; }

 private:
  using Names = std::map<std::string, std::shared_ptr<SimulatedFile>>;
  bool begin_change();
  bool coin() { return random_.next() % 2 == 0; }
  void settle(SimulatedFile& file, Survival survival);
  void settle_names(Survival survival);

  SeededRandom random_;
  std::string name_;
  std::unique_ptr<sqlite3_vfs> vfs_;
  Names seen_names_;
  Names stored_names_;
  bool has_power_ = true;
  std::optional<uint64_t> capacity_;
  uint64_t changes_ = 0;
  uint64_t syncs_ = 0;
  uint64_t reads_ = 0;
  uint64_t power_ends_at_ = 0;  // 0: never; so the others
  uint64_t failing_sync_ = 0;
  uint64_t failing_read_ = 0;
};

}  // namespace pawl::store
