// Whether a data directory is whole: every stored execution is read, checked and folded, and held against the rows that
// the engine relies on. For a directory that no server has open.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"

namespace pawl::server {

struct Examination {
  uint64_t executions = 0;
  uint64_t open = 0;
  uint64_t facts = 0;
  uint64_t findings = 0;
};

struct DoctorHooks {
  std::function<void(const Error&)> on_finding;          // each thing that is wrong, with its place and what to do
  std::function<void(uint64_t executions)> on_progress;  // now and then
};

// Findings: DOCTOR_DATABASE, DOCTOR_EXECUTION, DOCTOR_STATUS, DOCTOR_LIVE_ROW, DOCTOR_WAKE, DOCTOR_ATTENTION,
// DOCTOR_NAME. Errors, where it cannot look: those of the store, CATALOG_DAMAGED, SERVE_KEY_….
Result<Examination> examine(const std::string& directory, const DoctorHooks& hooks);

// A copy of a data directory, made while a server may be using it: the database and the key of its tokens. Gives the
// bytes of the database. Errors: those of store::back_up_database and SERVE_KEY_….
Result<uint64_t> back_up(const std::string& directory, const std::string& to);

}  // namespace pawl::server
