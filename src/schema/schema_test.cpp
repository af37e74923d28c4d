#include "schema/schema.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace pawl::schema {
namespace {

json::Value value(std::string_view text) { return json::parse(text).value(); }

Schema compiled(std::string_view text, const Options& options = {}) {
  const auto schema = Schema::compile(value(text), options);
  EXPECT_TRUE(schema) << to_string(schema.error());
  return *schema;
}

// "code where" of what compile refuses.
std::string refusal(std::string_view text, const Options& options = {}) {
  const auto schema = Schema::compile(value(text), options);
  return schema ? "none" : schema.error().code + " " + schema.error().where;
}

std::vector<std::string> violations(std::string_view schema, std::string_view instance, const Options& options = {}) {
  std::vector<std::string> lines;
  for (const Violation& violation : compiled(schema, options).validate(value(instance)))
    lines.push_back(violation.instance + " | " + violation.keyword + " | " + violation.what);
  return lines;
}

using Lines = std::vector<std::string>;

TEST(Schema, TellsWhereInTheValueAndInTheSchema) {
  constexpr const char* kPerson = R"({
    "type": "object", "required": ["name"],
    "properties": {"name": {"type": "string", "minLength": 2}, "age": {"minimum": 0, "type": "integer"},
                   "tags/~": {"items": {"enum": ["a", "b"]}}},
    "additionalProperties": false})";
  EXPECT_EQ(violations(kPerson, R"({"name":"Ada","age":36})"), Lines{});
  EXPECT_EQ(violations(kPerson, "7"), (Lines{" | /type | The value is a number, not an object."}));
  EXPECT_EQ(violations(kPerson, R"({"age":-1.5})"),
            (Lines{" | /required | The object has no member \"name\".",
                   "/age | /properties/age/type | The value is a number, not an integer.",
                   "/age | /properties/age/minimum | The number is less than 0."}));
  EXPECT_EQ(violations(kPerson, R"({"name":"ä","tags/~":["a","c"],"x":1})"),
            (Lines{"/name | /properties/name/minLength | The text has fewer than 2 characters.",
                   "/tags~1~0/1 | /properties/tags~1~0/items/enum | The value is none of [\"a\",\"b\"].",
                   "/x | /additionalProperties | The member \"x\" is not allowed."}));
}

