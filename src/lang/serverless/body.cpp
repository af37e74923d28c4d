// A body in a scope of its own: several actions of an event, a branch or an iteration, or a sub-workflow in their
// place.
#include "lang/serverless/actions.h"
#include "lang/serverless/filter.h"
#include "lang/serverless/node_code.h"
#include "lang/serverless/sub_workflow.h"

namespace pawl::serverless {

namespace {

using kernel::Outcome;

class BodyCode final : public NodeCode {
 public:
  explicit BodyCode(const Node& node)
      : NodeCode(node.body->ordinal),
        node_(node),
        body_(*node.body),
        actions_(body_),
        resource_(sub_workflow_resource(body_.workflow_id)) {}

  std::string_view resource() const override { return resource_; }

  void run(Frame& frame) const override {
    if (body_.workflow_id.empty()) return actions_.start(frame, frame.input());
    call_sub_workflow(frame, frame.input(), true);
  }

  void open_children(Frame& frame) const override {
    if (auto opened = actions_.open(frame); !opened) fail(frame, opened.error());
  }

  void resume(Frame& frame) const override {
    if (frame.scope().ended.what == kernel::Ended::What::kJoin) return finish(frame);
    const auto end = sub_workflow_end(frame.scope().ended);
    if (!end) return fail(frame, end.error());
    if (end->terminates) return terminate_from(frame);
    auto result = result_of(end->output);
    if (!result) return fail(frame, result.error());
    frame.close(*std::move(result));
  }

  void child_failed(Frame& frame, Failure failure) const override {
    if (failure.goes_on) return finish(frame);
    fail(frame, std::move(failure));
  }

  void fail(Frame& frame, Failure failure) const override {
    if (frame.has_join()) frame.end_join(Outcome::kFailed);
    frame.fail_scope(std::move(failure));
  }

 private:
  void finish(Frame& frame) const {
    Value added = added_by_children(frame);
    frame.end_join(Outcome::kSucceeded);
    frame.close(std::move(added));
  }

  // As an action's: an iteration gives the output itself, a branch what it adds.
  Attempt<Value> result_of(const Value& output) const {
    if (node_.state->type == StateType::kForeach) return output;
    return attempt(add_output(body_.name, Value::empty_object(), output));
  }

  const Node& node_;
  const Body& body_;
  ActionList actions_;
  std::string resource_;
};

}  // namespace

NodeCodePtr compile_body(const Node& node) { return std::make_unique<BodyCode>(node); }

}  // namespace pawl::serverless
