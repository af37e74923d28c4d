#include "lang/asl/item_batcher.h"

#include <limits>

namespace pawl::asl {

namespace {

// Fills batches one after the other until a limit on their items or bytes is met.
class Batches {
 public:
  Batches(size_t items_max, size_t bytes_max, const std::optional<Value>& batch_input)
      : items_max_(items_max), bytes_max_(bytes_max), batch_input_(batch_input) {}

  void add(Value item) {
    const size_t size = item.json_size() + 1;
    const bool is_full = batch_.size() == items_max_ || (batch_.size() != 0 && bytes_ + size > bytes_max_);
    if (is_full) close();
    bytes_ += size;
    batch_.push(std::move(item));
  }

  Value build() {
    if (batch_.size() != 0) close();
    return batches_.build();
  }

 private:
  void close() {
    json::ObjectBuilder input(2);
    if (batch_input_) input.set("BatchInput", *batch_input_);
    input.set("Items", batch_.build());
    batches_.push(input.build());
    batch_ = json::ArrayBuilder();
    bytes_ = 0;
  }

  size_t items_max_;
  size_t bytes_max_;
  const std::optional<Value>& batch_input_;
  json::ArrayBuilder batch_;
  json::ArrayBuilder batches_;
  size_t bytes_ = 0;
};

size_t limit_of(const std::optional<int64_t>& limit) {
  return limit ? static_cast<size_t>(*limit) : std::numeric_limits<size_t>::max();
}

}  // namespace

Result<ItemBatcher> ItemBatcher::compile(const Value& source) {
  ItemBatcher batcher;
  PAWL_TRY(batcher.items_max_, NumberField::compile(source, "MaxItemsPerBatch"));
  PAWL_TRY(batcher.bytes_max_, NumberField::compile(source, "MaxInputBytesPerBatch"));
  if (const Value* input = source.find("BatchInput")) {
    PAWL_TRY(batcher.batch_input_, PayloadTemplate::compile(*input));
  }
  return batcher;
}

Attempt<Value> ItemBatcher::batch(Frame& frame, const Value& input, const Value& items,
                                  const PayloadTemplate* selector) const {
  auto items_max = items_max_.evaluate(frame, input);
  if (!items_max) return std::unexpected(items_max.error());
  auto bytes_max = bytes_max_.evaluate(frame, input);
  if (!bytes_max) return std::unexpected(bytes_max.error());
  for (const auto& limit : {*items_max, *bytes_max})
    if (limit && *limit <= 0) return std::unexpected(frame.runtime_failure("A batch limit must be positive."));
  std::optional<Value> batch_input;
  if (batch_input_) {
    auto value = frame.evaluate_template(*batch_input_, input);
    if (!value) return value;
    batch_input = *std::move(value);
  }
  Batches batches(limit_of(*items_max), limit_of(*bytes_max), batch_input);
  for (size_t i = 0; i < items.size(); ++i) {
    if (selector == nullptr) {
      batches.add(items.at(i));
      continue;
    }
    frame.set_item(MapItem{i, &items.at(i)});
    auto selected = frame.evaluate_template(*selector, input);
    frame.set_item(std::nullopt);
    if (!selected) return selected;
    batches.add(*std::move(selected));
  }
  return batches.build();
}

}  // namespace pawl::asl
