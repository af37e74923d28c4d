// How definitions do against their KPIs, as /metrics tells it.
//
// The documents are kept in the store beside the definitions; what they are held against is read from the histories of
// the latest executions, when somebody asks. Nothing is counted while executions run, and nothing is lost by a restart.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "lang/serverless/kpi.h"
#include "server/catalog.h"
#include "store/store.h"

namespace pawl::server {

inline constexpr const char* kKpiKind = "kpi";                      // of documents
inline constexpr size_t kKpiInstancesMax = 1000;                    // latest ones whose histories are read
inline constexpr uint32_t kKpiEventsMax = 10'000;                   // of one history
inline constexpr Duration kKpiRestTime = std::chrono::seconds(10);  // between two looks

struct KpiReading {
  std::string definition;
  serverless::Kpi kpi;
  double measured = 0;
};

// Any thread may ask; one at a time looks, and the others get what it found.
class KpiReport {
 public:
  KpiReport(const store::Store& store, const Catalog& catalog, const Clock& clock)
      : store_(store), catalog_(catalog), clock_(clock) {}

  // What can be measured, by definition.
  std::vector<KpiReading> look();

 private:
  void look_at(const store::Document& document);

  const store::Store& store_;
  const Catalog& catalog_;
  const Clock& clock_;
  std::mutex mutex_;  // guards the two below
  std::vector<KpiReading> readings_;
  Timestamp looked_{};
};

}  // namespace pawl::server
