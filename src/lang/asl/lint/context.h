// What the rules need to know while they walk a definition.
#pragma once

#include "lang/asl/lint/fields.h"
#include "lang/asl/lint/findings.h"
#include "lang/asl/model.h"
#include "lang/asl/options.h"

namespace pawl::asl {

struct Context {
  Findings& findings;
  const Options& options;
  Language language = Language::kJsonPath;  // of the state that is looked at
  StateType type = StateType::kPass;        // of the state that is looked at
  bool express = false;                     // the machine around it is an Express one
};

}  // namespace pawl::asl
