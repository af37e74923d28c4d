// Actions of one name.
#include <unordered_set>

#include "lang/serverless/lint/rules.h"

namespace pawl::serverless {

void check_names(const Workflow& workflow, Findings& findings) {
  std::unordered_set<std::string_view> names;
  for (const Node& node : workflow.nodes) {
    if (node.kind != NodeKind::kAction || !node.action->has_own_name || names.insert(node.action->name).second)
      continue;
    findings.report(Code::kDuplicateAction, Place(node.action->pointer + "/name"),
                    "Two actions are called " + quoted(node.action->name) + "; histories show them by their names.",
                    "Give each a name of its own.");
  }
}

}  // namespace pawl::serverless
