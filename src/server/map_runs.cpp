// Operations on map runs. Distributed Maps are not run yet, so no execution has any.
#include "server/service.h"

namespace pawl::server {

namespace {

constexpr Field kMapRunArn{"mapRunArn", FieldKind::kText, true, 1, 2000};
constexpr Field kDescribeFields[] = {kMapRunArn};
constexpr Field kUpdateFields[] = {
    kMapRunArn,
    {"maxConcurrency", FieldKind::kInteger, false, 0, std::numeric_limits<int32_t>::max()},
    {"toleratedFailurePercentage", FieldKind::kInteger, false, 0, 100},
    {"toleratedFailureCount", FieldKind::kInteger}};
constexpr Field kListFields[] = {
    {"executionArn", FieldKind::kText, true, 1, kArnCharactersMax}, kMaxResults, kNextToken};

void refuse_map_run(Service&, const Request& request, Reply reply) {
  reply(refuse_about("ResourceNotFound", "Resource not found", request.text("mapRunArn")));
}

void list_map_runs(Service& service, const Request& request, Reply reply) {
  const auto found = find_execution(service, request.text("executionArn"));
  if (!found) return reply(std::unexpected(found.error()));
  const auto position = page_position(service, "map runs", request);  // nobody was given a token
  if (!position) return reply(std::unexpected(position.error()));
  json::ObjectBuilder answer(1);
  answer.set("mapRuns", Value::empty_array());
  reply(answer.build());
}

constexpr Operation kOperations[] = {
    {"DescribeMapRun", kDescribeFields, refuse_map_run},
    {"UpdateMapRun", kUpdateFields, refuse_map_run},
    {"ListMapRuns", kListFields, list_map_runs},
};

}  // namespace

std::span<const Operation> map_run_operations() { return kOperations; }

}  // namespace pawl::server
