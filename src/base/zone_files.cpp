#include "base/zone_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace pawl {

namespace {

constexpr const char* kLocalZoneFile = "/etc/localtime";
constexpr const char* kZoneFolders[] = {"/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo"};
constexpr std::string_view kZoneFolderName = "zoneinfo/";

std::string read_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  if (std::filesystem::file_size(path, ignored) > kZoneFileBytesMax) return {};
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) return std::nullopt;
  return value;
}

std::optional<std::filesystem::path> zone_folder() {
  std::error_code ignored;
  if (const auto named = variable("TZDIR"); named && std::filesystem::is_directory(*named, ignored)) return *named;
  for (const char* folder : kZoneFolders)
    if (std::filesystem::is_directory(folder, ignored)) return folder;
  return std::nullopt;
}

bool is_zone_name(std::string_view name) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '+' ||
           c == '-' || c == '/';
  };
  return !name.empty() && name.size() <= kZoneNameBytesMax && !name.starts_with('/') &&
         std::ranges::all_of(name, is_allowed);
}

}  // namespace

bool has_zone_files() { return zone_folder().has_value(); }

std::optional<std::string> read_zone_file(std::string_view name) {
  const auto folder = zone_folder();
  if (!folder || !is_zone_name(name)) return std::nullopt;
  std::string bytes = read_file(*folder / name);
  if (bytes.empty()) return std::nullopt;
  return bytes;
}

LocalZone read_local_zone() {
  std::error_code ignored;
  LocalZone local{variable("TZ"), {}, read_file(kLocalZoneFile)};
  const std::string target = std::filesystem::canonical(kLocalZoneFile, ignored).string();
  const size_t folder = target.find(kZoneFolderName);
  if (folder != std::string::npos) local.name = target.substr(folder + kZoneFolderName.size());
  return local;
}

}  // namespace pawl
