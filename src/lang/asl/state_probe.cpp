#include "lang/asl/state_probe.h"

#include <algorithm>

namespace pawl::asl {

void StateProbe::see(std::string_view stage, Value value) {
  const auto before = std::ranges::find(data, stage, [](const auto& entry) { return entry.first; });
  if (before == data.end())
    data.emplace_back(stage, std::move(value));
  else
    before->second = std::move(value);
}

void StateProbe::leave(Value with, std::string_view next, Value with_variables) {
  end = End::kSucceeded;
  output = std::move(with);
  next_state = next;
  assigned = std::move(with_variables);
}

void StateProbe::fail(Failure why) {
  end = End::kFailed;
  failure = std::move(why);
}

}  // namespace pawl::asl
