// ItemBatcher: gathers a Map's items into batches, each the input of one iteration: {"BatchInput": …, "Items": […]}.
#pragma once

#include <optional>

#include "lang/asl/frame.h"
#include "lang/asl/number_field.h"
#include "lang/asl/payload_template.h"

namespace pawl::asl {

class ItemBatcher {
 public:
  static Result<ItemBatcher> compile(const Value& source);

  // The batches as an array. Items go through `selector` (may be null) first.
  Attempt<Value> batch(Frame& frame, const Value& input, const Value& items, const PayloadTemplate* selector) const;

 private:
  NumberField items_max_;
  NumberField bytes_max_;
  std::optional<PayloadTemplate> batch_input_;
};

}  // namespace pawl::asl
