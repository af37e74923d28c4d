// Pawl's own REST: JSON below /api/, and events at /events, beside AWS's protocol. docs/rest.md describes it,
// docs/openapi.yaml lists it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/http_server.h"
#include "server/authorization.h"
#include "server/service.h"

namespace pawl::server {

inline constexpr size_t kRestPageMax = 1000;
inline constexpr size_t kRestPageSize = 100;  // where the request does not say

struct RestRequest {
  std::string subject;                                     // what stands for {…} in the route's path
  std::vector<std::pair<std::string, std::string>> query;  // decoded
  std::string body;
  std::string last_event_id;                  // of a client that comes back to a stream; empty: none
  const net::HttpHeaders* headers = nullptr;  // while the route runs

  std::string text(std::string_view name) const;  // of the query; empty where absent
  // Of the query. Refusal: REQUEST_INVALID.
  Outcome<uint64_t> number(std::string_view name, uint64_t otherwise) const;
  Outcome<size_t> limit() const;
  // The body as an object, where there is none an empty one. Refusal: REQUEST_INVALID.
  Outcome<Value> object() const;
};

struct Route {
  std::string_view method;
  std::string_view path;   // with {name} or {execution} for the subject
  std::string_view query;  // "after limit": the names that it takes
  Role role = Role::kRead;
  void (*run)(Service& service, const RestRequest& request, net::Respond respond);
};

// One group a file.
std::span<const Route> rest_definition_routes();
std::span<const Route> rest_execution_routes();
std::span<const Route> rest_fact_routes();
std::span<const Route> rest_event_routes();
std::span<const Route> rest_schedule_routes();
std::span<const Route> rest_kpi_routes();
std::vector<Route> rest_routes();

bool is_rest(std::string_view target);
// The path of the route that a target leads to, as the table has it; "other" where there is none.
std::string_view rest_path(std::string_view target);
void handle_rest(Service& service, const Authorization& authorization, const net::HttpServerRequest& request,
                 net::Respond respond);

// --- what several groups need

std::string decode_percent(std::string_view text);  // "%2F" is '/'
std::vector<std::pair<std::string, std::string>> read_query(std::string_view text);

// A page of another site must not act through the browser of somebody who may. Browsers name the page's site.
bool comes_from_elsewhere(const net::HttpServerRequest& request);

std::unexpected<Refusal> refuse_request(std::string message);  // REQUEST_INVALID

net::HttpServerResponse rest_answer(const Value& body, int status = 200);
// {"code", "message"}: the refusals of the protocol have a code and a status of their own here.
net::HttpServerResponse rest_refusal(const Refusal& refusal);
net::HttpServerResponse rest_outcome(const Outcome<Value>& outcome);
// Answers with what the protocol's operation gives.
Reply rest_reply(net::Respond respond);

Value to_time(Timestamp time);  // RFC 3339

// MACHINE:EXECUTION, or an ARN.
Outcome<FoundExecution> find_by_subject(const Service& service, const std::string& subject);

}  // namespace pawl::server
