#include "api/start_window.h"

namespace pawl::api {

Result<StartWindow> StartWindow::of(const kernel::StartRule& rule, Timestamp deployed) {
  StartWindow made;
  made.allows_direct_ = rule.allows_direct;
  if (!rule.is_scheduled()) return made;
  if (rule.timezone.empty()) {
    PAWL_TRY(made.zone_, text::local_time_zone());
  } else {
    PAWL_TRY(made.zone_, text::find_time_zone(rule.timezone));
  }
  if (!rule.interval.empty()) {
    PAWL_TRY(const text::Interval interval, text::parse_interval(rule.interval));
    PAWL_TRY(made.window_, text::window_of(interval, made.zone_, deployed));
  }
  if (!rule.cron.empty()) {
    PAWL_TRY(made.cron_, text::parse_cron(rule.cron));
  }
  return made;
}

std::optional<Timestamp> StartWindow::next_fire(Timestamp after) const {
  return cron_ ? cron_->next_after(after, zone_) : std::nullopt;
}

}  // namespace pawl::api
