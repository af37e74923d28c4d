// The Map state: runs its processor once for each item of an array, several at once; the result is the array of the
// outputs.
#include <algorithm>
#include <cmath>

#include "json/print.h"
#include "lang/asl/item_batcher.h"
#include "lang/asl/join.h"
#include "lang/asl/number_field.h"
#include "lang/asl/state_code.h"

namespace pawl::asl {

namespace {

using kernel::Fact;
using kernel::FactKind;

class Map final : public StateCode {
 public:
  static Result<StateCodePtr> compile(const State& source, const CompileContext& context) {
    auto code = std::make_unique<Map>();
    if (auto compiled = code->compile_fields(source, context); !compiled) return std::unexpected(compiled.error());
    return code;
  }

  void run(Frame& frame) const override {
    auto input = data_.selected_input(frame);
    if (!input) return frame.fail(input.error());
    auto items = items_of(frame, *input);
    if (!items) return frame.fail(items.error());
    auto at_once = concurrency_.evaluate(frame, *input);
    if (!at_once) return frame.fail(at_once.error());
    if (at_once->value_or(0) < 0) return frame.fail(frame.runtime_failure("MaxConcurrency must not be negative."));
    auto tolerated = tolerated_failures(frame, *input, items->size());
    if (!tolerated) return frame.fail(tolerated.error());
    if (StateProbe* probe = frame.probe()) {
      probe->numbers.emplace_back(seen::kMaxConcurrency, Value::integer(at_once->value_or(0)));
      return end_test(frame, tolerated->value_or(0));
    }
    start(frame, *std::move(items), at_once->value_or(0), *tolerated);
  }

  void open_children(Frame& frame) const override {
    auto input = data_.selected_input(frame);
    if (!input) return frame.fail(input.error());
    while (frame.scope().join->may_open() && !frame.turn().is_full()) {
      const kernel::Join& join = *frame.scope().join;
      auto item = iteration_input(frame, *input, join.opened, join.items.at(join.opened));
      if (!item) return frame.fail(item.error());
      open_iteration(frame, join.opened, *std::move(item));
    }
  }

  void resume(Frame& frame) const override {
    if (frame.scope().ended.what == kernel::Ended::What::kOperation) return run(frame);  // a retry is due
    const Value results = join_results(*frame.scope().join);
    end_join(frame, kernel::Outcome::kSucceeded);
    finish(frame, results);
  }

  Failure join_failure(Failure child) const override { return has_tolerance_ ? threshold_exceeded() : child; }

 private:
  static Failure threshold_exceeded() {
    return Failure{std::string(kExceedToleratedFailureThreshold),
                   "The specified tolerated failure threshold was exceeded",
                   {},
                   false};
  }

  Result<void> compile_fields(const State& source, const CompileContext& context) {
    const Value& fields = source.source;
    Value shared = fields;  // a Map's Parameters make the input of each iteration, not of the state
    if (fields.find("Parameters") != nullptr) shared = fields.without_member("Parameters");
    State common = {source.name, source.type, shared, source.pointer, source.ordinal, {}};
    if (auto compiled = compile_common(common, context); !compiled) return compiled;
    if (const Value* path = fields.find("ItemsPath"); path != nullptr && path->is_string()) {
      PAWL_TRY(items_path_, jsonpath::RootedPath::compile(path->as_string()));
    }
    const Value* selector = fields.find("ItemSelector");
    if (selector == nullptr) selector = fields.find("Parameters");
    if (selector != nullptr) {
      PAWL_TRY(item_selector_, PayloadTemplate::compile(*selector));
    }
    PAWL_TRY(concurrency_, NumberField::compile(fields, "MaxConcurrency"));
    PAWL_TRY(tolerated_count_, NumberField::compile(fields, "ToleratedFailureCount"));
    PAWL_TRY(tolerated_percentage_, NumberField::compile(fields, "ToleratedFailurePercentage"));
    has_tolerance_ = !tolerated_count_.is_absent() || !tolerated_percentage_.is_absent();
    if (const Value* batcher = fields.find("ItemBatcher")) {
      PAWL_TRY(batcher_, ItemBatcher::compile(*batcher));
    }
    if (!source.machines.empty()) {
      const State* start = source.machines.front()->find(source.machines.front()->start_at);
      if (start != nullptr) start_ = start->ordinal;
    }
    return {};
  }

  Attempt<Value> items_of(Frame& frame, const Value& input) const {
    auto items = unbatched_items(frame, input);
    if (!items) return items;
    if (frame.probe() != nullptr && item_selector_) {
      auto selected = select_all(frame, input, *items);
      if (!selected) return selected;
      frame.see(seen::kAfterItemSelector, *selected);
    }
    if (!batcher_) return items;
    auto batches = batcher_->batch(frame, input, *items, item_selector_ ? &*item_selector_ : nullptr);
    if (batches) frame.see(seen::kAfterItemBatcher, *batches);
    return batches;
  }

