// The time zones that the machine has: the files of the IANA database (Debian's package tzdata) and its own setting.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pawl {

inline constexpr size_t kZoneNameBytesMax = 64;
inline constexpr size_t kZoneFileBytesMax = 1 << 20;

bool has_zone_files();  // false on a machine without tzdata, where UTC is the only zone

// The bytes of the file of a zone; none where there is no such zone. A name that could lead out of the folder is none.
std::optional<std::string> read_zone_file(std::string_view name);

// What the machine says of its own zone.
struct LocalZone {
  std::optional<std::string> variable;  // of TZ: a name or a rule; it goes before the file
  std::string name;                     // of the file's target, as Europe/Berlin; may be empty
  std::string bytes;                    // of /etc/localtime; empty where there is none
};
LocalZone read_local_zone();

}  // namespace pawl
