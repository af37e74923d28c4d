// `pawl schedule`: when a server starts definitions by itself.
#include "cli/client_output.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/follow.h"
#include "json/print.h"

namespace pawl::cli {

namespace {

using json::Value;

std::string path_of(const ScheduleOptions& options) { return "/api/schedules/" + as_path_part(options.definition); }

// One item of a list in the answer a line.
Result<void> print_items(const ScheduleOptions& options, const std::string& path, std::string_view list) {
  PAWL_TRY(const Value answer, Client(options).ask("GET", path));
  const Value* items = answer.find(list);
  if (items == nullptr || !items->is_array()) return {};
  for (const Value& item : items->items())
    print_line(item.is_string() ? std::string(item.as_string()) : json::print(item));
  return {};
}

}  // namespace

int schedule_list(const ScheduleOptions& options) {
  return conclude_list(print_items(options, "/api/schedules", "schedules"), options.json);
}

int schedule_next(const ScheduleOptions& options) {
  const std::string path = path_of(options) + "/next?count=" + std::to_string(options.count);
  return conclude_list(print_items(options, path, "next"), options.json);
}

int schedule_pause(const ScheduleOptions& options) {
  return conclude(Client(options).ask("POST", path_of(options) + "/pause"), options.json);
}

int schedule_resume(const ScheduleOptions& options) {
  return conclude(Client(options).ask("POST", path_of(options) + "/resume"), options.json);
}

}  // namespace pawl::cli
