#include "server/lambda.h"

#include <algorithm>

#include "json/parse.h"
#include "json/print.h"
#include "server/rest.h"

namespace pawl::server {

namespace {

constexpr std::string_view kFunctions = "/2015-03-31/";
constexpr std::string_view kDurable = "/2025-12-01/";

struct KnownError {
  std::string_view type;
  int status;
};
constexpr KnownError kErrors[] = {
    {"ServiceQuotaExceededException", 402}, {"ResourceNotFoundException", 404},
    {"UnknownOperationException", 404},     {"ResourceConflictException", 409},
    {"RequestTooLargeException", 413},      {"DurableExecutionAlreadyStartedException", 409},
    {"TooManyRequestsException", 429},      {"ServiceException", 500},
};

int status_of(const Refusal& refusal) {
  const auto found = std::ranges::find(kErrors, refusal.type, &KnownError::type);
  return found == std::end(kErrors) ? refusal.status : found->status;
}

// The path before and after the subject.
struct Shape {
  std::string_view before;
  std::string_view after;
};
Shape shape_of(const LambdaRoute& route) {
  const size_t place = std::min(route.path.find("{}"), route.path.size());
  return {route.path.substr(0, place), route.path.substr(std::min(place + 2, route.path.size()))};
}

bool has_subject(const LambdaRoute& route) { return route.path.contains("{}"); }

bool matches(const LambdaRoute& route, std::string_view path) {
  if (!has_subject(route)) return path == route.path || path == std::string(route.path) + "/";
  const Shape shape = shape_of(route);
  return path.size() > shape.before.size() + shape.after.size() && path.starts_with(shape.before) &&
         path.ends_with(shape.after);
}

// A subject may have slashes in it, so the route with the longest end is meant.
const LambdaRoute* find_route(std::string_view method, std::string_view path) {
  const LambdaRoute* best = nullptr;
  for (const LambdaRoute& route : lambda_routes()) {
    const bool is_better = best == nullptr || shape_of(route).after.size() > shape_of(*best).after.size();
    if (route.method == method && is_better && matches(route, path)) best = &route;
  }
  return best;
}

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

std::string subject_of(const LambdaRoute& route, std::string_view path) {
  if (!has_subject(route)) return {};
  const Shape shape = shape_of(route);
  return decode_percent(path.substr(shape.before.size(), path.size() - shape.before.size() - shape.after.size()));
}

Outcome<void> check_sender(const Credentials& credentials, const net::HttpServerRequest& request) {
  if (credentials.are_wanted()) return credentials.check(request, SystemClock().now());
  if (comes_from_elsewhere(request))
    return std::unexpected(Refusal{"AccessDeniedException", "The request comes from a page of another site.", 403});
  return {};
}

}  // namespace

std::string LambdaRequest::text(std::string_view name) const {
  const auto found = std::ranges::find(query, name, &std::pair<std::string, std::string>::first);
  return found == query.end() ? std::string() : found->second;
}

Outcome<Value> LambdaRequest::object() const {
  auto parsed = json::parse(http.body.empty() ? "{}" : http.body);
  if (parsed && parsed->is_object()) return *std::move(parsed);
  return refuse("InvalidRequestContentException",
                "Could not parse request body into json: " + (parsed ? "it is no object" : parsed.error().what));
}

const std::vector<LambdaRoute>& lambda_routes() {
  static const std::vector<LambdaRoute> routes = [] {
    std::vector<LambdaRoute> all;
    for (const auto group : {checkpoint_routes(), invoke_routes(), function_routes(), durable_read_routes(),
                             durable_history_routes(), durable_list_routes(), durable_callback_routes()})
      all.insert(all.end(), group.begin(), group.end());
    return all;
  }();
  return routes;
}

bool is_lambda(std::string_view target) { return target.starts_with(kDurable) || target.starts_with(kFunctions); }

std::string_view lambda_operation(std::string_view method, std::string_view target) {
  const LambdaRoute* route = find_route(method, path_of(target));
  return route == nullptr ? "other" : route->operation;
}

void handle_lambda(Service& service, const Credentials& credentials, const net::HttpServerRequest& request,
                   net::Respond respond) {
  if (const auto known = check_sender(credentials, request); !known) return respond(lambda_refusal(known.error()));
  const std::string_view path = path_of(request.target);
  const LambdaRoute* route = find_route(request.method, path);
  if (route == nullptr)
    return respond(lambda_refusal({"UnknownOperationException", "There is no such operation here (yet)."}));
  const std::string_view query =
      std::string_view(request.target).substr(std::min(path.size() + 1, request.target.size()));
  route->run(service, {subject_of(*route, path), read_query(query), request}, std::move(respond));
}

net::HttpServerResponse lambda_answer(const Value& body, int status) {
  net::HttpServerResponse response;
  response.status = status;
  response.body = json::print(body);
  return response;
}

net::HttpServerResponse lambda_refusal(const Refusal& refusal) {
  const int status = status_of(refusal);
  json::ObjectBuilder body(2);
  body.set("Type", Value::string(status < 500 ? "User" : "Service"));
  body.set("Message", Value::string(refusal.message));
  auto response = lambda_answer(body.build(), status);
  response.headers.emplace_back("x-amzn-ErrorType", refusal.type);
  if (refusal.is_overload) response.headers.emplace_back("Retry-After", "1");
  return response;
}

Reply lambda_reply(net::Respond respond) {
  return [respond = std::move(respond)](Outcome<Value> outcome) mutable {
    respond(outcome ? lambda_answer(*outcome) : lambda_refusal(outcome.error()));
  };
}

Refusal to_lambda_refusal(const Error& error) {
  if (error.code.ends_with("Exception")) return {error.code, error.what};
  if (error.code == "ENGINE_OVERLOADED") return {"TooManyRequestsException", "Rate exceeded", 429, true};
  if (error.code == "EXECUTION_NOT_FOUND") return {"ResourceNotFoundException", "Durable Execution does not exist"};
  return {"ServiceException", to_string(error), 500};
}

std::unexpected<Refusal> refuse_parameter(std::string message) {
  return refuse("InvalidParameterValueException", std::move(message));
}

std::unexpected<Refusal> refuse_member(std::string_view member, std::string_view constraint) {
  return refuse("ValidationException", "1 validation error detected: Value at '" + std::string(member) +
                                           "' failed to satisfy constraint: " + std::string(constraint));
}

}  // namespace pawl::server
