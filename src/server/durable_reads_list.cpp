// ListDurableExecutionsByFunction: newest first, or oldest first; by name, status and time of the start.
#include <algorithm>
#include <charconv>

#include "server/durable_reads.h"
#include "text/timestamp.h"

namespace pawl::server {

namespace {

struct Asked {
  FoundFunction function;
  store::ListFilter filter;
  std::string name;  // of an execution; empty: any
  std::string list;  // what the marker must be for
};

Outcome<std::optional<store::ExecutionStatus>> read_status(const LambdaRequest& request) {
  using Status = store::ExecutionStatus;
  std::optional<Status> found;
  for (const auto& [key, value] : request.query) {
    if (key != "Statuses") continue;
    if (found) return refuse_parameter("Cannot filter by more than one status");
    for (const Status status :
         {Status::kRunning, Status::kSucceeded, Status::kFailed, Status::kTimedOut, Status::kAborted})
      if (durable_status(status) == value) found = status;
    if (!found)
      return refuse_member("statuses",
                           "Member must satisfy enum value set: [RUNNING, SUCCEEDED, FAILED, TIMED_OUT, STOPPED]");
  }
  return found;
}

Outcome<std::optional<Timestamp>> read_time(const LambdaRequest& request, std::string_view name) {
  const std::string given = request.text(name);
  if (given.empty()) return std::nullopt;
  const auto time = text::parse_timestamp(given);
  if (!time) return refuse_member(name, "Member must be a timestamp");
  return time->ceil_to_milliseconds();
}

Outcome<Asked> read_list(const Service& service, const LambdaRequest& request) {
  Asked asked;
  PAWL_TRY(asked.function, find_function(service, request.subject, request.text("Qualifier")));
  asked.name = request.text("DurableExecutionName");
  if (const auto named = check_execution_name(asked.name); !named) return std::unexpected(named.error());
  PAWL_TRY(asked.filter.status, read_status(request));
  PAWL_TRY(asked.filter.started_after, read_time(request, "StartedAfter"));
  PAWL_TRY(asked.filter.started_before, read_time(request, "StartedBefore"));
  PAWL_TRY(asked.filter.is_oldest_first, read_flag(request, "ReverseOrder", false));
  PAWL_TRY(asked.filter.limit, read_page_size(request));
  if (asked.function.version != kLatest)
    asked.filter.version = static_cast<uint32_t>(std::stoul(asked.function.version));
  asked.list = "durables:" + asked.function.name + ":" + asked.function.version +
               (asked.filter.is_oldest_first ? ":oldest" : ":newest");
  PAWL_TRY(const std::string position, read_marker(service, asked.list, request));
  ExecutionId& begin = asked.filter.is_oldest_first ? asked.filter.after : asked.filter.before;
  std::from_chars(position.data(), position.data() + position.size(), begin.number);
  return asked;
}

// Those of $LATEST have no version in their rows.
bool is_wanted(const Asked& asked, const store::ExecutionRow& row) {
  const store::ListFilter& filter = asked.filter;
  return row.version == filter.version && (!filter.status || row.status == *filter.status) &&
         (!filter.started_after || row.started >= *filter.started_after) &&
         (!filter.started_before || row.started <= *filter.started_before) &&
         (filter.is_oldest_first ? row.id > filter.after : !filter.before || row.id < filter.before);
}

// Names are found by their hashes: nothing is read that has another.
std::vector<store::ExecutionRow> rows_with_name(const Service& service, const Asked& asked) {
  std::vector<store::ExecutionRow> rows;
  for (FoundDurable& found : find_durables_of(service, asked.function.name, asked.name))
    if (is_wanted(asked, found.row)) rows.push_back(std::move(found.row));
  return rows;
}

// One page and one more. Those of $LATEST cannot be asked for alone, so that what the store gives may hold none of
// them.
void add_rows_of(const Service& service, const Asked& asked, DefinitionId revision,
                 std::vector<store::ExecutionRow>& rows) {
  store::ListFilter filter = asked.filter;
  filter.definition = revision;
  filter.limit = asked.filter.limit + 1;
  const size_t enough = rows.size() + filter.limit;
  for (bool has_more = true; has_more && rows.size() < enough;) {
    std::vector<store::ExecutionRow> read = service.store.list_executions(filter);
    has_more = read.size() == filter.limit;
    if (has_more) (filter.is_oldest_first ? filter.after : filter.before) = read.back().id;
    for (store::ExecutionRow& row : read)
      if (is_wanted(asked, row)) rows.push_back(std::move(row));
  }
}

// Of all revisions of the function.
std::vector<store::ExecutionRow> rows_of(const Service& service, const Asked& asked) {
  std::vector<store::ExecutionRow> rows;
  if (!asked.name.empty())
    rows = rows_with_name(service, asked);
  else
    for (const DefinitionId revision : service.catalog.revisions_of(asked.function.machine->family))
      add_rows_of(service, asked, revision, rows);
  std::ranges::sort(rows, std::ranges::greater(), &store::ExecutionRow::id);
  if (asked.filter.is_oldest_first) std::ranges::reverse(rows);
  return rows;
}

Outcome<Value> list(const Service& service, const Asked& asked) {
  const auto rows = rows_of(service, asked);
  const size_t count = std::min(rows.size(), asked.filter.limit);
  json::ArrayBuilder items;
  for (size_t i = 0; i < count; ++i) {
    json::ObjectBuilder item(6);
    set_durable_row(service, {rows[i], service.catalog.find_revision(rows[i].definition)}, item);
    items.push(item.build());
  }
  json::ObjectBuilder answer(2);
  answer.set("DurableExecutions", items.build());
  if (rows.size() > count)
    answer.set("NextMarker", Value::string(page_token(service, asked.list, std::to_string(rows[count - 1].id.number))));
  return answer.build();
}

void list_executions(Service& service, const LambdaRequest& request, net::Respond respond) {
  auto asked = read_list(service, request);
  if (!asked) return respond(lambda_refusal(asked.error()));
  answer_from_back_office(
      service, [&service, asked = *std::move(asked)] { return list(service, asked); },
      lambda_reply(std::move(respond)));
}

constexpr LambdaRoute kRoutes[] = {
    {"ListDurableExecutionsByFunction", "GET", "/2025-12-01/functions/{}/durable-executions", list_executions},
};

}  // namespace

std::span<const LambdaRoute> durable_list_routes() { return kRoutes; }

}  // namespace pawl::server
