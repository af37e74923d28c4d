// The actions of an operation state or of a body, run one after the other or side by side as children of a join.
//
// Each child closes with what it adds to the data, an object; the results of all are these, merged in the order of the
// text. In sequence, an action sees the data with what those before it added.
#pragma once

#include "lang/serverless/frame.h"
#include "lang/serverless/model.h"

namespace pawl::serverless {

class ActionList {
 public:
  explicit ActionList(const Body& body) : body_(body) {}

  // Starts the join; its memory is the data.
  void start(Frame& frame, Value data) const;
  Attempt<void> open(Frame& frame) const;

 private:
  const Body& body_;
};

// What the children of a join that succeeded added, merged; {} where there is nothing.
Value added_by_children(const Frame& frame);

// Data with an addition, an object. Nothing is added to data of any kind. Failure: Workflow.MergeFailure.
Attempt<Value> with_added(const Value& data, const Value& addition);

// Where a child that runs a body begins: at its only action, else at the body itself.
StateOrdinal first_node_of(const Body& body);

}  // namespace pawl::serverless
