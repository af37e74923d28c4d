// A fact as Pawl's own REST shows it: one form for every language, in the kernel's words.
#pragma once

#include "base/ids.h"
#include "json/value.h"
#include "kernel/fact.h"
#include "kernel/program.h"

namespace pawl::api {

// {"seq", "kind", "time", …}: what the fact does not have is left out; "value" is always there.
json::Value fact_to_json(const kernel::Fact& fact, FactSeq seq, const kernel::Program& program);

}  // namespace pawl::api
