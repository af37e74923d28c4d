// What the handlers of parallel/ and map/ tell about their outcome.
#pragma once

#include "cases.h"

namespace pawl::conformance {

// {completionReason, status, successCount, failureCount, totalCount}, as the cases ask for it.
template <typename T>
Json summary_of(const durable::BatchResult<T>& batch) {
  return Json::object({{"completionReason", durable::to_string(batch.completion_reason())},
                       {"status", batch.status()},
                       {"successCount", batch.success_count()},
                       {"failureCount", batch.failure_count()},
                       {"totalCount", batch.total_count()}});
}

// The same with the members of these names only.
inline Json only(const Json& summary, std::initializer_list<const char*> names) {
  Json chosen = Json::object();
  for (const char* name : names) chosen[name] = summary[name];
  return chosen;
}

}  // namespace pawl::conformance
