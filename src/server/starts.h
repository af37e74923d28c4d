// How an execution is started, for a client and for a Task state alike.
#pragma once

#include <string>

#include "server/service.h"

namespace pawl::server {

inline constexpr Field kStartFields[] = {{"stateMachineArn", FieldKind::kText, true, 1, kArnCharactersMax},
                                         {"name", FieldKind::kText, false, 1, 80},
                                         {"input", FieldKind::kText, false, 0, 262'144},
                                         {"traceHeader", FieldKind::kText, false, 0, 256}};

struct PreparedStart {
  engine::StartRequest request;
  RevisionPointer revision;
  std::string
      name;  // as it was asked for: that of an EXPRESS execution need not be the only one, and is not the engine's
};

// Refusals: those of StartExecution, but for the name that is taken.
Outcome<PreparedStart> prepare_start(Service& service, const Request& request);

// What the engine's error means.
Refusal start_refusal(const Service& service, const PreparedStart& start, const Error& error);

}  // namespace pawl::server