TEST(Schema, TellsTheKeywordBehindAReference) {
  EXPECT_EQ(violations(R"({"items":{"$ref":"#/definitions/n"},"definitions":{"n":{"maximum":3}}})", "[1,5]"),
            (Lines{"/1 | /definitions/n/maximum | The number is more than 3."}));
}

TEST(Schema, NamesOtherDocuments) {
  const Documents documents{{"types.json", value(R"({"definitions":{"id":{"type":"string"}}})")}};
  const Options options{Draft::k7, "", &documents};
  EXPECT_EQ(violations(R"({"properties":{"id":{"$ref":"types.json#/definitions/id"}}})", R"({"id":1})", options),
            (Lines{"/id | types.json#/definitions/id/type | The value is a number, not a string."}));
}

TEST(Schema, FindsOtherDocumentsFromItsOwnUri) {
  const Documents documents{{"file:///schemas/common/types.json", value(R"({"type":"string"})")}};
  const Options options{Draft::k7, "file:///schemas/order.json", &documents};
  EXPECT_EQ(violations(R"({"$ref":"common/types.json"})", "1", options).size(), 1u);
  EXPECT_EQ(violations(R"({"$ref":"./x/../common/types.json#"})", R"("a")", options), Lines{});
}

TEST(Schema, SaysNothingOfAlternativesThatWereTried) {
  EXPECT_EQ(violations(R"({"anyOf":[{"type":"string"},{"minimum":5}]})", "3"),
            (Lines{" | /anyOf | The value matches none of the alternatives."}));
  EXPECT_EQ(violations(R"({"oneOf":[{"minimum":1},{"minimum":2}]})", "3"),
            (Lines{" | /oneOf | The value matches more than one of the alternatives."}));
  EXPECT_EQ(violations(R"({"not":{"minimum":1}})", "3"),
            (Lines{" | /not | The value matches the schema that it must not match."}));
  EXPECT_EQ(violations(R"({"if":{"minimum":1},"then":{"maximum":2}})", "3"),
            (Lines{" | /then/maximum | The number is more than 2."}));
}

TEST(Schema, StopsAtTheMostViolationsAskedFor) {
  const Schema schema = compiled(R"({"items":{"type":"string"}})");
  EXPECT_EQ(schema.validate(value("[1,2,3,4]"), 3).size(), 3u);
  EXPECT_EQ(schema.validate(value("[1,2,3,4]"), 1).size(), 1u);
  EXPECT_FALSE(schema.accepts(value("[1]")));
  EXPECT_TRUE(schema.accepts(value("[]")));
}

TEST(Schema, FollowsDraftSevenUnlessToldOtherwise) {
  constexpr const char* kTuple = R"({"items":[{"type":"string"}],"additionalItems":false})";
  EXPECT_EQ(violations(kTuple, R"(["a"])"), Lines{});
  EXPECT_EQ(violations(kTuple, R"(["a",1])").size(), 1u);
  EXPECT_EQ(refusal(kTuple, {Draft::k2020_12, "", nullptr}), "SCHEMA_INVALID /items");
  EXPECT_EQ(violations(R"({"prefixItems":[{"type":"string"}]})", "[1]"), Lines{});
  EXPECT_EQ(violations(R"({"$schema":"https://json-schema.org/draft/2020-12/schema",
                           "prefixItems":[{"type":"string"}]})",
                       "[1]"),
            (Lines{"/0 | /prefixItems/0/type | The value is a number, not a string."}));
  EXPECT_EQ(violations(R"({"$schema":"http://json-schema.org/draft-07/schema#","prefixItems":[{"type":"string"}]})",
                       "[1]", {Draft::k2020_12, "", nullptr}),
            Lines{});
}

TEST(Schema, TellsWhatWasLeftUnevaluated) {
  constexpr const char* kOpen = R"({"$schema":"https://json-schema.org/draft/2020-12/schema",
    "allOf":[{"properties":{"a":true}}],"anyOf":[{"required":["b"],"properties":{"b":true}},true],
    "unevaluatedProperties":false})";
  EXPECT_EQ(violations(kOpen, R"({"a":1,"b":2})"), Lines{});
  EXPECT_EQ(violations(kOpen, R"({"a":1,"c":2})"), (Lines{"/c | /unevaluatedProperties | Nothing may stand here."}));
}

TEST(Schema, TakesFormatsAsAnnotations) {
  EXPECT_EQ(violations(R"({"format":"date-time"})", R"("yesterday")"), Lines{});
}

