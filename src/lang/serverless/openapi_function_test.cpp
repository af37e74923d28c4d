// Functions that are operations of OpenAPI documents: what lint says of them, and what their calls carry.
#include <gtest/gtest.h>

#include "lang/serverless/lint.h"
#include "lang/serverless/program_test_fixture.h"
#include "openapi/operation.h"

namespace pawl::serverless {
namespace {

constexpr const char* kPets = R"(
openapi: 3.0.3
servers: [{url: 'https://pets.example'}]
paths:
  /pets/{petId}:
    get: {operationId: getPet, parameters: [{name: petId, in: path, required: true}]}
)";

std::string workflow_with(const std::string& function) {
  return R"({"id": "w", "name": "w", "functions": [{"name": "f", )" + function + R"(}], "states": [
    {"name": "S", "type": "operation", "start": {"kind": "default"}, "end": {"kind": "default"},
     "actions": [{"functionRef": {"refName": "f", "parameters": {"petId": 7}}}]}]})";
}

// Findings as "CODE /pointer cause" lines.
std::string findings(const std::string& function, const Files& files) {
  std::string lines;
  for (const Diagnostic& diagnostic : lint_text(workflow_with(function), "", {}, files)) {
    EXPECT_GT(diagnostic.position.line, 0u);
    EXPECT_FALSE(diagnostic.fix.empty());
    lines += diagnostic.code + " " + diagnostic.pointer + " " + diagnostic.cause;
  }
  return lines;
}

const Files kFiles = {{"pets.yaml", kPets}, {"broken.yaml", "openapi: [3"}};

TEST(OpenApiFunctions, AreFoundUnderBothSpellings) {
  EXPECT_EQ(findings(R"("operation": "pets.yaml#getPet")", kFiles), "");
  EXPECT_EQ(findings(R"("resource": "pets.yaml#getPet")", kFiles), "");
}

TEST(OpenApiFunctions, NeedTheirDocument) {
  EXPECT_EQ(findings(R"("operation": "cats.yaml#getPet")", kFiles),
            "SW_REFERENCE /functions/0/operation There is no file \"cats.yaml\" to read.");
  EXPECT_EQ(findings(R"("operation": "https://pets.example/openapi.json#getPet")", kFiles),
            "SW_REFERENCE /functions/0/operation There is no file \"https://pets.example/openapi.json\" to read.");
}

TEST(OpenApiFunctions, NameAnOperationOfTheDocument) {
  EXPECT_EQ(findings(R"("resource": "pets.yaml#gotPet")", kFiles),
            "SW_OPERATION /functions/0/resource The document has no operation with the operationId 'gotPet'. "
            "(pets.yaml)");
  EXPECT_TRUE(
      findings(R"("operation": "broken.yaml#getPet")", kFiles).starts_with("SW_OPERATION /functions/0/operation"));
}

class OpenApiCalls : public WorkflowTest {
 protected:
  OpenApiCalls() { files = kFiles; }

  kernel::Call open_call() const {
    return program().call_of(execution(), execution().open_operations().begin()->second);
  }
};

TEST_F(OpenApiCalls, CarryHowTheOperationIsCalled) {
  load_text(workflow_with(R"("operation": "pets.yaml#getPet")"));
  start();
  const kernel::Call call = open_call();
  EXPECT_EQ(call.name, "f");
  EXPECT_EQ(call.resource, "pets.yaml#getPet");
  EXPECT_EQ(json::print(call.input), R"({"petId":7})");
  const auto operation = openapi::read_operation(call.endpoint);
  ASSERT_TRUE(operation);
  EXPECT_EQ(operation->url, "https://pets.example/pets/{petId}");
}

TEST_F(OpenApiCalls, AreInheritedBySubWorkflows) {
  load_text(workflow_with(R"("operation": "pets.yaml#getPet")"));
  start();
  const Value expected = open_call().endpoint;
  const Value lent = definitions().hand_down({}, execution());
  files.clear();
  load_text(R"({"id": "w", "name": "w", "states": [{"name": "S", "type": "operation", "start": {"kind": "default"},
    "end": {"kind": "default"}, "actions": [{"functionRef": {"refName": "f"}}]}]})");
  start("{}", R"({"context":{"inherited":{"functions":)" + json::print(*lent.find("functions")) + R"(,"events":[]}}})");
  EXPECT_EQ(open_call().resource, "pets.yaml#getPet");
  EXPECT_EQ(open_call().endpoint, expected);
}

TEST_F(OpenApiCalls, HaveNothingToCarryForOtherFunctions) {
  load_text(workflow_with(R"("resource": "https://example.org/f")"));
  start();
  EXPECT_TRUE(open_call().endpoint.is_null());
}

}  // namespace
}  // namespace pawl::serverless
