// When a definition may be started, and when it is started by itself: the schedule of its start rule.
#pragma once

#include <optional>

#include "base/result.h"
#include "base/time.h"
#include "kernel/start_rule.h"
#include "text/cron.h"
#include "text/interval.h"
#include "text/time_zone.h"

namespace pawl::api {

// The parsed schedule of a start rule. Immutable: any thread may use it.
class StartWindow {
 public:
  // `deployed` is what a duration without a start is counted from. Errors: those of text/interval.h, cron.h and
  // time_zone.h.
  static Result<StartWindow> of(const kernel::StartRule& rule, Timestamp deployed);

  // Whether it may be started by an event or by another workflow: always, but outside of its interval.
  bool is_open(Timestamp now) const { return !window_ || window_->contains(now); }
  // Whether somebody may start it: outside of its interval, or where cron starts it, only where it allows that.
  bool allows_direct(Timestamp now) const { return allows_direct_ || (!cron_ && is_open(now)); }

  const std::optional<text::Window>& window() const { return window_; }
  bool has_cron() const { return cron_.has_value(); }
  // The first time after this one at which cron starts it; none where it never does.
  std::optional<Timestamp> next_fire(Timestamp after) const;

 private:
  bool allows_direct_ = true;
  std::optional<text::Window> window_;
  std::optional<text::Cron> cron_;
  text::TimeZone zone_ = text::TimeZone::utc();
};

}  // namespace pawl::api
