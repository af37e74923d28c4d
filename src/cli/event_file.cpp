#include "cli/event_file.h"

#include "cli/files.h"
#include "json/parse.h"
#include "text/duration.h"

namespace pawl::cli {

namespace {

using json::Value;

std::unexpected<Error> invalid(std::string what) {
  return fail("EVENTS_INVALID", std::move(what),
              R"(Write {"after":"PT5S","event":{"source":…,"type":…,"data":…}}, one a line.)");
}

Result<Duration> read_after(const Value& line, Timestamp begin) {
  const Value* after = line.find("after");
  if (after == nullptr) return Duration(0);
  if (!after->is_string()) return invalid("'after' is no text.");
  PAWL_TRY(const text::CalendarDuration duration, text::parse_duration(after->as_string()));
  if (duration.is_negative()) return invalid("'after' is negative.");
  PAWL_TRY(const Timestamp at, text::add(begin, duration));
  return at - begin;
}

// The texts that people copy events from leave these two out.
Value completed(const Value& event, size_t number) {
  Value whole = event;
  if (whole.find("specversion") == nullptr) whole = whole.with_member("specversion", Value::string("1.0"));
  if (whole.find("id") == nullptr) whole = whole.with_member("id", Value::string("line-" + std::to_string(number)));
  return whole;
}

Result<TimedEvent> read_line(std::string_view text, size_t number, Timestamp begin) {
  PAWL_TRY(const Value line, json::parse(text));
  const Value* event = line.find("event");
  if (event == nullptr || !event->is_object()) return invalid("There is no object 'event' in the line.");
  for (const json::Member& member : line.members())
    if (member.key != Value::string("after") && member.key != Value::string("event"))
      return invalid("A line has no '" + std::string(member.key.as_string()) + "'.");
  PAWL_TRY(const Duration after, read_after(line, begin));
  return TimedEvent{after, completed(*event, number)};
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
      error.where = file + ":" + std::to_string(number) + (error.where.empty() ? "" : ":" + error.where);
      return std::unexpected(std::move(error));
    }
    events.push_back(*std::move(event));
  }
  return events;
}

}  // namespace pawl::cli
