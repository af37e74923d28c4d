// StartSyncExecution: runs an EXPRESS machine while its caller waits.
#include "json/parse.h"
#include "json/print.h"
#include "lang/asl/context.h"
#include "server/service.h"

namespace pawl::server {

namespace {

using json::ObjectBuilder;

constexpr int64_t kBilledStepMs = 100;
constexpr int64_t kBilledMemoryMb = 64;

constexpr Field kStartFields[] = {{"stateMachineArn", FieldKind::kText, true, 1, kArnCharactersMax},
                                  {"name", FieldKind::kText, false, 1, 80},
                                  {"input", FieldKind::kText, false, 0, 262'144},
                                  {"traceHeader", FieldKind::kText, false, 0, 256},
                                  {"includedData", FieldKind::kText, false, 0, 100, "ALL_DATA, METADATA_ONLY"}};

// What the answer needs of the request.
struct Asked {
  std::string arn;
  std::string machine_arn;
  std::string name;
  std::string input_text;
  bool with_data = true;
};

Value included(bool with_data) {
  ObjectBuilder details(1);
  details.set("included", Value::boolean(with_data));
  return details.build();
}

Value billing(const ExpressEnd& end) {
  const int64_t took = (end.ended - end.started).count();
  ObjectBuilder details(2);
  details.set("billedDurationInMilliseconds", Value::integer((took / kBilledStepMs + 1) * kBilledStepMs));
  details.set("billedMemoryUsedInMB", Value::integer(kBilledMemoryMb));
  return details.build();
}

Value to_answer(const Asked& asked, const ExpressEnd& end) {
  const bool succeeded = end.status == kernel::Status::kSucceeded;
  ObjectBuilder answer;
  answer.set("executionArn", Value::string(asked.arn));
  answer.set("stateMachineArn", Value::string(asked.machine_arn));
  answer.set("name", Value::string(asked.name));
  answer.set("startDate", to_seconds(end.started));
  answer.set("stopDate", to_seconds(end.ended));
  answer.set("status", Value::string(kernel::name_of(end.status)));
  if (!succeeded) set_failure(answer, end.outcome);
  if (asked.with_data) answer.set("input", Value::string(asked.input_text));
  answer.set("inputDetails", included(asked.with_data));
  if (asked.with_data && succeeded) answer.set("output", Value::string(json::print(end.outcome)));
  answer.set("outputDetails", included(asked.with_data));
  answer.set("billingDetails", billing(end));
  return answer.build();
}

Asked read_asked(const Service& service, const Request& request, const Revision& revision, const std::string& unique) {
  Asked asked;
  asked.name = request.has("name") ? request.text("name") : unique;
  asked.arn = service.arns.of_express(revision.machine, asked.name, unique);
  asked.machine_arn = service.arns.of_machine(revision.machine);
  asked.input_text = request.has("input") ? request.text("input") : "{}";
  asked.with_data = request.text("includedData") != "METADATA_ONLY";
  return asked;
}

void start_sync(Service& service, const Request& request, Reply reply) {
  const StartArn arn = split_test_case(request.text("stateMachineArn"));
  const auto found = find_machine(service, arn.machine);
  if (!found) return reply(std::unexpected(found.error()));
  if (const auto enabled = check_enabled(*found->machine); !enabled) return reply(std::unexpected(enabled.error()));
  if (!found->revision->express)
    return reply(refuse_about("StateMachineTypeNotSupported", "State Machine Type Not Supported", "STANDARD"));
  if (const auto named = check_name(request.text("name")); !named) return reply(std::unexpected(named.error()));
  const Asked asked = read_asked(service, request, *found->revision, random_name());
  auto input = parse_input(asked.input_text);
  if (!input) return reply(std::unexpected(input.error()));
  auto labels = start_labels(service, arn, *found->machine);
  if (!labels) return reply(std::unexpected(labels.error()));
  ExpressRequest run{service.catalog.find_program(found->revision->id),
                     *input,
                     asked.input_text,
                     asked.arn,
                     [asked, revision = found->revision, input = *input](Timestamp started) {
                       const asl::ContextFacts facts{asked.arn,         asked.name, revision->role, asked.machine_arn,
                                                     revision->machine, started,    false};
                       return asl::make_context(facts, input, {});
                     },
                     with_trace(*std::move(labels), request),
                     true};
  service.express.start(std::move(run), [asked, reply = std::move(reply)](Result<ExpressEnd> end) mutable {
    if (!end) return reply(std::unexpected(to_refusal(end.error())));
    reply(to_answer(asked, *end));
  });
}

constexpr Operation kOperations[] = {{"StartSyncExecution", kStartFields, start_sync}};

}  // namespace

std::span<const Operation> express_operations() { return kOperations; }

}  // namespace pawl::server
