#include "cli/sibling_definitions.h"

#include <algorithm>
#include <filesystem>

#include "api/machine.h"
#include "cli/documents.h"
#include "cli/files.h"
#include "cli/run_parts.h"

namespace pawl::cli {

namespace {

namespace fs = std::filesystem;

std::string folder_of(const RunOptions& options) {
  if (options.definitions_folder) return *options.definitions_folder;
  const fs::path folder = fs::path(options.file).parent_path();
  return folder.empty() ? "." : folder.string();
}

// In the order of their names, so that of two with one id it is always the same that counts.
std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.is_regular_file(error) && may_be_definition(entry.path().string()) && files.size() < kSiblingsMax)
      files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

// What a file's definition is called; empty where it holds none.
std::string name_in(const std::string& file) {
  const auto document = read_document(file);
  if (!document || !api::language_of(document->root, file)) return {};
  const json::Value* id = document->root.find("id");
  return id != nullptr && id->is_string() ? std::string(id->as_string()) : api::machine_name_of(file);
}

}  // namespace

SiblingDefinitions::SiblingDefinitions(const RunOptions& options, std::stop_source stop)
    : folder_(folder_of(options)),
      assignments_(options.assignments),
      elsewhere_(elsewhere_of(options)),
      stop_(std::move(stop)) {}

void SiblingDefinitions::look_around() {
  if (std::exchange(has_looked_, true)) return;
  for (const std::string& file : files_in(folder_))
    if (std::string name = name_in(file); !name.empty()) files_.try_emplace(std::move(name), file);
}

std::shared_ptr<const kernel::Program> SiblingDefinitions::find(std::string_view name) {
  look_around();
  const auto found = files_.find(name);
  if (found == files_.end()) return nullptr;
  const auto text = read_file(found->second, kDefinitionBytesMax);
  if (!text) return nullptr;
  api::LoadedDefinition loaded = api::load_definition({.text = *text,
                                                       .file = found->second,
                                                       .assignments = assignments_,
                                                       .read = read_beside(found->second, elsewhere_),
                                                       .shares_assignments = true});
  if (loaded.program != nullptr) return loaded.program;
  diagnostics_ = std::move(loaded.diagnostics);
  stop_.request_stop();
  return nullptr;
}

}  // namespace pawl::cli
