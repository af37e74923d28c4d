#include "server/rest.h"

#include <algorithm>
#include <charconv>

#include "json/parse.h"
#include "json/print.h"
#include "server/durable_reads.h"
#include "text/timestamp.h"

namespace pawl::server {

namespace {

constexpr std::string_view kPrefix = "/api/";
constexpr std::string_view kEvents = "/events";

// What the refusals of the protocol are here. One that is not named keeps its type as its code.
struct Translation {
  std::string_view type;
  std::string_view code;
  int status;
};
constexpr Translation kTranslations[] = {
    {"StateMachineDoesNotExist", "DEFINITION_NOT_FOUND", 404},
    {"StateMachineDisabled", "DEFINITION_DISABLED", 409},
    {"StartNotAllowed", "START_NOT_ALLOWED", 409},
    {"InvalidDefinition", "DEFINITION_INVALID", 400},
    {"ExecutionDoesNotExist", "EXECUTION_NOT_FOUND", 404},
    {"ExecutionAlreadyExists", "EXECUTION_ALREADY_EXISTS", 409},
    {"ExecutionNotRedrivable", "EXECUTION_NOT_REDRIVABLE", 409},
    {"InvalidExecutionInput", "INPUT_INVALID", 400},
    {"InvalidName", "NAME_INVALID", 400},
    {"InvalidArn", "NAME_INVALID", 400},
    {"ValidationException", "REQUEST_INVALID", 400},
    {"SerializationException", "REQUEST_INVALID", 400},
    {"ThrottlingException", "ENGINE_OVERLOADED", 503},
    {"InternalFailure", "INTERNAL_FAILURE", 500},
    {"Unauthorized", "UNAUTHORIZED", 401},
    {"Forbidden", "FORBIDDEN", 403},
};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// What the path has where the route has {…}; nothing where it is another path.
std::optional<std::string> match(std::string_view route, std::string_view path) {
  const auto wanted = split(route, '/');
  const auto given = split(path, '/');
  if (wanted.size() != given.size()) return std::nullopt;
  std::string subject;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].starts_with('{'))
      subject = decode_percent(given[i]);
    else if (wanted[i] != given[i])
      return std::nullopt;
  }
  return subject;
}

Outcome<void> check_query(const Route& route, const RestRequest& request) {
  const auto names = split(route.query, ' ');
  for (const auto& [name, value] : request.query)
    if (std::ranges::find(names, std::string_view(name)) == names.end())
      return refuse_request("The query has no '" + name + "' here.");
  return {};
}

Outcome<void> check(const Authorization& authorization, const Route& route, const net::HttpServerRequest& request) {
  if (route.method != "GET" && comes_from_elsewhere(request))
    return std::unexpected(Refusal{"Forbidden", "The request comes from a page of another site.", 403});
  if (const auto known = authorization.check(request, route.role); !known) return std::unexpected(known.error());
  return {};
}

net::HttpServerResponse no_such_method(const std::string& allowed) {
  auto response = rest_refusal({"METHOD_NOT_ALLOWED", "The path takes other methods: " + allowed + ".", 405});
  response.headers.emplace_back("Allow", allowed);
  return response;
}

const std::vector<Route>& all_routes() {
  static const std::vector<Route> routes = rest_routes();
  return routes;
}

}  // namespace

std::string decode_percent(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = 0;
    const bool is_escape = text[i] == '%' && i + 2 < text.size();
    const char* begin = text.data() + i + 1;
    if (is_escape && std::from_chars(begin, begin + 2, byte, 16).ptr == begin + 2) {
      decoded.push_back(static_cast<char>(byte));
      i += 2;
    } else {
      decoded.push_back(text[i]);
    }
  }
  return decoded;
}

std::vector<std::pair<std::string, std::string>> read_query(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> query;
  for (const std::string_view part : split(text, '&')) {
    const size_t equals = std::min(part.find('='), part.size());
    query.emplace_back(decode_percent(part.substr(0, equals)),
                       decode_percent(part.substr(std::min(equals + 1, part.size()))));
  }
  return query;
}

bool comes_from_elsewhere(const net::HttpServerRequest& request) {
  const std::string_view origin = request.headers.get("Origin");
  if (origin.empty()) return false;
  const size_t host = origin.find("://");
  return host == std::string_view::npos ||
         !net::equals_ignoring_case(origin.substr(host + 3), request.headers.get("Host"));
}

std::string RestRequest::text(std::string_view name) const {
  for (const auto& [key, value] : query)
    if (key == name) return value;
  return {};
}

Outcome<uint64_t> RestRequest::number(std::string_view name, uint64_t otherwise) const {
  const std::string given = text(name);
  if (given.empty()) return otherwise;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
  if (error != std::errc{} || end != given.data() + given.size())
    return refuse_request("'" + std::string(name) + "' is no number.");
  return number;
}

Outcome<size_t> RestRequest::limit() const {
  PAWL_TRY(const uint64_t given, number("limit", kRestPageSize));
  if (given >= 1 && given <= kRestPageMax) return given;
  return refuse_request("'limit' is not from 1 to " + std::to_string(kRestPageMax) + ".");
}