  Attempt<Value> unbatched_items(Frame& frame, const Value& input) const {
    if (frame.probe() != nullptr && frame.probe()->items) return *frame.probe()->items;
    Attempt<Value> items = items_path_ ? frame.evaluate_path(*items_path_, input) : input;
    if (!items) return items;
    if (!items->is_array()) return std::unexpected(frame.runtime_failure(must_point_to_array()));
    frame.see(seen::kAfterItemsPath, *items);
    return items;
  }

  // AWS shows a path on the Context Object without the first of its two dollars.
  std::string must_point_to_array() const {
    std::string_view path = items_path_ ? std::string_view(items_path_->text()) : "$";
    if (path.starts_with("$$")) path.remove_prefix(1);
    return "Reference path \"" + std::string(path) + "\" must point to array.";
  }

  // The inputs of all iterations, for a test.
  Attempt<Value> select_all(Frame& frame, const Value& input, const Value& items) const {
    json::ArrayBuilder selected(items.size());
    for (size_t i = 0; i < items.size(); ++i) {
      frame.set_item(MapItem{i, &items.at(i)});
      auto item = frame.evaluate_template(*item_selector_, input);
      frame.set_item(std::nullopt);
      if (!item) return item;
      selected.push(*std::move(item));
    }
    return selected.build();
  }

  // A mocked error is the Map's own; a mocked result holds as far as the failed iterations are tolerated.
  void end_test(Frame& frame, uint32_t tolerated) const {
    const StateProbe& probe = *frame.probe();
    if (probe.mock_error || probe.failed_iterations <= tolerated) return take_mock(frame);
    frame.fail(threshold_exceeded());
  }

  Attempt<Value> iteration_input(Frame& frame, const Value& input, size_t index, const Value& item) const {
    if (!item_selector_ || batcher_) return item;
    frame.set_item(MapItem{index, &item});
    auto selected = frame.evaluate_template(*item_selector_, input);
    frame.set_item(std::nullopt);
    return selected;
  }

  // The number of failures that do not fail the state: the smaller of what the count and the percentage allow.
  Attempt<std::optional<uint32_t>> tolerated_failures(Frame& frame, const Value& input, size_t total) const {
    auto count = tolerated_count_.evaluate(frame, input);
    if (!count) return std::unexpected(count.error());
    if (*count && **count < 0)
      return std::unexpected(frame.runtime_failure("ToleratedFailureCount cannot be negative."));
    auto percentage = tolerated_percentage_.evaluate_real(frame, input);
    if (!percentage) return std::unexpected(percentage.error());
    if (*percentage && !(**percentage >= 0 && **percentage <= 100))
      return std::unexpected(frame.runtime_failure("ToleratedFailurePercentage must be between 0 and 100."));
    if (StateProbe* probe = frame.probe()) {
      if (*count) probe->numbers.emplace_back(seen::kToleratedFailureCount, Value::integer(**count));
      if (*percentage) probe->numbers.emplace_back(seen::kToleratedFailurePercentage, Value::real(**percentage));
    }
    if (!*count && !*percentage) return std::nullopt;
    double allowed = static_cast<double>(total);
    if (*count) allowed = std::min(allowed, static_cast<double>(**count));
    if (*percentage) allowed = std::min(allowed, std::floor(static_cast<double>(total) * **percentage / 100));
    return static_cast<uint32_t>(allowed);
  }

  void start(Frame& frame, Value items, int64_t at_once, std::optional<uint32_t> tolerated) const {
    Fact fact;
    fact.kind = FactKind::kJoinStarted;
    fact.scope = frame.scope().id;
    fact.state = ordinal_;
    fact.number = static_cast<uint32_t>(items.size());
    fact.limit = static_cast<uint32_t>(std::min<int64_t>(at_once, UINT32_MAX));
    fact.value = std::move(items);
    if (tolerated) fact.extra = Value::integer(*tolerated);
    frame.turn().append_event(std::move(fact), frame.work_follows());
  }

  void open_iteration(Frame& frame, uint32_t index, Value input) const {
    Fact fact;
    fact.kind = FactKind::kScopeOpened;
    fact.scope = frame.turn().execution().next_scope_id();
    fact.parent = frame.scope().id;
    fact.state = ordinal_;
    fact.number = index;
    fact.next = start_;
    fact.value = std::move(input);
    frame.turn().append_event(std::move(fact), frame.scope().join->start_event);
  }

  std::optional<jsonpath::RootedPath> items_path_;
  std::optional<PayloadTemplate> item_selector_;
  std::optional<ItemBatcher> batcher_;
  NumberField concurrency_;
  NumberField tolerated_count_;
  NumberField tolerated_percentage_;
  bool has_tolerance_ = false;
  StateOrdinal start_;
};

}  // namespace

Result<StateCodePtr> compile_map(const State& source, const CompileContext& context) {
  return Map::compile(source, context);
}

}  // namespace pawl::asl
