#include "store/sqlite/simulated_vfs.h"

#include <cstring>
#include <new>

#include <sqlite3.h>

#include "store/sqlite/simulated_disk.h"
#include "store/sqlite/simulated_file.h"

namespace pawl::store {

// Begins as every file of SQLite's does: with its methods.
struct SimulatedHandle {
  sqlite3_file base{};
  SimulatedDisk* disk = nullptr;
  std::shared_ptr<SimulatedFile> file;
  int lock = SQLITE_LOCK_NONE;
  bool uses_memory = false;
  uint32_t memory_shared = 0;  // bits: which of the index's locks it holds
  uint32_t memory_exclusive = 0;
};

namespace {

using Answer = SimulatedDisk::Answer;

SimulatedHandle& handle_of(sqlite3_file* file) { return *reinterpret_cast<SimulatedHandle*>(file); }
SimulatedDisk& disk_of(sqlite3_vfs* vfs) { return *static_cast<SimulatedDisk*>(vfs->pAppData); }

int code_of(Answer answer, int failure) {
  switch (answer) {
    case Answer::kOk:
      return SQLITE_OK;
    case Answer::kFailed:
      return failure;
    case Answer::kFull:
      return SQLITE_FULL;
  }
  return failure;
}

// --- reading and writing

int read(sqlite3_file* file, void* into, int size, sqlite3_int64 offset) {
  SimulatedHandle& handle = handle_of(file);
  const auto answer = handle.disk->read(*handle.file, static_cast<char*>(into), static_cast<uint64_t>(size),
                                        static_cast<uint64_t>(offset));
  if (answer != Answer::kOk) return SQLITE_IOERR_READ;
  const bool is_short = static_cast<uint64_t>(offset + size) > handle.file->seen.size();
  return is_short ? SQLITE_IOERR_SHORT_READ : SQLITE_OK;
}

int write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
  SimulatedHandle& handle = handle_of(file);
  return code_of(handle.disk->write(*handle.file, static_cast<const char*>(bytes), static_cast<uint64_t>(size),
                                    static_cast<uint64_t>(offset)),
                 SQLITE_IOERR_WRITE);
}

int truncate(sqlite3_file* file, sqlite3_int64 size) {
  SimulatedHandle& handle = handle_of(file);
  return code_of(handle.disk->truncate(*handle.file, static_cast<uint64_t>(size)), SQLITE_IOERR_TRUNCATE);
}

int sync(sqlite3_file* file, int) {
  SimulatedHandle& handle = handle_of(file);
  return code_of(handle.disk->sync(*handle.file), SQLITE_IOERR_FSYNC);
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  *size = static_cast<sqlite3_int64>(handle_of(file).file->seen.size());
  return SQLITE_OK;
}

// --- the database file's lock

int lock(sqlite3_file* file, int level) {
  SimulatedHandle& handle = handle_of(file);
  SimulatedFile& locked = *handle.file;
  if (handle.lock >= level) return SQLITE_OK;
  if (locked.exclusive != nullptr && locked.exclusive != &handle) return SQLITE_BUSY;
  if (level == SQLITE_LOCK_SHARED) {
    ++locked.shared;
  } else {
    if (locked.reserved != nullptr && locked.reserved != &handle) return SQLITE_BUSY;
    locked.reserved = &handle;
    if (level == SQLITE_LOCK_EXCLUSIVE) {
      if (locked.shared > 1) return SQLITE_BUSY;
      locked.exclusive = &handle;
    }
  }
  handle.lock = level;
  return SQLITE_OK;
}

int unlock(sqlite3_file* file, int level) {
  SimulatedHandle& handle = handle_of(file);
  SimulatedFile& locked = *handle.file;
  if (handle.lock <= level) return SQLITE_OK;
  if (locked.reserved == &handle) locked.reserved = nullptr;
  if (locked.exclusive == &handle) locked.exclusive = nullptr;
  if (level == SQLITE_LOCK_NONE && handle.lock >= SQLITE_LOCK_SHARED) --locked.shared;
  handle.lock = level;
  return SQLITE_OK;
}

int check_reserved(sqlite3_file* file, int* is_reserved) {
  *is_reserved = handle_of(file).file->reserved != nullptr ? 1 : 0;
  return SQLITE_OK;
}

// --- the index of the write-ahead log

int map_memory(sqlite3_file* file, int region, int size, int extend, void volatile** mapped) {
  SimulatedHandle& handle = handle_of(file);
  SimulatedFile& shared = *handle.file;
  if (!handle.uses_memory) ++shared.memory_users;
  handle.uses_memory = true;
  const auto wanted = static_cast<size_t>(region);
  while (extend != 0 && shared.memory.size() <= wanted)
    shared.memory.push_back(std::make_unique<char[]>(static_cast<size_t>(size)));
  *mapped = wanted < shared.memory.size() ? shared.memory[wanted].get() : nullptr;
  return SQLITE_OK;
}

void release_memory_lock(SimulatedHandle& handle, size_t slot) {
  const uint32_t bit = 1u << slot;
  if ((handle.memory_shared & bit) != 0) --handle.file->memory_shared[slot];
  if ((handle.memory_exclusive & bit) != 0) handle.file->memory_exclusive[slot] = nullptr;
  handle.memory_shared &= ~bit;
  handle.memory_exclusive &= ~bit;
}

bool may_lock_memory(const SimulatedHandle& handle, size_t slot, bool alone) {
  const SimulatedFile& shared = *handle.file;
  const bool is_taken = shared.memory_exclusive[slot] != nullptr && shared.memory_exclusive[slot] != &handle;
  const int own = (handle.memory_shared >> slot & 1) != 0 ? 1 : 0;
  return !is_taken && (!alone || shared.memory_shared[slot] == own);
}

void take_memory_lock(SimulatedHandle& handle, size_t slot, bool alone) {
  const uint32_t bit = 1u << slot;
  if (alone) {
    handle.file->memory_exclusive[slot] = &handle;
    handle.memory_exclusive |= bit;
  } else if ((handle.memory_shared & bit) == 0) {
    ++handle.file->memory_shared[slot];
    handle.memory_shared |= bit;
  }
}

int lock_memory(sqlite3_file* file, int offset, int count, int flags) {
  SimulatedHandle& handle = handle_of(file);
  const auto first = static_cast<size_t>(offset);
  const size_t end = first + static_cast<size_t>(count);
  const bool alone = (flags & SQLITE_SHM_EXCLUSIVE) != 0;
  if ((flags & SQLITE_SHM_UNLOCK) != 0) {
    for (size_t slot = first; slot < end; ++slot) release_memory_lock(handle, slot);
    return SQLITE_OK;
  }
  for (size_t slot = first; slot < end; ++slot)
    if (!may_lock_memory(handle, slot, alone)) return SQLITE_BUSY;
  for (size_t slot = first; slot < end; ++slot) take_memory_lock(handle, slot, alone);
  return SQLITE_OK;
}

void order_memory(sqlite3_file*) {}  // there is one thread

int unmap_memory(sqlite3_file* file, int) {
  SimulatedHandle& handle = handle_of(file);
  if (!handle.uses_memory) return SQLITE_OK;
  for (size_t slot = 0; slot < SimulatedFile::kMemoryLocks; ++slot) release_memory_lock(handle, slot);
  handle.uses_memory = false;
  if (--handle.file->memory_users == 0) handle.file->memory.clear();
  return SQLITE_OK;
}

// --- files

int file_control(sqlite3_file*, int, void*) { return SQLITE_NOTFOUND; }
int sector_size(sqlite3_file*) { return 4096; }
int characteristics(sqlite3_file*) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }

