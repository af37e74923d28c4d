// Functions that are operations of OpenAPI documents: what lint says of them, and what their calls carry.
#include <gtest/gtest.h>

#include "json/parse.h"
#include "kernel/openapi_test_fixture.h"
#include "lang/serverless/lint.h"
#include "lang/serverless/program_test_fixture.h"

namespace pawl::serverless {
namespace {

using kernel::kPets;

std::string workflow_with(const std::string& function) {
  return R"({"id": "w", "name": "w", "functions": [{"name": "f", )" + function + R"(}], "states": [
    {"name": "S", "type": "operation", "start": {"kind": "default"}, "end": {"kind": "default"},
     "actions": [{"functionRef": {"refName": "f", "parameters": {"petId": 7}}}]}]})";
}

std::string findings(const std::string& function, const Files& files) {
  return kernel::findings_in(lint_text(workflow_with(function), "", {}, files));
}

const Files kFiles = {{"pets.yaml", kPets}, {"broken.yaml", "openapi: [3"}};

TEST(OpenApiFunctions, AreFoundUnderBothSpellings) {
  EXPECT_EQ(findings(R"("operation": "pets.yaml#getPet")", kFiles), "");
  EXPECT_EQ(findings(R"("resource": "pets.yaml#getPet")", kFiles), "");
}

TEST(OpenApiFunctions, NeedTheirDocument) {
  EXPECT_EQ(findings(R"("operation": "cats.yaml#getPet")", kFiles),
            "SW_REFERENCE /functions/0/operation There is no file \"cats.yaml\" to read.");
}

TEST(OpenApiFunctions, MayHaveADocumentElsewhere) {
  const std::string url = "https://pets.example/openapi.json";
  const std::string function = R"("operation": ")" + url + R"(#getPet")";
  EXPECT_EQ(findings(function, kFiles), "SW_DOCUMENT_ELSEWHERE /functions/0/operation \"" + url +
                                            "\" is not at hand: only files beside the definition are.");
  EXPECT_EQ(findings(function, {{url, kPets}}), "");
  EXPECT_TRUE(findings(function, {{url, "openapi: [3"}}).starts_with("SW_DOCUMENT_ELSEWHERE /functions/0/operation"));
  const Value root = json::parse(workflow_with(function)).value();
  EXPECT_EQ(referred_files(root), std::vector<std::string>{url});
}

TEST(OpenApiFunctions, NameAnOperationOfTheDocument) {
  EXPECT_EQ(findings(R"("resource": "pets.yaml#gotPet")", kFiles),
            "SW_OPERATION /functions/0/resource The document has no operation with the operationId 'gotPet'. "
            "(pets.yaml)");
  EXPECT_TRUE(
      findings(R"("operation": "broken.yaml#getPet")", kFiles).starts_with("SW_OPERATION /functions/0/operation"));
}

class OpenApiCalls : public kernel::OpenApiCallTest<WorkflowTest> {
 protected:
  OpenApiCalls() { files = kFiles; }
};

TEST_F(OpenApiCalls, CarryHowTheOperationIsCalled) {
  load_text(workflow_with(R"("operation": "pets.yaml#getPet")"));
  start();
  expect_pet_call();
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
