// Looks for schemas that lead back to themselves for one and the same value.
#include <unordered_set>

#include "schema/compiler.h"

namespace pawl::schema::internal {

namespace {

// The schemas that a schema always applies to the value that it is applied to itself.
std::vector<const Node*> applied_by(const Node& node) {
  std::vector<const Node*> nodes;
  if (node.logic) {
    for (const auto* list : {&node.logic->all_of, &node.logic->any_of, &node.logic->one_of})
      nodes.insert(nodes.end(), list->begin(), list->end());
    nodes.push_back(node.logic->negated);
    nodes.push_back(node.logic->condition);
  }
  nodes.push_back(node.reference);
  if (node.dynamic_reference && node.dynamic_reference->anchor.empty()) nodes.push_back(node.dynamic_reference->target);
  std::erase(nodes, nullptr);
  return nodes;
}

struct Visit {
  const Node* node;
  std::vector<const Node*> next;
};

}  // namespace

const Node* find_loop(const Program& program) {
  std::unordered_set<const Node*> done;
  std::unordered_set<const Node*> on_path;
  for (const Node& start : program.nodes) {
    if (done.contains(&start)) continue;
    std::vector<Visit> path;
    path.push_back({&start, applied_by(start)});
    on_path.insert(&start);
    while (!path.empty()) {
      Visit& visit = path.back();
      if (visit.next.empty()) {
        on_path.erase(visit.node);
        done.insert(visit.node);
        path.pop_back();
        continue;
      }
      const Node* next = visit.next.back();
      visit.next.pop_back();
      if (on_path.contains(next)) return next;
      if (done.contains(next)) continue;
      on_path.insert(next);
      path.push_back({next, applied_by(*next)});
    }
  }
  return nullptr;
}

}  // namespace pawl::schema::internal