TEST(Schema, ValidatesSchemas) {
  const Schema seven = compiled(R"({"$ref":"http://json-schema.org/draft-07/schema#"})");
  EXPECT_TRUE(seven.accepts(value(R"({"properties":{"a":{"type":["string","null"]}}})")));
  EXPECT_FALSE(seven.accepts(value(R"({"properties":{"a":{"type":"text"}}})")));
  EXPECT_FALSE(seven.accepts(value(R"({"minLength":-1})")));
  const Schema newer = compiled(R"({"$ref":"https://json-schema.org/draft/2020-12/schema"})");
  EXPECT_TRUE(newer.accepts(value(R"({"$defs":{"a":{"prefixItems":[true]}}})")));
  EXPECT_FALSE(newer.accepts(value(R"({"$defs":{"a":{"prefixItems":{}}}})")));
  EXPECT_FALSE(newer.accepts(value(R"({"properties":{"a":{"not":{"minContains":-1}}}})")));
}

TEST(Schema, RefusesWhatIsNoSchema) {
  EXPECT_EQ(refusal("7"), "SCHEMA_INVALID ");
  EXPECT_EQ(refusal(R"({"properties":{"a":"string"}})"), "SCHEMA_INVALID /properties/a");
  EXPECT_EQ(refusal(R"({"properties":[]})"), "SCHEMA_INVALID /properties");
  EXPECT_EQ(refusal(R"({"type":"text"})"), "SCHEMA_INVALID /type");
  EXPECT_EQ(refusal(R"({"type":[7]})"), "SCHEMA_INVALID /type");
  EXPECT_EQ(refusal(R"({"enum":"a"})"), "SCHEMA_INVALID /enum");
  EXPECT_EQ(refusal(R"({"minimum":"a"})"), "SCHEMA_INVALID /minimum");
  EXPECT_EQ(refusal(R"({"multipleOf":0})"), "SCHEMA_INVALID /multipleOf");
  EXPECT_EQ(refusal(R"({"minLength":-1})"), "SCHEMA_INVALID /minLength");
  EXPECT_EQ(refusal(R"({"maxItems":1.5})"), "SCHEMA_INVALID /maxItems");
  EXPECT_EQ(refusal(R"({"maxItems":2.0})"), "none");
  EXPECT_EQ(refusal(R"({"required":"a"})"), "SCHEMA_INVALID /required");
  EXPECT_EQ(refusal(R"({"required":[1]})"), "SCHEMA_INVALID /required");
  EXPECT_EQ(refusal(R"({"allOf":{}})"), "SCHEMA_INVALID /allOf");
  EXPECT_EQ(refusal(R"({"pattern":"("})"), "SCHEMA_INVALID /pattern");
  EXPECT_EQ(refusal(R"({"pattern":7})"), "SCHEMA_INVALID /pattern");
  EXPECT_EQ(refusal(R"({"patternProperties":{"[":true}})"), "SCHEMA_INVALID /patternProperties");
  EXPECT_EQ(refusal(R"({"dependencies":{"a":7}})"), "SCHEMA_INVALID /dependencies/a");
  EXPECT_EQ(refusal(R"({"$id":7})"), "SCHEMA_INVALID /$id");
  EXPECT_EQ(refusal(R"({"$schema":"http://json-schema.org/draft-03/schema#"})"), "SCHEMA_INVALID /$schema");
}

TEST(Schema, RefusesReferencesThatLeadNowhere) {
  EXPECT_EQ(refusal(R"({"items":{"$ref":"#/definitions/x"}})"), "SCHEMA_REFERENCE /items/$ref");
  EXPECT_EQ(refusal(R"({"$ref":"#x"})"), "SCHEMA_REFERENCE /$ref");
  EXPECT_EQ(refusal(R"({"$ref":"other.json"})"), "SCHEMA_REFERENCE /$ref");
  EXPECT_EQ(refusal(R"({"$ref":"#/a%zz"})"), "SCHEMA_REFERENCE /$ref");
  EXPECT_EQ(refusal(R"({"$ref":"#/a~2"})"), "SCHEMA_REFERENCE /$ref");
  EXPECT_EQ(refusal(R"({"$ref":7})"), "SCHEMA_INVALID /$ref");
  const Documents documents{{"other.json", value(R"({"type":"text"})")}};
  EXPECT_EQ(refusal(R"({"$ref":"other.json"})", {Draft::k7, "", &documents}), "SCHEMA_INVALID other.json#/type");
}

TEST(Schema, RefusesToReferToItselfWithoutProgress) {
  EXPECT_EQ(refusal(R"({"$ref":"#"})"), "SCHEMA_LOOP ");
  EXPECT_EQ(refusal(R"({"allOf":[{"$ref":"#/definitions/a"}],
                        "definitions":{"a":{"anyOf":[{"$ref":"#/definitions/b"}]},"b":{"not":{"$ref":"#/definitions/a"}}}})")
                .substr(0, 11),
            "SCHEMA_LOOP");
  EXPECT_EQ(refusal(R"({"properties":{"child":{"$ref":"#"}}})"), "none");
}

TEST(Schema, GivesUpWhereItRefersToItselfOnlyForSomeValues) {
  const Schema schema = compiled(R"({"if":{"required":["a"]},"then":{"$ref":"#"}})");
  EXPECT_TRUE(schema.accepts(value("{}")));
  const auto found = schema.validate(value(R"({"a":1})"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].code, "SCHEMA_LIMIT");
}

TEST(Schema, GivesUpOnADynamicReferenceToItself) {
  const Schema schema = compiled(R"({"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"x:y",
                                     "$dynamicAnchor":"a","$dynamicRef":"#a"})");
  EXPECT_EQ(schema.validate(value("1"))[0].code, "SCHEMA_LIMIT");
}

TEST(Schema, GoesAsDeepAsAValueCan) {
  const Schema schema = compiled(R"({"items":{"allOf":[{"$ref":"#"}]}})");
  std::string deep(json::kDepthMax, '[');
  deep.append(json::kDepthMax, ']');
  EXPECT_TRUE(schema.accepts(value(deep)));
}

TEST(Schema, GivesUpWhereTheEffortGrowsWithoutBound) {
  std::string definitions = R"("d0":{"type":"string"})";
  for (int i = 1; i < 64; ++i) {
    const std::string below = R"({"$ref":"#/definitions/d)" + std::to_string(i - 1) + "\"}";
    definitions += ",\"d" + std::to_string(i) + R"(":{"allOf":[)" + below + "," + below + "]}";
  }
  const Schema schema = compiled(R"({"allOf":[{"$ref":"#/definitions/d63"}],"definitions":{)" + definitions + "}}");
  EXPECT_EQ(schema.validate(value("\"a\""))[0].code, "SCHEMA_LIMIT");
}

TEST(Schema, GivesUpOnARegularExpressionThatTakesForEver) {
  const Schema schema = compiled(R"({"not":{"pattern":"^(a+)+$"}})");
  EXPECT_TRUE(schema.accepts(value("\"b\"")));
  const auto found = schema.validate(value("\"" + std::string(60, 'a') + "b\""));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].code, "SCHEMA_LIMIT");
}

TEST(Schema, RefusesADocumentThatIsTooDeepOrTooLarge) {
  std::string deep = "true";
  for (uint32_t i = 0; i < kSchemaDepthMax; ++i) deep = R"({"not":)" + deep + "}";
  EXPECT_EQ(refusal(deep), "none");
  const auto deeper = json::parse(R"({"not":)" + deep + "}", {.depth_max = 1'000});
  EXPECT_EQ(Schema::compile(*deeper).error().code, "SCHEMA_TOO_LARGE");
  std::string wide = R"({"allOf":[true)";
  for (size_t i = 0; i < kNodesMax; ++i) wide += ",true";
  EXPECT_EQ(refusal(wide + "]}").substr(0, 16), "SCHEMA_TOO_LARGE");
}

TEST(Schema, FollowsLongChainsOfReferencesWithoutRecursion) {
  std::string definitions = R"("d0":{"type":"string"})";
  for (int i = 1; i < 1'000; ++i)
    definitions += ",\"d" + std::to_string(i) + R"(":{"$ref":"#/definitions/d)" + std::to_string(i - 1) + "\"}";
  const Schema schema = compiled(R"({"$ref":"#/definitions/d999","definitions":{)" + definitions + "}}");
  EXPECT_TRUE(schema.accepts(value("\"a\"")));
  EXPECT_FALSE(schema.accepts(value("1")));
}

TEST(Schema, ComparesManyItemsByTheirHashes) {
  std::string items = "[";
  for (int i = 0; i < 20'000; ++i) items += R"({"b":)" + std::to_string(i) + R"(,"a":[]},)";
  const Schema schema = compiled(R"({"uniqueItems":true})");
  EXPECT_TRUE(schema.accepts(value(items + "7]")));
  EXPECT_FALSE(schema.accepts(value(items + R"({"a":[],"b":19999.0}])")));
}

TEST(Schema, MayShareSubtrees) {
  const json::Value shared = value(R"({"type":"string"})");
  json::ObjectBuilder properties;
  properties.set("a", shared);
  properties.set("b", shared);
  json::ObjectBuilder document;
  document.set("properties", properties.build());
  const auto schema = Schema::compile(document.build());
  ASSERT_TRUE(schema);
  EXPECT_EQ(schema->validate(value(R"({"a":1,"b":2})")).size(), 2u);
}

}  // namespace
}  // namespace pawl::schema
