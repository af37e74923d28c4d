#include "cases/mock_calls.h"

namespace pawl::cases {

MockCalls::Expect MockCalls::start(const engine::TaskRequest& request, engine::AnswerTask answer) {
  const auto [known, is_new] = answered_.try_emplace(request.idempotency_key);
  Answered& first = known->second;
  if (!is_new) {
    for (const engine::TaskAnswer& again : first.answers) answer(again);
    return first.expect;
  }
  calls_.push_back({request.state, request.input});
  first.expect = router_.start(request, [&first, answer = std::move(answer)](engine::TaskAnswer given) {
    first.answers.push_back(given);
    answer(std::move(given));
  });
  return first.expect;
}

}  // namespace pawl::cases
