#include "store/sqlite/simulated_disk.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <sqlite3.h>

#include "base/assert.h"
#include "store/sqlite/simulated_file.h"
#include "store/sqlite/simulated_vfs.h"

namespace pawl::store {

namespace {

constexpr uint64_t kSectorBytes = 512;  // what the disk writes whole or not at all

std::string next_name() {
  static uint64_t disks = 0;
  return "simulated-disk-" + std::to_string(++disks);
}

}  // namespace

// SQLite draws its own random numbers from the default file system, once: it must be this one, so that a seed decides
// them too.
SimulatedDisk::SimulatedDisk(uint64_t seed)
    : random_(seed), name_(next_name()), vfs_(make_simulated_vfs(name_, *this)) {
  sqlite3_initialize();
  PAWL_ASSERT(sqlite3_vfs_register(vfs_.get(), 1) == SQLITE_OK);
  sqlite3_randomness(0, nullptr);
}

SimulatedDisk::~SimulatedDisk() {
  sqlite3_vfs_unregister(vfs_.get());
  sqlite3_randomness(0, nullptr);
}

// --- what SQLite asks for

std::shared_ptr<SimulatedFile> SimulatedDisk::open(const std::string& name, bool create) {
  if (const auto found = seen_names_.find(name); found != seen_names_.end()) return found->second;
  if (!create || !has_power_) return nullptr;
  return seen_names_[name] = std::make_shared<SimulatedFile>();
}

// Whether there is power for one more change. It fails in the middle of one: the change has then begun.
bool SimulatedDisk::begin_change() {
  if (!has_power_) return false;
  if (++changes_ == power_ends_at_) has_power_ = false;
  return true;
}

SimulatedDisk::Answer SimulatedDisk::remove(const std::string& name, bool sync_directory) {
  if (!begin_change()) return Answer::kFailed;
  seen_names_.erase(name);
  if (!has_power_) return Answer::kFailed;
  if (sync_directory) stored_names_ = seen_names_;
  return Answer::kOk;
}

SimulatedDisk::Answer SimulatedDisk::read(const SimulatedFile& file, char* into, uint64_t size, uint64_t offset) {
  if (!has_power_ || ++reads_ == failing_read_) return Answer::kFailed;
  const uint64_t there = offset < file.seen.size() ? std::min<uint64_t>(size, file.seen.size() - offset) : 0;
  std::memcpy(into, file.seen.data() + std::min<uint64_t>(offset, file.seen.size()), there);
  std::memset(into + there, 0, size - there);
  return Answer::kOk;
}

SimulatedDisk::Answer SimulatedDisk::write(SimulatedFile& file, const char* bytes, uint64_t size, uint64_t offset) {
  if (!begin_change()) return Answer::kFailed;
  const uint64_t end = offset + size;
  const uint64_t growth = end > file.seen.size() ? end - file.seen.size() : 0;
  if (capacity_ && used_bytes() + growth > *capacity_) return Answer::kFull;
  SimulatedFile::Change change{false, offset, std::string(bytes, size)};
  apply_change(change, file.seen);
  file.unsynced.push_back(std::move(change));
  return has_power_ ? Answer::kOk : Answer::kFailed;
}

SimulatedDisk::Answer SimulatedDisk::truncate(SimulatedFile& file, uint64_t size) {
  if (!begin_change()) return Answer::kFailed;
  SimulatedFile::Change change{true, size, {}};
  apply_change(change, file.seen);
  file.unsynced.push_back(std::move(change));
  return has_power_ ? Answer::kOk : Answer::kFailed;
}

SimulatedDisk::Answer SimulatedDisk::sync(SimulatedFile& file) {
  if (!begin_change()) return Answer::kFailed;
  const bool fails = ++syncs_ == failing_sync_;
  if (fails || !has_power_) {
    settle(file, Survival::kSome);
    return Answer::kFailed;
  }
  for (const SimulatedFile::Change& change : file.unsynced) apply_change(change, file.stored);
  file.unsynced.clear();
  if (std::exchange(file.needs_directory_sync, false)) stored_names_ = seen_names_;
  return Answer::kOk;
}

// --- faults

uint64_t SimulatedDisk::used_bytes() const {
  uint64_t used = 0;
  for (const auto& [name, file] : seen_names_) used += file->seen.size();
  return used;
}

void SimulatedDisk::heal() {
  power_ends_at_ = 0;
  failing_sync_ = 0;
  failing_read_ = 0;
  capacity_.reset();
}

// Each change is kept or not; of a write that is torn, some sectors are.
void SimulatedDisk::settle(SimulatedFile& file, Survival survival) {
  for (const SimulatedFile::Change& change : std::exchange(file.unsynced, {})) {
    const uint64_t fate = survival == Survival::kAll ? 0 : survival == Survival::kNothing ? 1 : random_.next() % 3;
    if (fate == 0) apply_change(change, file.stored);
    if (fate <= 1 || change.is_truncation) continue;
    for (uint64_t done = 0; done < change.bytes.size();) {
      const uint64_t at = change.offset + done;
      const uint64_t piece = std::min(kSectorBytes - at % kSectorBytes, change.bytes.size() - done);
      if (coin()) apply_change({false, at, change.bytes.substr(done, piece)}, file.stored);
      done += piece;
    }
  }
}

// A new file may not be found again, and a deleted one may be there.
void SimulatedDisk::settle_names(Survival survival) {
  if (survival == Survival::kAll) stored_names_ = seen_names_;
  if (survival == Survival::kSome) {
    Names all = stored_names_;
    all.insert(seen_names_.begin(), seen_names_.end());
    for (const auto& [name, file] : all)
      if (coin()) {
        const auto seen = seen_names_.find(name);
        if (seen == seen_names_.end())
          stored_names_.erase(name);
        else
          stored_names_[name] = seen->second;
      }
  }
  seen_names_ = stored_names_;
}

void SimulatedDisk::restore_power(Survival survival) {
  for (const Names* names : {&seen_names_, &stored_names_})
    for (const auto& [name, file] : *names) settle(*file, survival);
  settle_names(survival);
  for (const auto& [name, file] : seen_names_) {
    PAWL_ASSERT(file.use_count() == 2, name, "is still open");
    file->seen = file->stored;
    file->needs_directory_sync = false;
  }
  has_power_ = true;
  power_ends_at_ = 0;
}

void SimulatedDisk::flip_bit(const std::string& file, uint64_t offset, int bit) {
  SimulatedFile& found = *seen_names_.at(file);
  for (std::string* content : {&found.seen, &found.stored})
    if (offset < content->size()) (*content)[offset] = static_cast<char>((*content)[offset] ^ (1 << bit));
}

std::string SimulatedDisk::content_of(const std::string& file) const {
  const auto found = seen_names_.find(file);
  return found == seen_names_.end() ? std::string() : found->second->seen;
}

}  // namespace pawl::store