int close(sqlite3_file* file) {
  unmap_memory(file, 0);
  unlock(file, SQLITE_LOCK_NONE);
  handle_of(file).~SimulatedHandle();
  return SQLITE_OK;
}

constexpr sqlite3_io_methods kMethods = {
    .iVersion = 2,
    .xClose = close,
    .xRead = read,
    .xWrite = write,
    .xTruncate = truncate,
    .xSync = sync,
    .xFileSize = file_size,
    .xLock = lock,
    .xUnlock = unlock,
    .xCheckReservedLock = check_reserved,
    .xFileControl = file_control,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
    .xShmMap = map_memory,
    .xShmLock = lock_memory,
    .xShmBarrier = order_memory,
    .xShmUnmap = unmap_memory,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  file->pMethods = nullptr;
  SimulatedDisk& disk = disk_of(vfs);
  const bool create = (flags & SQLITE_OPEN_CREATE) != 0;
  const bool existed = name != nullptr && disk.exists(name);
  auto found = name == nullptr ? std::make_shared<SimulatedFile>() : disk.open(name, create);
  if (found == nullptr) return SQLITE_CANTOPEN;
  constexpr int kJournals = SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL;
  if (!existed && (flags & kJournals) != 0) found->needs_directory_sync = true;
  auto* handle = new (file) SimulatedHandle;
  handle->base.pMethods = &kMethods;
  handle->disk = &disk;
  handle->file = std::move(found);
  if (out_flags != nullptr) *out_flags = flags;
  return SQLITE_OK;
}

int remove(sqlite3_vfs* vfs, const char* name, int sync_directory) {
  SimulatedDisk& disk = disk_of(vfs);
  if (!disk.exists(name)) return SQLITE_IOERR_DELETE_NOENT;
  return code_of(disk.remove(name, sync_directory != 0), SQLITE_IOERR_DELETE);
}

int access(sqlite3_vfs* vfs, const char* name, int, int* answer) {
  *answer = disk_of(vfs).exists(name) ? 1 : 0;
  return SQLITE_OK;
}

int full_name(sqlite3_vfs*, const char* name, int size, char* into) {
  sqlite3_snprintf(size, into, "%s", name);
  return SQLITE_OK;
}

int draw(sqlite3_vfs* vfs, int size, char* into) {
  for (int i = 0; i < size; ++i) into[i] = static_cast<char>(disk_of(vfs).random().next());
  return size;
}

int pass_time(sqlite3_vfs*, int microseconds) { return microseconds; }

int tell_time(sqlite3_vfs*, double* day) {
  *day = 2460000.5;
  return SQLITE_OK;
}

int last_error(sqlite3_vfs*, int, char*) { return 0; }

}  // namespace

std::unique_ptr<sqlite3_vfs> make_simulated_vfs(const std::string& name, SimulatedDisk& disk) {
  constexpr int kNameBytesMax = 512;
  auto vfs = std::make_unique<sqlite3_vfs>();
  vfs->iVersion = 1;
  vfs->szOsFile = sizeof(SimulatedHandle);
  vfs->mxPathname = kNameBytesMax;
  vfs->zName = name.c_str();
  vfs->pAppData = &disk;
  vfs->xOpen = open;
  vfs->xDelete = remove;
  vfs->xAccess = access;
  vfs->xFullPathname = full_name;
  vfs->xRandomness = draw;
  vfs->xSleep = pass_time;
  vfs->xCurrentTime = tell_time;
  vfs->xGetLastError = last_error;
  return vfs;
}

}  // namespace pawl::store
