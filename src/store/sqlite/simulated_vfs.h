// The simulated disk as SQLite sees it.
#pragma once

#include <memory>
#include <string>

struct sqlite3_vfs;

namespace pawl::store {

class SimulatedDisk;

// Not yet registered. The name and the disk outlive it.
std::unique_ptr<sqlite3_vfs> make_simulated_vfs(const std::string& name, SimulatedDisk& disk);

}  // namespace pawl::store
