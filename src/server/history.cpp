// GetExecutionHistory: a page of an execution's events, in either order.
#include <algorithm>
#include <charconv>

#include "json/members.h"
#include "server/history_events.h"
#include "server/service.h"

namespace pawl::server {

namespace {

using json::ObjectBuilder;

constexpr Field kHistoryFields[] = {{"executionArn", FieldKind::kText, true, 1, kArnCharactersMax},
                                    {"reverseOrder", FieldKind::kFlag},
                                    {"includeExecutionData", FieldKind::kFlag},
                                    kMaxResults,
                                    kNextToken};

struct Page {
  std::string list;  // what the token must be for
  engine::EventRange range;
  bool with_data = true;
  Value qualifiers;  // the version and the alias that the execution was started by
};

// A position is the number of the page's first event.
Outcome<Page> read_page(const Service& service, const Request& request, const FoundExecution& execution) {
  Page page;
  ObjectBuilder qualifiers;
  set_qualifiers(service, execution.revision->machine, execution.row, qualifiers);
  page.qualifiers = qualifiers.build();
  page.range.reverse = request.flag("reverseOrder", false);
  page.range.count = static_cast<uint32_t>(page_size(request));
  page.with_data = request.flag("includeExecutionData", true);
  page.list = "history:" + std::to_string(execution.row.id.number) + (page.range.reverse ? ":reverse" : ":forward");
  PAWL_TRY(const std::string position, page_position(service, page.list, request));
  std::from_chars(position.data(), position.data() + position.size(), page.range.from.number);
  return page;
}

// The data of the event, which a client may not want: its input, output and parameters.
Value without_data(const Value& details) {
  Value kept = details;
  for (const char* name : {"input", "output", "parameters"})
    if (kept.find(name) != nullptr) kept = kept.without_member(name);
  return kept;
}

Value with_qualifiers(const Value& event, const Value& qualifiers) {
  constexpr std::string_view kDetails = "executionStartedEventDetails";
  Value details = *event.find(kDetails);
  for (const json::Member& member : qualifiers.members())
    details = details.with_member(member.key.as_string(), member.value);
  return event.with_member(kDetails, details);
}

Value as_protocol_has_it(const Value& event, Timestamp time, bool with_data) {
  Value changed = event.with_member("timestamp", to_seconds(time));
  if (with_data) return changed;
  for (const json::Member& member : event.members())
    if (member.key.as_string().ends_with("EventDetails"))
      changed = changed.with_member(member.key.as_string(), without_data(member.value));
  return changed;
}

}  // namespace

Value protocol_event(HistoryEvents& view, const kernel::Fact& fact, const Value& qualifiers, bool with_data) {
  Value event = view.event_of(fact);
  if (!event.is_object()) return {};
  if (view.is_durable()) return event;
  if (fact.kind == kernel::FactKind::kExecutionStarted) event = with_qualifiers(event, qualifiers);
  return as_protocol_has_it(event, fact.time, with_data);
}

bool is_before(const engine::EventRange& page, EventId event) {
  return page.from && (page.reverse ? event > page.from : event < page.from);
}

// A reversed page ends above the event that the next one begins with, which need not be among these.
int64_t next_page_begin(std::span<const Value> events, const engine::EventRange& page, std::string_view number) {
  const size_t count = std::min<size_t>(events.size(), page.count);
  if (page.reverse) return count == 0 ? 0 : json::integer_at(events[count - 1], number) - 1;
  return count == events.size() ? 0 : json::integer_at(events[count], number);
}

namespace {

// The events from the page's first on, as far as the facts go; one more than the page has where there are more.
std::vector<Value> events_of(std::shared_ptr<const Compiled> code, const engine::HistoryPart& part, const Page& page) {
  HistoryEvents view(std::move(code));
  if (part.before != nullptr) view.begin_at(*part.before);
  std::vector<Value> events;
  for (const kernel::Fact& fact : part.facts) {
    Value event = protocol_event(view, fact, page.qualifiers, page.with_data);
    if (!event.is_object() || is_before(page.range, fact.event)) continue;
    events.push_back(std::move(event));
    if (!page.range.reverse && events.size() > page.range.count) break;
  }
  if (page.range.reverse) std::ranges::reverse(events);
  return events;
}

Value to_answer(const Service& service, const std::vector<Value>& events, const Page& page) {
  const size_t count = std::min<size_t>(events.size(), page.range.count);
  json::ArrayBuilder items;
  for (size_t i = 0; i < count; ++i) items.push(events[i]);
  const int64_t next = next_page_begin(events, page.range, "id");
  ObjectBuilder answer(2);
  answer.set("events", items.build());
  if (next != 0) answer.set("nextToken", Value::string(page_token(service, page.list, std::to_string(next))));
  return answer.build();
}

void get_history(Service& service, const Request& request, Reply reply) {
  const auto found = find_execution(service, request.text("executionArn"));
  if (!found) return reply(std::unexpected(found.error()));
  auto page = read_page(service, request, *found);
  if (!page) return reply(std::unexpected(page.error()));
  auto code = service.catalog.find_compiled(found->row.definition);
  if (code == nullptr)
    return reply(
        std::unexpected(Refusal{"InternalFailure", "The definition of the execution cannot be compiled.", 500}));
  const engine::EventRange range = page->range;
  service.engine.history(found->row.id, range,
                         [&service, page = std::move(*page), code = std::move(code),
                          reply = std::move(reply)](Result<engine::HistoryPart> part) mutable {
                           if (!part) return reply(std::unexpected(to_refusal(part.error())));
                           auto compute = [&service, page, code, part = std::move(*part)]() -> Outcome<Value> {
                             return to_answer(service, events_of(code, part, page), page);
                           };
                           answer_from_back_office(service, std::move(compute), std::move(reply));
                         });
}

constexpr Operation kOperations[] = {{"GetExecutionHistory", kHistoryFields, get_history}};

}  // namespace

std::span<const Operation> history_operations() { return kOperations; }

}  // namespace pawl::server
