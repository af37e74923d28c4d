// Functions that are operations of OpenAPI documents: what lint says of them, and what their calls carry.
#include <gtest/gtest.h>

#include "kernel/openapi_test_fixture.h"
#include "lang/sm4c/lint.h"
#include "lang/sm4c/program_test_fixture.h"

namespace pawl::sm4c {
namespace {

using kernel::kPets;

const Files kFiles = {{"pets.yaml", kPets},
                      {"https://pets.example/api/pets.json", kPets},
                      {"https://pets.example/page", "<html>"},
                      {"functions.yaml", "- {name: f, operation: 'pets.yaml#getPet'}"}};

std::string machine_with(const std::string& functions, const std::string& waits = "true") {
  return R"({"name": "m", "version": "1", "functions": )" + functions + R"(, "states": [{"name": "S", "start": true,
    "enterAction": {"type": "invokeFunction", "functionName": "f", "waitForCompletion": )" +
         waits + R"(, "arguments": {"petId": 7}}}]})";
}

std::string with_operation(const std::string& operation) {
  return machine_with(R"([{"name": "f", "type": "rest", "operation": ")" + operation + R"("}])");
}

std::string findings(const std::string& text) { return kernel::findings_in(lint_text(text, "", {}, kFiles)); }

TEST(OpenApiFunctions, AreOperationsOfAFileBesideTheDefinition) {
  EXPECT_EQ(findings(with_operation("pets.yaml#getPet")), "");
  EXPECT_EQ(findings(with_operation("cats.yaml#getPet")),
            "SM4C_REFERENCE /functions/0/operation There is no file \"cats.yaml\" to read.");
}

TEST(OpenApiFunctions, MayHaveADocumentElsewhereThatIsNotAtHand) {
  EXPECT_EQ(
      findings(with_operation("https://elsewhere.example/api.json#getPet")),
      "SM4C_DOCUMENT_ELSEWHERE /functions/0/operation \"https://elsewhere.example/api.json\" is not at hand: only "
      "files beside the definition are.");
}

TEST(OpenApiFunctions, AreTakenFromADocumentThatWasFetched) {
  const std::string machine = with_operation("https://pets.example/api/pets.json#getPet");
  const Value root = json::parse(machine).value();
  EXPECT_EQ(referred_files(root), std::vector<std::string>{"https://pets.example/api/pets.json"});
  EXPECT_EQ(findings(machine), "");
}

TEST(OpenApiFunctions, AreOnlyWarnedOfWhereAFetchedDocumentIsNone) {
  EXPECT_TRUE(findings(with_operation("https://pets.example/page#getPet")).starts_with("SM4C_DOCUMENT_ELSEWHERE"));
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

class OpenApiCalls : public kernel::OpenApiCallTest<MachineTest> {
 protected:
  OpenApiCalls() { files = kFiles; }
};

TEST_F(OpenApiCalls, CarryHowTheOperationIsCalled) {
  for (const char* waits : {"true", "false"}) {
    load_text(machine_with(R"("functions.yaml")", waits));
    start();
    expect_pet_call();
  }
}

TEST_F(OpenApiCalls, HaveNothingToCarryForOtherFunctions) {
  load_text(with_operation("https://example.org/f"));
  start();
  EXPECT_TRUE(open_call().endpoint.is_null());
}

}  // namespace
}  // namespace pawl::sm4c
