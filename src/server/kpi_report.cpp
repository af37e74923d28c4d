#include "server/kpi_report.h"

#include <algorithm>
#include <map>

#include "engine/history_reader.h"
#include "lang/serverless/program.h"
#include "text/yaml.h"

namespace pawl::server {

namespace {

using serverless::Kpi;
using serverless::KpiTally;

struct Instance {
  store::ExecutionRow row;
  std::shared_ptr<const Compiled> compiled;
  std::vector<kernel::Fact> facts;
};

const serverless::Workflow* workflow_of(const Compiled* compiled) {
  if (compiled == nullptr || compiled->language != api::Language::kServerless) return nullptr;
  return &static_cast<const serverless::Program&>(*compiled->program).workflow();
}

bool is_newer(const store::ExecutionRow& a, const store::ExecutionRow& b) { return a.id.number > b.id.number; }

// Whether a document that names versions means this one.
bool is_meant(const serverless::Workflow& workflow, const std::vector<std::string>& versions) {
  if (versions.empty()) return true;
  const auto header = workflow.header(Value::empty_object());
  const Value* version = header ? header->find("version") : nullptr;
  return version != nullptr && version->is_string() &&
         std::ranges::find(versions, version->as_string()) != versions.end();
}

// The latest executions of all revisions of a machine, newest first, with their histories.
std::vector<Instance> latest(const store::Store& store, const Catalog& catalog, const Machine& machine,
                             const std::vector<std::string>& versions) {
  std::vector<store::ExecutionRow> rows;
  for (const DefinitionId revision : catalog.revisions_of(machine.family)) {
    store::ListFilter filter;
    filter.definition = revision;
    filter.limit = kKpiInstancesMax;
    for (store::ExecutionRow& row : store.list_executions(filter)) rows.push_back(std::move(row));
  }
  std::ranges::sort(rows, is_newer);
  if (rows.size() > kKpiInstancesMax) rows.resize(kKpiInstancesMax);
  std::vector<Instance> instances;
  for (store::ExecutionRow& row : rows) {
    auto compiled = catalog.find_compiled(row.definition);
    const serverless::Workflow* workflow = workflow_of(compiled.get());
    if (workflow == nullptr || !is_meant(*workflow, versions)) continue;
    auto part = engine::read_history_part(store, row.id, {.from = EventId(), .count = kKpiEventsMax, .reverse = false});
    if (part) instances.push_back({std::move(row), std::move(compiled), std::move(part->facts)});
  }
  return instances;
}

KpiTally tally_of(const std::vector<Instance>& instances, const serverless::KpiWindow& per, Timestamp now) {
  KpiTally tally;
  size_t count = 0;
  for (const Instance& instance : instances) {
    const bool counts = per.instances ? count < *per.instances : instance.row.started >= now - per.time;
    if (!counts) break;
    ++count;
    tally.add(*workflow_of(instance.compiled.get()), instance.facts, instance.row.started, instance.row.closed);
  }
  return tally;
}

}  // namespace

std::vector<KpiReading> KpiReport::look() {
  const std::lock_guard lock(mutex_);
  const Timestamp now = clock_.now();
  if (looked_ != Timestamp{} && now - looked_ < kKpiRestTime) return readings_;
  looked_ = now;
  readings_.clear();
  for (const store::Document& document : store_.documents(kKpiKind)) look_at(document);
  return readings_;
}

void KpiReport::look_at(const store::Document& document) {
  const MachinePointer machine = catalog_.find_machine(document.key);
  const auto parsed = text::parse_definition(document.body);
  if (machine == nullptr || !parsed) return;
  Diagnostics diagnostics;
  const serverless::KpiDocument kpis = serverless::read_kpis(*parsed, diagnostics);
  const std::vector<Instance> instances = latest(store_, catalog_, *machine, kpis.versions);
  std::map<std::pair<Duration, uint32_t>, KpiTally> tallies;  // by window
  for (const Kpi& kpi : kpis.kpis) {
    const std::pair window(kpi.per.instances ? Duration::zero() : kpi.per.time, kpi.per.instances.value_or(0));
    const auto [tally, is_new] = tallies.try_emplace(window);
    if (is_new) tally->second = tally_of(instances, kpi.per, clock_.now());
    if (const auto measured = tally->second.measured(kpi)) readings_.push_back({document.key, kpi, *measured});
  }
}

}  // namespace pawl::server
