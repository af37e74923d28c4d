// The events of an execution's history in the shape of AWS's GetExecutionHistory, whatever its language.
//
// An execution of ASL has AWS's own events. Any other language has fewer kinds of them: states entered and exited,
// tasks scheduled and ended, events awaited, received and published, and what becomes of the execution itself.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "kernel/execution.h"
#include "kernel/fact.h"
#include "lang/asl/history.h"
#include "lang/durable/history.h"
#include "server/catalog.h"

namespace pawl::server {

// Facts must be given in order, from the first or from the one that follows a known state. One thread.
class HistoryEvents {
 public:
  explicit HistoryEvents(std::shared_ptr<const Compiled> code);

  // The facts that follow are those after this state.
  void begin_at(const kernel::Execution& execution);
  // Null where the fact does not show.
  Value event_of(const kernel::Fact& fact);
  // Its events are those of durable executions, which have another form.
  bool is_durable() const { return durable_.has_value(); }

 private:
  Value plain_event_of(const kernel::Fact& fact);
  Value details_of(const kernel::Fact& fact) const;
  Value operation_details(const kernel::Fact& fact) const;
  bool waits_for_event(OperationId operation) const { return event_waits_.contains(operation); }

  std::shared_ptr<const Compiled> code_;
  std::optional<asl::HistoryView> asl_;
  std::optional<functions::HistoryView> durable_;
  std::map<OperationId, StateOrdinal> event_waits_;  // open operations that wait for an event
};

}  // namespace pawl::server