Outcome<Value> RestRequest::object() const {
  auto parsed = json::parse(body.empty() ? "{}" : body);
  if (!parsed) return refuse_request("The body is no JSON: " + parsed.error().what + " (" + parsed.error().where + ")");
  if (!parsed->is_object()) return refuse_request("The body is no JSON object.");
  return *std::move(parsed);
}

std::vector<Route> rest_routes() {
  std::vector<Route> routes;
  for (const auto group : {rest_definition_routes(), rest_execution_routes(), rest_fact_routes(), rest_event_routes(),
                           rest_schedule_routes(), rest_kpi_routes()})
    routes.insert(routes.end(), group.begin(), group.end());
  return routes;
}

bool is_rest(std::string_view target) {
  return target.starts_with(kPrefix) || target.substr(0, target.find('?')) == kEvents;
}

std::string_view rest_path(std::string_view target) {
  for (const Route& route : all_routes())
    if (match(route.path, target.substr(0, target.find('?')))) return route.path;
  return "other";
}

void handle_rest(Service& service, const Authorization& authorization, const net::HttpServerRequest& request,
                 net::Respond respond) {
  const std::string_view target = request.target;
  const size_t mark = std::min(target.find('?'), target.size());
  const std::string_view method = request.method == "HEAD" ? "GET" : std::string_view(request.method);
  std::string allowed;
  for (const Route& route : all_routes()) {
    auto subject = match(route.path, target.substr(0, mark));
    if (!subject) continue;
    if (route.method != method) {
      allowed += (allowed.empty() ? "" : ", ") + std::string(route.method);
      continue;
    }
    if (const auto may = check(authorization, route, request); !may) return respond(rest_refusal(may.error()));
    const RestRequest asked{*std::move(subject), read_query(target.substr(std::min(mark + 1, target.size()))),
                            request.body, std::string(request.headers.get("Last-Event-ID")), &request.headers};
    if (const auto known = check_query(route, asked); !known) return respond(rest_refusal(known.error()));
    return route.run(service, asked, std::move(respond));
  }
  if (!allowed.empty()) return respond(no_such_method(allowed));
  respond(rest_refusal({"ROUTE_NOT_FOUND", "There is nothing here.", 404}));
}

std::unexpected<Refusal> refuse_request(std::string message) { return refuse("REQUEST_INVALID", std::move(message)); }

net::HttpServerResponse rest_answer(const Value& body, int status) {
  net::HttpServerResponse response;
  response.status = status;
  response.body = json::print(body);
  return response;
}

net::HttpServerResponse rest_refusal(const Refusal& refusal) {
  const auto found = std::ranges::find(kTranslations, refusal.type, &Translation::type);
  const bool is_known = found != std::end(kTranslations);
  json::ObjectBuilder body(2);
  body.set("code", Value::string(is_known ? found->code : std::string_view(refusal.type)));
  body.set("message", Value::string(refusal.message));
  auto response = rest_answer(body.build(), is_known ? found->status : refusal.status);
  if (response.status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"pawl\"");
  if (refusal.is_overload) response.headers.emplace_back("Retry-After", "1");
  return response;
}

net::HttpServerResponse rest_outcome(const Outcome<Value>& outcome) {
  return outcome ? rest_answer(*outcome) : rest_refusal(outcome.error());
}

Reply rest_reply(net::Respond respond) {
  return [respond = std::move(respond)](Outcome<Value> outcome) mutable { respond(rest_outcome(outcome)); };
}

Value to_time(Timestamp time) { return Value::string(text::format_timestamp(time)); }

namespace {

Outcome<FoundExecution> as_execution(Outcome<FoundDurable> found) {
  if (!found) return refuse("ExecutionDoesNotExist", found.error().message);
  return FoundExecution{std::move(found->row), std::move(found->revision)};
}

// The newest one, by FUNCTION and NAME.
Outcome<FoundExecution> find_of_function(const Service& service, const std::string& function, std::string_view name) {
  auto found = find_durables_of(service, function, name);
  if (found.empty()) return refuse("ExecutionDoesNotExist", "'" + function + "' has no execution of that name.");
  return as_execution(std::move(found.front()));
}

}  // namespace

Outcome<FoundExecution> find_by_subject(const Service& service, const std::string& subject) {
  if (Arns::parse_durable(subject)) return as_execution(find_durable(service, subject));
  if (subject.starts_with("arn:")) return find_execution(service, subject);
  const bool is_function = subject.starts_with(kFunctionPrefix);
  const std::string rest = subject.substr(is_function ? kFunctionPrefix.size() : 0);
  const size_t colon = rest.find(':');
  if (colon == std::string::npos)
    return refuse("ExecutionDoesNotExist", "'" + subject + "' is no execution: write DEFINITION:NAME.");
  const std::string machine = rest.substr(0, colon);
  const std::string name = rest.substr(colon + 1);
  if (is_function) return find_of_function(service, machine, name);
  auto found = find_execution(service, service.arns.of_execution(machine, name));
  if (found) return found;
  auto durable = find_of_function(service, machine, name);
  return durable ? durable : found;
}

}  // namespace pawl::server
