// KPIs of definitions in Pawl's own REST: give, show, take away.
#include "json/parse.h"
#include "json/print.h"
#include "server/kpi_report.h"
#include "server/rest.h"
#include "text/diagnostics_format.h"

namespace pawl::server {

namespace {

Refusal no_kpis(const std::string& name) {
  return {"KPIS_NOT_FOUND", "The definition '" + name + "' has no KPIs.", 404};
}

std::optional<Value> find_kpis(const Service& service, const std::string& name) {
  for (const store::Document& document : service.store.documents(kKpiKind))
    if (document.key == name) {
      auto body = json::parse(document.body);
      if (body) return *std::move(body);
    }
  return std::nullopt;
}

void show_kpis(Service& service, const RestRequest& request, net::Respond respond) {
  const auto found = find_kpis(service, request.subject);
  respond(found ? rest_answer(*found) : rest_refusal(no_kpis(request.subject)));
}

// The document must be about the definition that it is given to, and in order.
Outcome<Value> check_kpis(const Service& service, const std::string& name, const std::string& body) {
  const MachinePointer machine = service.catalog.find_machine(name);
  if (machine == nullptr) return refuse("StateMachineDoesNotExist", "There is no definition '" + name + "'.");
  const auto document = json::parse_document(body);
  if (!document) return refuse_request("The body is no JSON: " + document.error().what);
  if (!serverless::is_kpi_document(document->root))
    return refuse_request("The document's \"extensionid\" is not \"workflow-kpi-extension\".");
  Diagnostics diagnostics;
  const serverless::KpiDocument kpis = serverless::read_kpis(*document, diagnostics);
  if (has_errors(diagnostics)) return refuse("InvalidDefinition", text::format_as_text(diagnostics));
  const auto compiled = service.catalog.find_compiled(machine->current);
  const std::string id = compiled == nullptr ? std::string() : compiled->name;
  if (kpis.workflow_id != id) return refuse_request("The document's \"workflowid\" is not '" + id + "'.");
  return document->root;
}

Outcome<Value> put_kpis(Service& service, const std::string& name, const std::string& body) {
  auto kpis = check_kpis(service, name, body);
  if (!kpis) return kpis;
  if (const auto durable = put_documents(service, {{kKpiKind, name, json::print(*kpis)}}); !durable)
    return std::unexpected(durable.error());
  return kpis;
}

Outcome<Value> remove_kpis(Service& service, const std::string& name) {
  const auto found = find_kpis(service, name);
  if (!found) return std::unexpected(no_kpis(name));
  if (const auto durable = put_documents(service, {{kKpiKind, name, ""}}); !durable)
    return std::unexpected(durable.error());
  return *found;
}

void give_kpis(Service& service, const RestRequest& request, net::Respond respond) {
  answer_from_back_office(
      service, [&service, name = request.subject, body = request.body] { return put_kpis(service, name, body); },
      rest_reply(std::move(respond)));
}

void take_kpis(Service& service, const RestRequest& request, net::Respond respond) {
  answer_from_back_office(
      service, [&service, name = request.subject] { return remove_kpis(service, name); },
      rest_reply(std::move(respond)));
}

constexpr Route kRoutes[] = {
    {"GET", "/api/definitions/{name}/kpis", "", Role::kRead, show_kpis},
    {"PUT", "/api/definitions/{name}/kpis", "", Role::kAdmin, give_kpis},
    {"DELETE", "/api/definitions/{name}/kpis", "", Role::kAdmin, take_kpis},
};

}  // namespace

std::span<const Route> rest_kpi_routes() { return kRoutes; }

}  // namespace pawl::server
