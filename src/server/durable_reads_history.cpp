// GetDurableExecutionHistory: a page of an execution's events, in either order, with or without their data.
#include <algorithm>
#include <charconv>
#include <span>

#include "lang/durable/history.h"
#include "server/durable_reads.h"

namespace pawl::server {

namespace {

struct Page {
  ExecutionId execution;
  std::string list;  // what the marker must be for
  engine::EventRange range;
  bool with_data = true;
};

// A position is the number of the page's first event.
Outcome<Page> read_page(const Service& service, const LambdaRequest& request, ExecutionId execution) {
  Page page;
  page.execution = execution;
  PAWL_TRY(page.range.reverse, read_flag(request, "ReverseOrder", false));
  PAWL_TRY(page.with_data, read_flag(request, "IncludeExecutionData", true));
  PAWL_TRY(const size_t count, read_page_size(request));
  page.range.count = static_cast<uint32_t>(count);
  page.list = "durable:" + std::to_string(execution.number) + (page.range.reverse ? ":reverse" : ":forward");
  PAWL_TRY(const std::string position, read_marker(service, page.list, request));
  std::from_chars(position.data(), position.data() + position.size(), page.range.from.number);
  return page;
}

// --- what a chained invoke started

// The operation by which the entry of an event waits for its call: the facts after the event's tell it.
OperationId operation_of(std::span<const kernel::Fact> after, const Value& entry) {
  for (const kernel::Fact& fact : after) {
    const Value* waits = fact.kind == kernel::FactKind::kOperationScheduled ? fact.extra.find("entry") : nullptr;
    if (waits != nullptr && *waits == entry) return fact.operation;
  }
  return {};
}

Value with_started(const Value& event, std::string_view version, const Value& arn) {
  Value details = event.find("ChainedInvokeStartedDetails")->with_member("ExecutedVersion", Value::string(version));
  if (!arn.is_null()) details = details.with_member("DurableExecutionArn", arn);
  return event.with_member("ChainedInvokeStartedDetails", details);
}

// A function that is not durable has no execution to name: its version follows from what was called.
Value with_plain_version(const Service& service, const Value& event) {
  const Value* name = event.find("ChainedInvokeStartedDetails")->find("FunctionName");
  const auto function = find_function(service, name->as_string(), "");
  const bool is_plain = function && !function->configuration.is_durable();
  return is_plain ? with_started(event, function->version, {}) : event;
}

// The call is made once the event is durable, so that the event itself cannot name what it started.
Value with_child(const Service& service, ExecutionId parent, const Value& event, std::span<const kernel::Fact> after) {
  const OperationId operation = operation_of(after, *event.find("Id"));
  const auto row = operation ? service.engine.find_child({parent, operation, 0, {}}) : std::nullopt;
  if (!row) return with_plain_version(service, event);
  const RevisionPointer revision = service.catalog.find_revision(row->definition);
  if (revision == nullptr || !is_function(*revision)) return event;
  return with_started(event, version_text(row->version), Value::string(durable_arn(service.arns, *revision, *row)));
}

// The events from the page's first on, as far as the facts go; one more than the page has where there are more.
std::vector<Value> events_of(const Service& service, const engine::HistoryPart& part, const Page& page) {
  functions::HistoryView view(part.before.get(), page.with_data);
  std::vector<Value> events;
  const std::span<const kernel::Fact> facts = part.facts;
  for (size_t i = 0; i < facts.size(); ++i) {
    const kernel::Fact& fact = facts[i];
    Value event = view.event_of(fact);
    if (!event.is_object() || is_before(page.range, fact.event)) continue;
    const bool is_call = event.find("ChainedInvokeStartedDetails") != nullptr;
    events.push_back(is_call ? with_child(service, page.execution, event, facts.subspan(i + 1)) : std::move(event));
    if (!page.range.reverse && events.size() > page.range.count) break;
  }
  if (page.range.reverse) std::ranges::reverse(events);
  return events;
}

Value to_answer(const Service& service, const std::vector<Value>& events, const Page& page) {
  const size_t count = std::min<size_t>(events.size(), page.range.count);
  json::ArrayBuilder items;
  for (size_t i = 0; i < count; ++i) items.push(events[i]);
  const int64_t next = next_page_begin(events, page.range, "EventId");
  json::ObjectBuilder answer(2);
  answer.set("Events", items.build());
  if (next != 0) answer.set("NextMarker", Value::string(page_token(service, page.list, std::to_string(next))));
  return answer.build();
}

void get_history(Service& service, const LambdaRequest& request, net::Respond respond) {
  const auto found = find_durable(service, request.subject);
  if (!found) return respond(lambda_refusal(found.error()));
  auto page = read_page(service, request, found->row.id);
  if (!page) return respond(lambda_refusal(page.error()));
  const engine::EventRange range = page->range;
  service.engine.history(
      found->row.id, range,
      [&service, page = *std::move(page), respond = std::move(respond)](Result<engine::HistoryPart> part) mutable {
        if (!part) return respond(lambda_refusal(to_lambda_refusal(part.error())));
        auto compute = [&service, page, part = *std::move(part)]() -> Outcome<Value> {
          return to_answer(service, events_of(service, part, page), page);
        };
        answer_from_back_office(service, std::move(compute), lambda_reply(std::move(respond)));
      });
}

constexpr LambdaRoute kRoutes[] = {
    {"GetDurableExecutionHistory", "GET", "/2025-12-01/durable-executions/{}/history", get_history},
};

}  // namespace

std::span<const LambdaRoute> durable_history_routes() { return kRoutes; }

}  // namespace pawl::server
