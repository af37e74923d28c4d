// Findings in AWS's words, beyond what the recordings show: the shapes that users of the service have reported.
#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"
#include "lang/asl/lint.h"

namespace pawl::asl {
namespace {

std::string refusal(std::string_view text) { return aws_refusal(lint_document(json::parse_document(text), Options())); }

TEST(AwsRefusal, IsEmptyForADefinitionWithoutErrors) {
  EXPECT_EQ(refusal(R"({"StartAt":"A","States":{"A":{"Type":"Fail"}}})"), "");
}

TEST(AwsRefusal, NamesAMissingTargetAndTheStateThatNothingLeadsTo) {
  EXPECT_EQ(
      refusal(
          R"({"StartAt":"pass1","States":{"pass1":{"Type":"Pass","Next":"pass3"},"pass2":{"Type":"Pass","End":true}}})"),
      "MISSING_TRANSITION_TARGET: Missing 'Next' target: pass3 at /States/pass1/Next, "
      "MISSING_TRANSITION_TARGET: State \"pass2\" is not reachable. at /States/pass2");
}

TEST(AwsRefusal, SaysNextOfTheFirstStateToo) {
  EXPECT_EQ(refusal(R"({"StartAt":"B","States":{"A":{"Type":"Succeed"}}})"),
            "MISSING_TRANSITION_TARGET: Missing 'Next' target: B at /StartAt");
}

TEST(AwsRefusal, GivesNoPlaceForAMachineWithoutAnEnd) {
  EXPECT_EQ(refusal(R"({"StartAt":"A","States":{"A":{"Type":"Pass","Next":"B"},"B":{"Type":"Pass","Next":"A"}}})"),
            "MISSING_END_STATE: Workflow has no terminal state");
}

TEST(AwsRefusal, NamesAMissingTargetBeforeAMissingEnd) {
  EXPECT_EQ(refusal(R"({"StartAt":"A","States":{"A":{"Type":"Pass","Next":"NOPE"}}})"),
            "MISSING_TRANSITION_TARGET: Missing 'Next' target: NOPE at /States/A/Next, "
            "MISSING_END_STATE: Workflow has no terminal state");
}

TEST(AwsRefusal, PlacesAFieldOfAnotherTypeAtItsState) {
  EXPECT_EQ(refusal(R"({"StartAt":"A","States":{"A":{"Type":"Pass","Catch":[],"End":true}}})"),
            "SCHEMA_VALIDATION_FAILED: Field 'Catch' is not supported at /States/A");
}

TEST(AwsRefusal, PlacesAnItemByItsIndexInBrackets) {
  EXPECT_EQ(refusal(R"({"StartAt":"C","States":{"C":{"Type":"Choice","Default":"D","Choices":[
              {"Variable":"$.a","IsNull":true,"Next":"X"}]},"D":{"Type":"Succeed"}}})"),
            "MISSING_TRANSITION_TARGET: Missing 'Next' target: X at /States/C/Choices[0]/Next");
}

TEST(AwsRefusal, KeepsToTheKnownSentenceForAPath) {
  EXPECT_EQ(refusal(R"({"StartAt":"A","States":{"A":{"Type":"Pass","ResultPath":"$.a[*]","End":true}}})"),
            "SCHEMA_VALIDATION_FAILED: Value is not a Reference Path at /States/A/ResultPath");
}

TEST(AwsRefusal, NamesTheLanguageThatAFieldBelongsTo) {
  EXPECT_EQ(
      refusal(R"({"StartAt":"A","States":{"A":{"Type":"Pass","Output":1,"End":true}}})"),
      "SCHEMA_VALIDATION_FAILED: The QueryLanguage is set to 'JSONPath', but field 'Output' is only supported for the "
      "'JSONata' QueryLanguage at /States/A");
}

TEST(AwsValidation, ListsNoMoreThanAskedForAndSaysSo) {
  const Value answer =
      aws_validation(R"({"StartAt":"A","States":{"A":{"Type":"Pass","X":1,"Y":2,"End":true}}})", Options(), 1);
  EXPECT_EQ(answer.find("diagnostics")->size(), 1u);
  EXPECT_TRUE(answer.find("truncated")->as_boolean());
}

TEST(AwsValidation, LeavesOutWarnings) {
  const Value answer = aws_validation(R"({"StartAt":"A","States":{"A":{"Type":"Fail"}}})", Options());
  EXPECT_EQ(json::print(answer), R"({"result":"OK","diagnostics":[],"truncated":false})");
}

TEST(AwsValidation, TakesJsonOnly) {
  const Value answer = aws_validation("StartAt: A\n", Options());
  EXPECT_EQ(answer.find("diagnostics")->at(0).find("code")->as_string(), "INVALID_JSON_DESCRIPTION");
}

TEST(AwsValidation, QuotesTheBeginningOfALongTextThatIsNoJson) {
  const Value answer = aws_validation("\n" + std::string(600, ' ') + "nope", Options());
  const Value& diagnostic = answer.find("diagnostics")->at(0);
  EXPECT_TRUE(diagnostic.find("location")->as_string().ends_with("\"[truncated 105 chars]; line: 2, column: 605]"))
      << json::print(answer);
}

}  // namespace
}  // namespace pawl::asl
