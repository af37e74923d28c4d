// Functions that are operations of OpenAPI documents: what lint says of them, and what their calls carry.
#include <gtest/gtest.h>

#include "lang/sm4c/lint.h"
#include "lang/sm4c/program_test_fixture.h"
#include "openapi/operation.h"

namespace pawl::sm4c {
namespace {

constexpr const char* kPets = R"(
openapi: 3.0.3
servers: [{url: 'https://pets.example'}]
paths:
  /pets/{petId}:
    get: {operationId: getPet, parameters: [{name: petId, in: path, required: true}]}
)";

const Files kFiles = {{"pets.yaml", kPets}, {"functions.yaml", "- {name: f, operation: 'pets.yaml#getPet'}"}};

std::string machine_with(const std::string& functions, const std::string& waits = "true") {
  return R"({"name": "m", "version": "1", "functions": )" + functions + R"(, "states": [{"name": "S", "start": true,
    "enterAction": {"type": "invokeFunction", "functionName": "f", "waitForCompletion": )" +
         waits + R"(, "arguments": {"petId": 7}}}]})";
}

std::string with_operation(const std::string& operation) {
  return machine_with(R"([{"name": "f", "type": "rest", "operation": ")" + operation + R"("}])");
}

// Findings as "CODE /pointer cause" lines.
std::string findings(const std::string& text) {
  std::string lines;
  for (const Diagnostic& diagnostic : lint_text(text, "", {}, kFiles)) {
    EXPECT_GT(diagnostic.position.line, 0u);
    EXPECT_FALSE(diagnostic.fix.empty());
    lines += diagnostic.code + " " + diagnostic.pointer + " " + diagnostic.cause;
  }
  return lines;
}

TEST(OpenApiFunctions, AreOperationsOfAFileBesideTheDefinition) {
  EXPECT_EQ(findings(with_operation("pets.yaml#getPet")), "");
  EXPECT_EQ(findings(with_operation("cats.yaml#getPet")),
            "SM4C_REFERENCE /functions/0/operation There is no file \"cats.yaml\" to read.");
}

TEST(OpenApiFunctions, MayHaveADocumentElsewhereWhichNobodyFetches) {
  EXPECT_EQ(findings(with_operation("https://pets.example/api.json#getPet")),
            "SM4C_DOCUMENT_ELSEWHERE /functions/0/operation \"https://pets.example/api.json\" is not read: only files "
            "beside the definition are.");
}

TEST(OpenApiFunctions, NameAnOperationOfTheDocument) {
  EXPECT_EQ(findings(with_operation("pets.yaml#gotPet")),
            "SM4C_OPERATION /functions/0/operation The document has no operation with the operationId 'gotPet'. "
            "(pets.yaml)");
}

TEST(OpenApiFunctions, AreReferredToByWayOfAFileOfFunctions) {
  const Value root = json::parse(machine_with(R"("functions.yaml")")).value();
  EXPECT_EQ(referred_files(root), std::vector<std::string>{"functions.yaml"});
  EXPECT_EQ(referred_files(root, kFiles), (std::vector<std::string>{"functions.yaml", "pets.yaml"}));
}

class OpenApiCalls : public MachineTest {
 protected:
  OpenApiCalls() { files = kFiles; }

  kernel::Call open_call() const {
    return program().call_of(execution(), execution().open_operations().begin()->second);
  }
};

TEST_F(OpenApiCalls, CarryHowTheOperationIsCalled) {
  for (const char* waits : {"true", "false"}) {
    load_text(machine_with(R"("functions.yaml")", waits));
    start();
    const kernel::Call call = open_call();
    EXPECT_EQ(call.name, "f");
    EXPECT_EQ(call.resource, "pets.yaml#getPet");
    EXPECT_EQ(json::print(call.input), R"({"petId":7})");
    const auto operation = openapi::read_operation(call.endpoint);
    ASSERT_TRUE(operation);
    EXPECT_EQ(operation->url, "https://pets.example/pets/{petId}");
  }
}

TEST_F(OpenApiCalls, HaveNothingToCarryForOtherFunctions) {
  load_text(with_operation("https://example.org/f"));
  start();
  EXPECT_TRUE(open_call().endpoint.is_null());
}

}  // namespace
}  // namespace pawl::sm4c
