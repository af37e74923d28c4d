#include "engine/lending.h"

#include <utility>

namespace pawl::engine {

namespace {

thread_local bool is_lent = false;
thread_local Inbox* looked_after = nullptr;

}  // namespace

Lending::Lending() : was_lent_(std::exchange(is_lent, true)) {}

Lending::~Lending() { is_lent = was_lent_; }

bool Lending::takes(Inbox& inbox) {
  if (!is_lent || looked_after != nullptr) return false;
  looked_after = &inbox;
  return true;
}

Inbox* Lending::take_over() { return std::exchange(looked_after, nullptr); }

}  // namespace pawl::engine
