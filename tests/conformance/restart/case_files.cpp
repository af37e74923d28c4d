#include "case_files.h"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

namespace pawl::conformance {

namespace {

// By the names of the files that name them.
bool needs_published_examples(const std::filesystem::path& file) {
  return file.filename() == "examples.test.yaml" || file.filename() == "samples.test.yaml";
}

}  // namespace

std::vector<cases::Case> read_cases(const std::string& folder) {
  const bool has_examples = std::filesystem::exists(PAWL_SOURCE_DIR "/../shared/corpus/" + folder);
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(PAWL_SOURCE_DIR "/tests/conformance/" + folder))
    if (entry.path().string().ends_with(".test.yaml") && (has_examples || !needs_published_examples(entry.path())))
      files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<cases::Case> all;
  for (const auto& file : files) {
    auto read = cases::read_case_file(file.string());
    if (!read) ADD_FAILURE() << to_string(read.error());
    if (read) std::ranges::move(read->cases, std::back_inserter(all));
  }
  return all;
}

std::string fast_folder() {
  const std::filesystem::path memory = "/dev/shm";
  return (std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path()).string();
}

}  // namespace pawl::conformance
