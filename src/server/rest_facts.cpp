// The facts of an execution: page by page, and as a stream of server-sent events.
#include <algorithm>

#include "api/fact_json.h"
#include "server/rest.h"
#include "server/rest_stream.h"

namespace pawl::server {

namespace {

using json::ObjectBuilder;
using ProgramPointer = std::shared_ptr<const kernel::Program>;

Refusal cannot_be_compiled() { return {"InternalFailure", "The definition of the execution cannot be compiled.", 500}; }

// --- a page

struct Page {
  uint64_t after = 0;
  size_t limit = 0;
};

Value page_of(const std::vector<kernel::Fact>& facts, const Page& page, const kernel::Program& program) {
  const size_t begin = std::min<size_t>(page.after, facts.size());
  const size_t end = std::min(facts.size(), begin + page.limit);
  json::ArrayBuilder items(end - begin);
  for (size_t i = begin; i < end; ++i) items.push(api::fact_to_json(facts[i], FactSeq(i + 1), program));
  ObjectBuilder answer(3);
  answer.set("facts", items.build());
  answer.set("ended", Value::boolean(!facts.empty() && kernel::is_terminal(facts.back().kind)));
  if (end < facts.size()) answer.set("next", Value::integer(static_cast<int64_t>(end)));
  return answer.build();
}

Outcome<Page> read_page(const RestRequest& request) {
  PAWL_TRY(const uint64_t after, request.number("after", 0));
  PAWL_TRY(const size_t limit, request.limit());
  return Page{after, limit};
}

void list_facts(Service& service, const RestRequest& request, net::Respond respond) {
  Reply reply = rest_reply(std::move(respond));
  const auto found = find_by_subject(service, request.subject);
  if (!found) return reply(std::unexpected(found.error()));
  const auto page = read_page(request);
  if (!page) return reply(std::unexpected(page.error()));
  ProgramPointer program = service.catalog.find_program(found->row.definition);
  if (program == nullptr) return reply(std::unexpected(cannot_be_compiled()));
  service.engine.facts(found->row.id, [&service, page = *page, program = std::move(program),
                                       reply = std::move(reply)](Result<std::vector<kernel::Fact>> facts) mutable {
    if (!facts) return reply(std::unexpected(to_refusal(facts.error())));
    auto compute = [page, program, facts = std::move(*facts)]() -> Outcome<Value> {
      return page_of(facts, page, *program);
    };
    answer_from_back_office(service, std::move(compute), std::move(reply));
  });
}

// --- the stream

// A client that comes back says what it has; what it asked for at first stays in its address.
Outcome<FactStreamRequest> read_stream(const Service& service, const RestRequest& request,
                                       const FoundExecution& found) {
  RestRequest from = request;
  if (!request.last_event_id.empty()) from.query = {{"after", request.last_event_id}};
  FactStreamRequest stream;
  PAWL_TRY(stream.after, from.number("after", 0));
  const std::string form = request.text("as");
  if (!form.empty() && form != "facts" && form != "events") return refuse_request("'as' is neither facts nor events.");
  stream.as_events = form == "events";
  stream.code = service.catalog.find_compiled(found.row.definition);
  if (stream.code == nullptr) return std::unexpected(cannot_be_compiled());
  ObjectBuilder qualifiers;
  set_qualifiers(service, found.revision->machine, found.row, qualifiers);
  stream.qualifiers = qualifiers.build();
  return stream;
}

void stream_facts(Service& service, const RestRequest& request, net::Respond respond) {
  const auto found = find_by_subject(service, request.subject);
  if (!found) return respond(rest_refusal(found.error()));
  auto stream = read_stream(service, request, *found);
  if (!stream) return respond(rest_refusal(stream.error()));
  open_fact_stream(service.engine, found->row, *std::move(stream), std::move(respond));
}

constexpr Route kRoutes[] = {
    {"GET", "/api/executions/{execution}/facts", "after limit", Role::kRead, list_facts},
    {"GET", "/api/executions/{execution}/facts/stream", "after as", Role::kRead, stream_facts},
};

}  // namespace

std::span<const Route> rest_fact_routes() { return kRoutes; }

}  // namespace pawl::server
