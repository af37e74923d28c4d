// TestState: runs one state, with mocks or against the world, while its caller waits.
#include "lang/asl/test_state.h"

#include "server/service.h"

namespace pawl::server {

namespace {

constexpr int64_t kDataCharactersMax = 262'144;

// The members of `mock` and `stateConfiguration` are told by their paths, as AWS's messages do.
constexpr Field kTestFields[] = {
    {"definition", FieldKind::kText, true, 1, 1'048'576},
    {"roleArn", FieldKind::kText, false, 1, kArnCharactersMax},
    {"input", FieldKind::kText, false, 0, kDataCharactersMax},
    {"inspectionLevel", FieldKind::kText, false, 0, 100, "INFO, DEBUG, TRACE"},
    {"revealSecrets", FieldKind::kFlag},
    {"variables", FieldKind::kText, false, 0, kDataCharactersMax},
    {"stateName", FieldKind::kText, false, 1, 80},
    {"mock", FieldKind::kObject},
    {"context", FieldKind::kText, false, 0, kDataCharactersMax},
    {"stateConfiguration", FieldKind::kObject},
};
constexpr Field kNestedFields[] = {
    {"mock.result", FieldKind::kText, false, 0, kDataCharactersMax},
    {"mock.errorOutput", FieldKind::kObject},
    {"mock.errorOutput.error", FieldKind::kText, false, 0, 256},
    {"mock.errorOutput.cause", FieldKind::kText, false, 0, 32'768},
    {"mock.fieldValidationMode", FieldKind::kText, false, 0, 100, "STRICT, PRESENT, NONE"},
    {"stateConfiguration.retrierRetryCount", FieldKind::kInteger, false, 0, INT32_MAX},
    {"stateConfiguration.errorCausedByState", FieldKind::kText, false, 1, 80},
    {"stateConfiguration.mapIterationFailureCount", FieldKind::kInteger, false, 0, INT32_MAX},
    {"stateConfiguration.mapItemReaderData", FieldKind::kText, false, 0, kDataCharactersMax},
};

// Adds the members of an object under their paths.
void flatten(const Value& body, const std::string& name, const std::string& path, json::ObjectBuilder& flat) {
  const Value* object = body.find(name);
  if (object == nullptr || !object->is_object()) return;
  for (const json::Member& member : object->members())
    flat.set(path + "." + std::string(member.key.as_string()), member.value);
}

Outcome<void> check_nested(const Value& body) {
  json::ObjectBuilder flat;
  flatten(body, "mock", "mock", flat);
  flatten(body, "stateConfiguration", "stateConfiguration", flat);
  if (const Value* mock = body.find("mock")) flatten(*mock, "errorOutput", "mock.errorOutput", flat);
  const auto checked = Request::read(flat.build(), kNestedFields);
  if (!checked) return std::unexpected(checked.error());
  return {};
}

ExpressRequest to_run(const Service& service, const std::shared_ptr<asl::StateTest>& test) {
  const std::string machine = random_name();
  const std::string execution = random_name();
  const std::string arn = service.arns.of_tested(machine, execution);
  const std::string machine_arn = service.arns.of_machine(machine);
  const auto make_context = [=](Timestamp started) {
    asl::ContextFacts facts;
    facts.execution_arn = arn;
    facts.execution_name = execution;
    facts.machine_arn = machine_arn;
    facts.machine_name = machine;
    facts.started = started;
    return test->make_context(facts);
  };
  const std::shared_ptr<const asl::Program> program(test, &test->program());
  return {program, test->input(), test->input_text(), execution, make_context, {}, false};
}

Outcome<Value> to_answer(asl::StateTest& test, const Result<ExpressEnd>& end) {
  if (!end) return std::unexpected(to_refusal(end.error()));
  if (end->status == kernel::Status::kTimedOut) test.time_out();
  if (test.has_ended()) return test.answer();
  return std::unexpected(Refusal{"ServiceUnavailable", "The server is being stopped.", 503, true});
}

void test_state(Service& service, const Request& request, Reply reply) {
  if (const auto nested = check_nested(request.body()); !nested) return reply(std::unexpected(nested.error()));
  const auto prepared = asl::StateTest::prepare(request.body());
  if (!prepared) return reply(refuse(prepared.error().type, prepared.error().message));
  service.express.start(
      to_run(service, *prepared),
      [test = *prepared, reply = std::move(reply)](Result<ExpressEnd> end) mutable { reply(to_answer(*test, end)); });
}

constexpr Operation kOperations[] = {{"TestState", kTestFields, test_state}};

}  // namespace

std::span<const Operation> test_state_operations() { return kOperations; }

}  // namespace pawl::server
