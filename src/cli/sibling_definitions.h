// The definitions that a run's sub-workflows name: those in a folder, found by their id.
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "api/definition.h"
#include "cli/commands.h"
#include "cli/files.h"

namespace pawl::cli {

inline constexpr size_t kSiblingsMax = 10'000;  // files that are looked at

// One thread. The folder is read when the first definition is asked for.
class SiblingDefinitions {
 public:
  // In --definitions, else the folder of the file that is run. A definition with errors ends the run: it asks for the
  // stop, and diagnostics() has them.
  SiblingDefinitions(const RunOptions& options, std::stop_source stop);

  // Null where there is none, or where it has errors.
  std::shared_ptr<const kernel::Program> find(std::string_view name);
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  void look_around();

  const std::string folder_;
  const std::vector<std::string> assignments_;
  const Elsewhere elsewhere_;
  std::stop_source stop_;
  bool has_looked_ = false;
  std::map<std::string, std::string, std::less<>> files_;  // by the name of the definition
  Diagnostics diagnostics_;
};

}  // namespace pawl::cli
