#include "text/yaml.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "json/print.h"

namespace pawl::text {
namespace {

std::string to_json(std::string_view yaml) {
  const auto document = parse_yaml(yaml);
  return document ? json::print(document->root) : to_string(document.error());
}

std::string code_of(std::string_view yaml) {
  const auto document = parse_yaml(yaml);
  return document ? "no error" : document.error().code;
}

std::string where_of(std::string_view yaml) {
  const auto document = parse_yaml(yaml);
  return document ? "no error" : document.error().where;
}

TEST(ParseYaml, ReadsBlocksAndFlows) {
  EXPECT_EQ(to_json("StartAt: A\nStates:\n  A:\n    Type: Pass\n    End: true\n    Result: [1, {x: y}]\n"),
            R"({"StartAt":"A","States":{"A":{"Type":"Pass","End":true,"Result":[1,{"x":"y"}]}}})");
  EXPECT_EQ(to_json("- a\n- - b\n  - c\n- {}\n- []\n"), R"(["a",["b","c"],{},[]])");
  EXPECT_EQ(to_json("just text"), R"("just text")");
}

TEST(ParseYaml, ReadsEveryStyleOfScalar) {
  EXPECT_EQ(to_json("a: |\n  one\n  two\nb: >\n  one\n  two\nc: 'it''s'\nd: \"\\u00e9\\n\"\ne: a\n  b\n"),
            R"({"a":"one\ntwo\n","b":"one two\n","c":"it's","d":"é\n","e":"a b"})");
}

TEST(ParseYaml, ResolvesTheCoreSchema) {
  EXPECT_EQ(to_json("[null, Null, NULL, ~, true, True, TRUE, false, False, FALSE]"),
            "[null,null,null,null,true,true,true,false,false,false]");
  EXPECT_EQ(to_json("[yes, no, on, off, y, n, nULL, 0x, 0o9, 1_000, 12:30, 1.2.3, '', \"7\", '~', .]"),
            R"(["yes","no","on","off","y","n","nULL","0x","0o9","1_000","12:30","1.2.3","","7","~","."])");
  EXPECT_EQ(to_json("a:\nb: \n"), R"({"a":null,"b":null})");
}

TEST(ParseYaml, KeepsTheTextOfNumbersThatJsonKnows) {
  EXPECT_EQ(to_json("[1, -0, 1.0, 1e3, 1E+03, 0.10, 123456789012345678901234567890]"),
            "[1,-0,1.0,1e3,1E+03,0.10,123456789012345678901234567890]");
}

TEST(ParseYaml, RespellsNumbersThatJsonDoesNotKnow) {
  EXPECT_EQ(to_json("[+5, 007, -00, .5, -.5, 5., 1.e3, +0.5e+2, 0x1F, 0o17, 0xFFFFFFFFFFFFFFFF]"),
            "[5,7,-0,0.5,-0.5,5.0,1.0e3,0.5e+2,31,15,18446744073709551615]");
}

TEST(ParseYaml, RefusesNumbersThatJsonCannotHold) {
  for (const char* text : {".inf", "-.INF", "+.inf", ".nan", "[.NaN]", "0x10000000000000000"})
    EXPECT_EQ(code_of(text), "YAML_UNSUPPORTED") << text;
}

TEST(ParseYaml, FollowsCoreTags) {
  EXPECT_EQ(to_json("[!!str 7, ! 7, !!int '7', !!float 7, !!bool 'true', !!null '', !!str, !!map {}, !!seq []]"),
            R"(["7","7",7,7,true,null,"",{},[]])");
  for (const char* text :
       {"!!int x", "!!bool 1", "!mine 7", "!!binary aGk=", "!!set {a}", "!!int {}", "!Ref x", "!!float x"})
    EXPECT_EQ(code_of(text), "YAML_UNSUPPORTED") << text;
}

TEST(ParseYaml, TakesScalarKeysAsTheirText) {
  EXPECT_EQ(to_json("7: a\ntrue: b\n1.50: c\n'x': d\n"), R"({"7":"a","true":"b","1.50":"c","x":"d"})");
  EXPECT_EQ(to_json("&k key: 1\nother: {*k : 2}\n"), R"({"key":1,"other":{"key":2}})");
  EXPECT_EQ(to_json("[&t true, {*t : 1}, &n 1.50, {*n : 2}]"), R"([true,{"true":1},1.50,{"1.50":2}])");
}

TEST(ParseYaml, RefusesKeysThatAreNoScalars) {
  for (const char* text : {"? [a]\n: b", "? {a: b}\n: c", "~: x", "null: x", ": x", "a: &x [1]\nb: {*x : 1}"})
    EXPECT_EQ(code_of(text), "YAML_UNSUPPORTED") << text;
}

TEST(ParseYaml, DoesNotMerge) {
  EXPECT_EQ(to_json("base: &b {x: 1}\nderived:\n  <<: *b\n  y: 2\n"),
            R"({"base":{"x":1},"derived":{"<<":{"x":1},"y":2}})");
}

TEST(ParseYaml, SharesWhatAliasesName) {
  const auto document = parse_yaml("a: &x {deep: [1, 2]}\nb: *x\nc: [*x, *x]\n");
  ASSERT_TRUE(document);
  const json::Value& root = document->root;
  EXPECT_TRUE(root.find("a")->same_node(*root.find("b")));
  EXPECT_TRUE(root.find("a")->same_node(root.find("c")->at(1)));
}

TEST(ParseYaml, TakesTheLatestAnchorOfAName) { EXPECT_EQ(to_json("[&a 1, *a, &a 2, *a]"), "[1,1,2,2]"); }

TEST(ParseYaml, RefusesAliasesToNothingAndToThemselves) {
  EXPECT_EQ(code_of("a: *nothing"), "YAML_SYNTAX");
  EXPECT_EQ(code_of("&a [*a]"), "YAML_SYNTAX");
  EXPECT_EQ(code_of("&a {x: {y: *a}}"), "YAML_SYNTAX");
}

std::string alias_bomb(size_t levels, size_t width) {
  std::string text = "l0: &l0 [x]\n";
  for (size_t level = 1; level <= levels; ++level) {
    text += "l" + std::to_string(level) + ": &l" + std::to_string(level) + " [";
    for (size_t i = 0; i < width; ++i) text += "*l" + std::to_string(level - 1) + ",";
    text += "]\n";
  }
  return text;
}

TEST(ParseYaml, StopsAnAliasBomb) {
  EXPECT_EQ(code_of(alias_bomb(9, 9)), "YAML_TOO_LARGE");
  EXPECT_EQ(code_of(alias_bomb(60, 2)), "YAML_TOO_LARGE");
  EXPECT_EQ(code_of(alias_bomb(3, 9)), "no error");
}

TEST(ParseYaml, StopsAliasesThatMultiplyALongText) {
  std::string text = "a: &a " + std::string(1'000'000, 'x') + "\nb: [";
  for (int i = 0; i < 100; ++i) text += "*a,";
  EXPECT_EQ(code_of(text + "]"), "YAML_TOO_LARGE");
}

TEST(ParseYaml, LimitsTheDepth) {
  const auto nested = [](size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(code_of(nested(json::kDepthMax)), "no error");
  EXPECT_EQ(code_of(nested(json::kDepthMax + 1)), "YAML_TOO_DEEP");
  EXPECT_EQ(code_of("- &a " + nested(300) + "\n- " + std::string(300, '[') + "*a" + std::string(300, ']')),
            "YAML_TOO_DEEP");
}

TEST(ParseYaml, RefusesDuplicateKeysWithTheirPlace) {
  EXPECT_EQ(code_of("a: 1\nb: 2\na: 3\n"), "YAML_DUPLICATE_KEY");
  EXPECT_EQ(where_of("a: 1\nb:\n  x: {}\n  y: {}\n  x: 3\n"), "5:3");
  EXPECT_EQ(code_of("1: a\n'1': b\n"), "YAML_DUPLICATE_KEY");
}

TEST(ParseYaml, PlacesSyntaxErrors) {
  EXPECT_EQ(code_of("a: [1, 2\nb: 3"), "YAML_SYNTAX");
  EXPECT_EQ(where_of("ok: 1\nbad: \"open\n").substr(0, 2), "2:");
  EXPECT_EQ(code_of("a: 1\n\tb: 2\n"), "YAML_SYNTAX");
  EXPECT_EQ(code_of("\xff"), "YAML_SYNTAX");
  EXPECT_EQ(where_of("a: b\nc: \xc3\n"), "2:4");
  EXPECT_EQ(code_of("\"\\uD800\""), "YAML_SYNTAX");
}

TEST(ParseYaml, RefusesNoDocumentAndTwo) {
  EXPECT_EQ(code_of(""), "YAML_EMPTY");
  EXPECT_EQ(code_of("# only a comment\n"), "YAML_EMPTY");
  EXPECT_EQ(code_of("--- a\n--- b\n"), "YAML_UNSUPPORTED");
  EXPECT_EQ(to_json("---\na: 1\n...\n"), R"({"a":1})");
}

TEST(ParseYaml, RemembersPositions) {
  const auto document =
      parse_yaml("# head\nStates:\n  \u00e9: {Type: Pass,\n      End: true}\n  B:\n    - one\n    - x: 1\n");
  ASSERT_TRUE(document);
  const json::SourceMap& positions = document->positions;
  EXPECT_EQ(positions.key_at("/States"), (Position{2, 1}));
  EXPECT_EQ(positions.key_at("/States/\u00e9"), (Position{3, 3}));
  EXPECT_EQ(positions.value_at("/States/\u00e9"), (Position{3, 6}));
  EXPECT_EQ(positions.value_at("/States/\u00e9/Type"), (Position{3, 13}));
  EXPECT_EQ(positions.key_at("/States/\u00e9/End"), (Position{4, 7}));
  EXPECT_EQ(positions.value_at("/States/B/0"), (Position{6, 7}));
  EXPECT_EQ(positions.value_at("/States/B/1/x"), (Position{7, 10}));
}

TEST(ParseYaml, PlacesWhatIsInsideAnAliasAtTheAlias) {
  const auto document = parse_yaml("a: &x {p: 1}\nb: *x\n");
  ASSERT_TRUE(document);
  EXPECT_EQ(document->positions.value_at("/a/p"), (Position{1, 11}));
  EXPECT_EQ(document->positions.value_at("/b/p"), (Position{2, 4}));
}

TEST(ParseDefinition, TellsJsonFromYaml) {
  EXPECT_EQ(json::print(parse_definition(" \n{\"a\":1}")->root), R"({"a":1})");
  EXPECT_EQ(json::print(parse_definition("\xEF\xBB\xBF{\"a\":1}")->root), R"({"a":1})");
  EXPECT_EQ(json::print(parse_definition("a: 1")->root), R"({"a":1})");
  EXPECT_EQ(parse_definition("{a: 1}").error().code, "JSON_UNEXPECTED_CHARACTER");
  EXPECT_EQ(parse_definition("{\"a\":1,\"a\":2}").error().code, "JSON_DUPLICATE_KEY");
  EXPECT_EQ(parse_definition("").error().code, "YAML_EMPTY");
}

TEST(ParseYaml, ReadsTheWorkflowsOfTheCorpus) {
  const std::filesystem::path folder = PAWL_SOURCE_DIR "/../shared/corpus/serverless";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " does not exist";
  size_t read = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto document = parse_yaml(text);
    EXPECT_TRUE(document) << entry.path() << ": " << to_string(document.error());
    ++read;
  }
  EXPECT_GT(read, 0u);
}

}  // namespace
}  // namespace pawl::text
