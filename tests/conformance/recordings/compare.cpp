#include "compare.h"

#include "normalise.h"

namespace pawl::conformance {

std::string_view name_of(Level level) {
  switch (level) {
    case Level::kStatus:
      return "status";
    case Level::kOutput:
      return "output";
    case Level::kError:
      return "error";
    case Level::kCause:
      return "cause";
    case Level::kRequests:
      return "task requests";
    case Level::kEventTypes:
      return "event types";
    case Level::kStateData:
      return "state inputs and outputs";
    case Level::kEventIds:
      return "event ids";
    case Level::kEventDetails:
      return "event details";
    case Level::kVerdict:
      return "verdict";
    case Level::kMessage:
      return "message";
    case Level::kAnswer:
      return "answer";
  }
  return "unknown";
}

std::vector<Level> levels_of(const Recording& recording) {
  switch (recording.kind) {
    case RecordingKind::kExecution:
      return {Level::kStatus,     Level::kOutput,    Level::kError,    Level::kCause,       Level::kRequests,
              Level::kEventTypes, Level::kStateData, Level::kEventIds, Level::kEventDetails};
    case RecordingKind::kChoice:
      return {Level::kStatus, Level::kOutput};
    case RecordingKind::kValidate:
      return {Level::kVerdict, Level::kMessage};
    case RecordingKind::kCreateError:
      // The words of what is not validated are not AWS's.
      if (!recording.aws_validated) return {Level::kVerdict};
      return {Level::kVerdict, Level::kMessage};
    case RecordingKind::kMustAccept:
      return {Level::kVerdict};
    case RecordingKind::kTestState:
      return {Level::kVerdict, Level::kMessage, Level::kStatus, Level::kAnswer};
    case RecordingKind::kExpress:
      return {Level::kStatus, Level::kOutput, Level::kError, Level::kCause};
  }
  return {};
}

void compare_end(const Recording& recording, const Ours& ours, Agreement& agreement) {
  const Expectation& expect = recording.expect;
  if (ours.status != expect.status)
    agreement.at(Level::kStatus).push_back("recorded " + expect.status + ", ours " + ours.status);
  if (expect.status == "SUCCEEDED") {
    agreement.at(Level::kOutput) = differences(expect.output, ours.output);
  } else {
    agreement.at(Level::kError) = differences(expect.error, ours.error);
    agreement.at(Level::kCause) = differences(unfold(expect.cause), ours.cause);
  }
  agreement.at(Level::kRequests) = ours.complaints;
}

}  // namespace pawl::conformance
