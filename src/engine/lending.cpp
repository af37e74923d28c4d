#include "engine/lending.h"

#include <utility>

#include "base/assert.h"

namespace pawl::engine {

namespace {

thread_local bool is_lent = false;
thread_local Inbox* looked_after = nullptr;

}  // namespace

Lending::Lending() {
  PAWL_ASSERT(!is_lent, "a thread lends itself once at a time");
  is_lent = true;
}

Lending::~Lending() { is_lent = false; }

bool Lending::takes(Inbox& inbox) {
  if (!is_lent || looked_after != nullptr) return false;
  looked_after = &inbox;
  return true;
}

Inbox* Lending::take_over() { return std::exchange(looked_after, nullptr); }

}  // namespace pawl::engine
