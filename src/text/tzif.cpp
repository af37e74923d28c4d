// A TZif file has two blocks of one form. The first one, with times of 32 bits, is passed over:
//
//   header  "TZif" version(1) unused(15) and six counts of 4 bytes, all numbers big-endian:
//           UT indicators, standard indicators, leap seconds, changes, types, bytes of names
//   data    the instants of the changes; for each the number of its type (1);
//           types: offset (4), is daylight-saving (1), name (1); the names; leap seconds; indicators
//   footer  behind the second block: line feed, rule, line feed
#include "text/tzif.h"

#include <cstdlib>

#include "text/posix_zone_rule.h"

namespace pawl::text {

namespace {

constexpr size_t kCountMax = 1 << 20;
constexpr size_t kTypesMax = 256;
constexpr size_t kTypeBytes = 6;

// Reads from the front. What is not there makes it fail for good, and reads as zero.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  bool failed() const { return failed_; }
  std::string_view rest() const { return rest_; }

  std::string_view take(size_t size) {
    if (size > rest_.size()) {
      failed_ = true;
      rest_ = {};
      return {};
    }
    const std::string_view bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }

  template <typename Number>
  Number take_number() {
    uint64_t value = 0;
    for (const char byte : take(sizeof(Number))) value = value << 8 | static_cast<unsigned char>(byte);
    return static_cast<Number>(value);
  }

  size_t take_count() {
    const size_t count = take_number<uint32_t>();
    if (count <= kCountMax) return count;
    failed_ = true;
    return 0;
  }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

struct Header {
  size_t ut_indicators = 0;
  size_t standard_indicators = 0;
  size_t leap_seconds = 0;
  size_t changes = 0;
  size_t types = 0;
  size_t name_bytes = 0;

  size_t bytes_behind_types(size_t time_bytes) const {
    return name_bytes + leap_seconds * (time_bytes + 4) + standard_indicators + ut_indicators;
  }
  size_t data_bytes(size_t time_bytes) const {
    return changes * (time_bytes + 1) + types * kTypeBytes + bytes_behind_types(time_bytes);
  }
};

std::optional<Header> read_header(Reader& reader) {
  if (reader.take(4) != "TZif") return std::nullopt;
  const std::string_view version = reader.take(1);
  reader.take(15);
  Header header;
  header.ut_indicators = reader.take_count();
  header.standard_indicators = reader.take_count();
  header.leap_seconds = reader.take_count();
  header.changes = reader.take_count();
  header.types = reader.take_count();
  header.name_bytes = reader.take_count();
  if (reader.failed() || version < "2") return std::nullopt;
  return header;
}

bool is_ascending(const std::vector<ZoneChange>& changes) {
  for (size_t i = 1; i < changes.size(); ++i)
    if (changes[i].instant <= changes[i - 1].instant) return false;
  return true;
}

// The data of the second block. Before the first change its first type holds.
std::optional<ZoneTable> read_table(Reader& reader, const Header& header) {
  if (header.changes > kZoneChangesMax || header.types == 0 || header.types > kTypesMax || header.leap_seconds != 0)
    return std::nullopt;
  ZoneTable table;
  for (size_t i = 0; i < header.changes; ++i) table.changes.push_back({reader.take_number<int64_t>(), 0});
  const std::string_view type_numbers = reader.take(header.changes);
  std::vector<int32_t> offsets;
  for (size_t i = 0; i < header.types; ++i) {
    offsets.push_back(reader.take_number<int32_t>());
    reader.take(kTypeBytes - sizeof(int32_t));
    if (offsets.back() < -kZoneOffsetSecondsMax || offsets.back() > kZoneOffsetSecondsMax) return std::nullopt;
  }
  reader.take(header.bytes_behind_types(sizeof(int64_t)));
  if (reader.failed() || !is_ascending(table.changes)) return std::nullopt;
  for (size_t i = 0; i < header.changes; ++i) {
    const auto type = static_cast<unsigned char>(type_numbers[i]);
    if (type >= offsets.size()) return std::nullopt;
    table.changes[i].offset = offsets[type];
  }
  table.first_offset = offsets.front();
  return table;
}

}  // namespace

std::optional<TzifFile> parse_tzif(std::string_view bytes) {
  Reader reader(bytes);
  const auto first = read_header(reader);
  if (!first) return std::nullopt;
  reader.take(first->data_bytes(sizeof(int32_t)));
  const auto second = read_header(reader);
  if (!second) return std::nullopt;
  auto table = read_table(reader, *second);
  const std::string_view footer = reader.rest();
  if (!table || footer.size() < 2 || !footer.starts_with('\n') || !footer.ends_with('\n')) return std::nullopt;
  return TzifFile{std::move(*table), std::string(footer.substr(1, footer.size() - 2))};
}

}  // namespace pawl::text
