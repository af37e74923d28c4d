#include "report.h"

#include <fstream>
#include <iomanip>
#include <ostream>
#include <sstream>

#include "json/parse.h"

namespace pawl::conformance {

namespace {

constexpr int kTagWidth = 22;
constexpr int kLevelWidth = 26;
constexpr std::string_view kOtherSuite = "durable";  // its floor stands in the same file

Result<Value> read_floors(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return fail("FLOORS_UNREADABLE", "The file cannot be opened.", "Name a file of floors.", path);
  auto parsed = json::parse(text.str());
  if (!parsed) return fail("FLOORS_UNREADABLE", parsed.error().what, "Write JSON.", path + ":" + parsed.error().where);
  return *parsed;
}

}  // namespace

// Recordings that nobody validated against AWS are counted apart, whatever their tags.
std::vector<std::string> Tally::rows_of(const Recording& recording) const {
  if (recording.kind == RecordingKind::kCreateError || recording.aws_validated) {
    std::vector<std::string> rows = recording.tags;
    if (recording.kind == RecordingKind::kExecution) rows.emplace_back("all");
    return rows;
  }
  return {"not validated"};
}

void Tally::add(const Recording& recording, const Agreement& agreement) {
  for (const std::string& name : rows_of(recording)) {
    Row& row = rows_[name];
    bool agrees = true;
    for (const Level level : levels_of(recording)) {
      agrees = agrees && agreement.at(level).empty();
      row[level].of += 1;
      row[level].passed += agrees ? 1 : 0;
    }
  }
}

void Tally::leave_out(const Recording& recording) { ++left_out_[recording.left_out]; }

void Tally::print(std::ostream& out) const {
  for (const auto& [tag, row] : rows_)
    for (const auto& [level, count] : row)
      out << std::left << std::setw(kTagWidth) << tag << std::setw(kLevelWidth) << name_of(level) << "passed "
          << count.passed << " of " << count.of << '\n';
  for (const auto& [reason, count] : left_out_) out << "left out: " << count << " (" << reason << ")\n";
}

Result<std::vector<std::string>> Tally::below_floors(const std::string& floors_path) const {
  PAWL_TRY(const Value floors, read_floors(floors_path));
  std::vector<std::string> below;
  for (const json::Member& tag : floors.members()) {
    if (tag.key.as_string() == kOtherSuite) continue;
    const auto row = rows_.find(std::string(tag.key.as_string()));
    if (row == rows_.end()) {
      below.push_back(std::string(tag.key.as_string()) + ": nothing was run");
      continue;
    }
    for (const auto& [level, count] : row->second) {
      const Value* floor = tag.value.find(name_of(level));
      if (floor == nullptr || static_cast<int64_t>(count.passed) >= floor->as_integer().value_or(0)) continue;
      below.push_back(std::string(tag.key.as_string()) + ", " + std::string(name_of(level)) + ": passed " +
                      std::to_string(count.passed) + ", the floor is " + floor->number_text());
    }
  }
  return below;
}

void print_failure(const Recording& recording, const Agreement& agreement, std::ostream& out) {
  bool named = false;
  for (const Level level : levels_of(recording)) {
    if (agreement.at(level).empty()) continue;
    if (!named) out << "FAILED " << recording.id << (recording.aws_validated ? "" : " (not validated)") << '\n';
    named = true;
    for (const std::string& difference : agreement.at(level))
      out << "  " << name_of(level) << ": " << difference << '\n';
  }
}

}  // namespace pawl::conformance
