// The KPI extension: a document of its own that says what a workflow is expected to do in a day, or in so many
// instances. It never has a say in how the workflow runs.
//
//   extensionid: workflow-kpi-extension
//   workflowid: patientVitals
//   workflow: {per: {time: P1D}, maxInvoked: '500', avgDuration: PT2M}
//   functions: [{for: callNurse, per: {instances: 1000}, maxErrors: '5'}]
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/time.h"
#include "json/parse.h"
#include "kernel/fact.h"
#include "lang/serverless/model.h"

namespace pawl::serverless {

inline constexpr std::string_view kKpiExtension = "workflow-kpi-extension";
inline constexpr Duration kKpiTime = std::chrono::days(1);  // where "per" says nothing
inline constexpr size_t kKpisMax = 1000;                    // of one document

enum class KpiSubject : uint8_t { kWorkflow, kEvent, kFunction, kState };
enum class KpiMeasure : uint8_t { kInvoked, kDuration, kCost, kConsumed, kProduced, kErrors, kRetry, kTimeout, kExec };
enum class KpiBound : uint8_t { kMax, kMin, kAverage };

std::string_view name_of(KpiSubject subject);  // "function"

// Which instances count: the latest so many, or those that started within the time.
struct KpiWindow {
  Duration time = kKpiTime;
  std::optional<uint32_t> instances;
};

struct Kpi {
  KpiSubject subject = KpiSubject::kWorkflow;
  std::string name;   // of the event, function or state; the workflow's id
  std::string field;  // "maxInvoked"
  KpiMeasure measure = KpiMeasure::kInvoked;
  KpiBound bound = KpiBound::kMax;
  double threshold = 0;  // a number, or seconds
  KpiWindow per;
};

struct KpiDocument {
  std::string workflow_id;
  std::vector<std::string> versions;  // of the workflow that are meant; empty: all
  std::vector<Kpi> kpis;
};

bool is_kpi_document(const Value& root);

// What is no good goes into diagnostics, with positions: the codes of lint. With an error among them the rest may be
// left out.
KpiDocument read_kpis(const json::Document& document, Diagnostics& diagnostics);

// What the histories of instances add up to.
class KpiTally {
 public:
  // One instance; `closed` is kNever while it runs.
  void add(const Workflow& workflow, std::span<const kernel::Fact> facts, Timestamp started, Timestamp closed);

  // What the threshold is held against; none where nothing was measured: a duration without an end, a cost.
  std::optional<double> measured(const Kpi& kpi) const;

 private:
  using Subject = std::pair<KpiSubject, std::string>;
  struct Times {
    uint64_t count = 0;
    double sum_s = 0;
    double least_s = 0;
    double most_s = 0;
  };
  class Reader;

  void count(KpiSubject subject, std::string_view name, KpiMeasure measure);
  void observe(KpiSubject subject, std::string_view name, Duration time);

  std::map<std::pair<Subject, KpiMeasure>, uint64_t> counts_;
  std::map<Subject, Times> times_;
  uint64_t instances_ = 0;
};

// Whether it lies on the wrong side of its threshold: above a maximum or an average, below a minimum.
bool is_crossed(const Kpi& kpi, double measured);

}  // namespace pawl::serverless
