#include "cli/event_file.h"

#include "cli/files.h"
#include "json/parse.h"
#include "net/cloud_event.h"
#include "text/duration.h"

namespace pawl::cli {

namespace {

using json::Value;

std::unexpected<Error> invalid(std::string what, std::string pointer = "") {
  return fail("EVENTS_INVALID", std::move(what),
              R"(Write {"after":"PT5S","event":{"source":…,"type":…,"data":…}}, one a line.)", std::move(pointer));
}

Result<Duration> read_after(const Value& line, Timestamp begin) {
  const Value* after = line.find("after");
  if (after == nullptr) return Duration(0);
  if (!after->is_string()) return invalid("'after' is no text.", "/after");
  const auto duration = text::parse_duration(after->as_string());
  if (!duration) return fail(duration.error().code, duration.error().what, duration.error().fix, "/after");
  if (duration->is_negative()) return invalid("'after' is negative.", "/after");
  PAWL_TRY(const Timestamp at, text::add(begin, *duration));
  return at - begin;
}

// The texts that people copy events from leave the version and the id out.
Result<Value> read_event(const Value& event, size_t number) {
  const bool is_whole = event.find("specversion") != nullptr;
  const Value versioned = is_whole ? event : event.with_member("specversion", Value::string("1.0"));
  return net::check_cloud_event(versioned, [&] { return "line-" + std::to_string(number); }, "/event");
}

Result<TimedEvent> read_members(const Value& line, size_t number, Timestamp begin) {
  const Value* event = line.find("event");
  if (event == nullptr || !event->is_object()) return invalid("There is no object 'event' in the line.");
  for (const json::Member& member : line.members())
    if (member.key != Value::string("after") && member.key != Value::string("event"))
      return invalid("A line has no '" + std::string(member.key.as_string()) + "'.");
  PAWL_TRY(const Duration after, read_after(line, begin));
  PAWL_TRY(Value whole, read_event(*event, number));
  return TimedEvent{after, std::move(whole)};
}

// Errors say the column, and behind it the JSON Pointer in the line.
Result<TimedEvent> read_line(std::string_view text, size_t number, Timestamp begin) {
  const auto line = json::parse_document(text);
  if (!line) {
    Error error = line.error();
    error.where.erase(0, error.where.find(':') + 1);  // the parser's own line is always the first
    return std::unexpected(std::move(error));
  }
  auto event = read_members(line->root, number, begin);
  if (event) return event;
  Error error = event.error();
  const std::string column = std::to_string(line->positions.value_at(error.where).column);
  error.where = error.where.empty() ? column : column + " " + error.where;
  return std::unexpected(std::move(error));
}

}  // namespace

Result<std::vector<TimedEvent>> read_event_file(const std::string& file, Timestamp begin) {
  PAWL_TRY(const std::string text, read_file(file, kEventFileBytesMax));
  std::vector<TimedEvent> events;
  size_t number = 0;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = std::string_view(text).substr(start, end - start);
    start = end + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    auto event = read_line(line, number, begin);
    if (!event) {
      Error error = event.error();
      error.where = file + ":" + std::to_string(number) + ":" + error.where;
      return std::unexpected(std::move(error));
    }
    events.push_back(*std::move(event));
  }
  return events;
}

}  // namespace pawl::cli
