// The eighteen functions, one by one. Section numbers are of the States Language specification; "AWS" marks what was
// seen of AWS where the text is silent or says something else.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expr/intrinsic/testing.h"

namespace pawl::intrinsic {
namespace {

using testing::MatchesRegex;

std::string text_of(std::string_view text, std::string_view input = "{}") {
  const Value value = value_of(text, input);
  EXPECT_TRUE(value.is_string()) << text;
  return value.is_string() ? std::string(value.as_string()) : std::string();
}

std::string what_of(std::string_view text, std::string_view input = "{}") { return error_of(text, input).what; }

// --- Format (Appendix B) --------------------------------------------------------------------------------------------

TEST(Format, FillsThePlacesInOrder) {
  EXPECT_EQ(text_of("States.Format('Your name is {}, we are in the year {}', $.name, 2020)", R"({"name":"Foo"})"),
            "Your name is Foo, we are in the year 2020");
}

TEST(Format, PrintsScalarsAsJsonButStringsWithoutQuotes) {
  EXPECT_EQ(text_of("States.Format('{}|{}|{}|{}|{}', 1, 1.10, null, true, 'a')"), "1|1.10|null|true|a");
}

TEST(Format, PrintsObjectsAndArraysAsJavaDoes) {  // AWS
  EXPECT_EQ(text_of("States.Format('{}', $)", R"({"Arg1":1,"Arg2":[],"Arg3":["a",null,{"b":"c"}],"Arg4":{}})"),
            "{Arg1=1, Arg2=[], Arg3=[a, null, {b=c}], Arg4={}}");
}

TEST(Format, InsertsArgumentsVerbatim) {
  EXPECT_EQ(text_of("States.Format('<{}>', $.a)", R"({"a":"{} \\{ \\\\"})"), R"(<{} \{ \\>)");
}

TEST(Format, ResolvesTheEscapesOfItsTemplate) {
  EXPECT_EQ(text_of(R"(States.Format('Welcome to {} {}\'s \{playlist\}\\.', 'Ada', 'L'))"),
            R"(Welcome to Ada L's {playlist}\.)");
  EXPECT_EQ(text_of(R"(States.Format('\{\}'))"), "{}");
}

TEST(Format, TakesItsTemplateFromAPath) {
  EXPECT_EQ(text_of("States.Format($.t, 1)", R"({"t":"n={} \\{x\\} C:\\dir"})"), R"(n=1 {x} C:\dir)");
}

TEST(Format, RefusesAnotherNumberOfArgumentsThanPlaces) {
  EXPECT_EQ(what_of("States.Format('{} {}', 1)"),
            "Invalid arguments in States.Format: number of arguments do not match the occurrences of {}.");
  EXPECT_EQ(error_of("States.Format('{}', 1, 2)").code, "INTRINSIC_FAILED");
  EXPECT_EQ(error_of("States.Format('', 1)").code, "INTRINSIC_FAILED");
}

TEST(Format, RefusesBracesThatAreNoPlace) {  // AWS
  EXPECT_EQ(what_of("States.Format('Hello {', 1)"),
            "Invalid template in States.Format: matching '}' not found for '{'.");
  EXPECT_EQ(what_of("States.Format('{{}}', 1)"), "Invalid template in States.Format: matching '}' not found for '{'.");
  EXPECT_EQ(what_of("States.Format('}')"), "Invalid template in States.Format: matching '{' not found for '}'.");
}

TEST(Format, RefusesATemplateThatIsNoString) {
  EXPECT_EQ(what_of("States.Format(1)"), "Invalid arguments in States.Format");
}

TEST(Format, BoundsItsResult) {
  std::string input = R"({"a":")" + std::string(1 << 20, 'a') + R"("})";
  std::string places, arguments;
  for (int i = 0; i < 300; ++i) places += "{}", arguments += ", $.a";
  EXPECT_EQ(error_of("States.Format('" + places + "'" + arguments + ")", input).code, "INTRINSIC_FAILED");
}

// --- JSON -----------------------------------------------------------------------------------------------------------

TEST(StringToJson, ParsesAnyValue) {
  EXPECT_EQ(value_of("States.StringToJson($.s)", R"({"s":"{\"number\": 20}"})"), parsed(R"({"number":20})"));
  EXPECT_EQ(value_of("States.StringToJson(' [1, \"a\"] ')"), parsed(R"([1,"a"])"));
}

TEST(StringToJson, GivesNullForBlanks) {  // AWS
  EXPECT_EQ(value_of("States.StringToJson('')"), Value::null());
  EXPECT_EQ(value_of("States.StringToJson(' \n')"), Value::null());
}

TEST(StringToJson, GivesZeroForMinusZero) {  // AWS
  EXPECT_EQ(json::print(value_of("States.StringToJson('-0')")), "0");
}

TEST(StringToJson, RefusesWhatIsNotJson) {
  for (const std::string_view argument : {"'{bad}'", "'{\"a\":1'", "'undefined'", "1", "null", "$"})
    EXPECT_EQ(what_of("States.StringToJson(" + std::string(argument) + ")"), "Invalid arguments in States.StringToJson")
        << argument;
}

TEST(JsonToString, PrintsWithoutBlanks) {
  EXPECT_EQ(text_of("States.JsonToString($)", R"({ "name" : "Foo", "year" : 2020, "x": [1.0, null] })"),
            R"({"name":"Foo","year":2020,"x":[1.0,null]})");
}

TEST(JsonMerge, LetsTheSecondObjectWinWithoutLookingInside) {
  EXPECT_EQ(value_of("States.JsonMerge($.a, $.b, false)", R"({"a":{"a":{"a1":1},"b":2},"b":{"a":{"a3":1},"c":3}})"),
            parsed(R"({"a":{"a3":1},"b":2,"c":3})"));
}

TEST(JsonMerge, RefusesTheDeepMergeAndWhatIsNoObject) {
  for (const std::string_view arguments : {"$, $, true", "$, $, null", "$, 1, false", "null, $, false"})
    EXPECT_EQ(what_of("States.JsonMerge(" + std::string(arguments) + ")"), "Invalid arguments in States.JsonMerge")
        << arguments;
}

// --- arrays ---------------------------------------------------------------------------------------------------------

TEST(Array, GathersItsArguments) {
  EXPECT_EQ(value_of("States.Array('Foo', 2020, $.someJson, null)", R"({"someJson":{"random":"abcdefg"}})"),
            parsed(R"(["Foo",2020,{"random":"abcdefg"},null])"));
  EXPECT_EQ(value_of("States.Array()"), parsed("[]"));
}

TEST(ArrayPartition, CutsChunksAndKeepsARest) {
  EXPECT_EQ(value_of("States.ArrayPartition($.a, 4)", R"({"a":[1,2,3,4,5,6,7,8,9]})"),
            parsed("[[1,2,3,4],[5,6,7,8],[9]]"));
  EXPECT_EQ(value_of("States.ArrayPartition($.a, 9223372036854775807)", R"({"a":[1,2]})"), parsed("[[1,2]]"));
  EXPECT_EQ(value_of("States.ArrayPartition($.a, 1)", R"({"a":[]})"), parsed("[]"));
}

TEST(ArrayPartition, DropsTheFractionOfItsSize) {  // AWS
  EXPECT_EQ(value_of("States.ArrayPartition(States.Array(1,2,3), 2.6)"), parsed("[[1,2],[3]]"));
}

TEST(ArrayPartition, RefusesASizeBelowOne) {
  for (const std::string_view size : {"0", "-1", "0.6", "'2'", "null", "1e30"})
    EXPECT_EQ(what_of("States.ArrayPartition(States.Array(1), " + std::string(size) + ")"),
              "Invalid arguments in States.ArrayPartition")
        << size;
}

TEST(ArrayContains, ComparesDeeply) {
  EXPECT_EQ(value_of("States.ArrayContains($, 5)", "[1,5.0]"), Value::boolean(true));
  EXPECT_EQ(value_of("States.ArrayContains($.a, $.b)", R"({"a":[{"x":1,"y":[]}],"b":{"y":[],"x":1}})"),
            Value::boolean(true));
  EXPECT_EQ(value_of("States.ArrayContains($, '1')", "[1]"), Value::boolean(false));
}

TEST(ArrayRange, IncludesItsEnd) {
  EXPECT_EQ(value_of("States.ArrayRange(1, 9, 2)"), parsed("[1,3,5,7,9]"));
  EXPECT_EQ(value_of("States.ArrayRange(0, 10, 3)"), parsed("[0,3,6,9]"));
  EXPECT_EQ(value_of("States.ArrayRange(5, 1, -2)"), parsed("[5,3,1]"));
  EXPECT_EQ(value_of("States.ArrayRange(3, 3, -1)"), parsed("[3]"));
}

TEST(ArrayRange, IsEmptyWhereTheStepLeadsAway) {
  EXPECT_EQ(value_of("States.ArrayRange(5, 1, 1)"), parsed("[]"));
  EXPECT_EQ(value_of("States.ArrayRange(1, 5, -1)"), parsed("[]"));
}

TEST(ArrayRange, DropsFractions) {  // AWS
  EXPECT_EQ(value_of("States.ArrayRange(1.6, 1.4, 1)"), parsed("[1]"));
  EXPECT_EQ(value_of("States.ArrayRange(5.4, -0.6, -2.4)"), parsed("[5,3,1]"));
}

TEST(ArrayRange, HasAtMostAThousandItems) {
  EXPECT_EQ(value_of("States.ArrayRange(1, 1000, 1)").size(), 1000u);
  EXPECT_EQ(what_of("States.ArrayRange(1, 1001, 1)"), "Invalid arguments in States.ArrayRange");
  EXPECT_EQ(what_of("States.ArrayRange(-9223372036854775808, 9223372036854775807, 1)"),
            "Invalid arguments in States.ArrayRange");
}

TEST(ArrayRange, GoesToTheEndsOfTheIntegers) {
  EXPECT_EQ(value_of("States.ArrayRange(9223372036854775806, 9223372036854775807, 1)"),
            parsed("[9223372036854775806,9223372036854775807]"));
  EXPECT_EQ(value_of("States.ArrayRange(0, 9223372036854775807, 9223372036854775807)"),
            parsed("[0,9223372036854775807]"));
}

TEST(ArrayRange, RefusesAStepOfZeroAndWhatIsNoNumber) {
  for (const std::string_view arguments : {"1, 2, 0", "1, 2, 0.4", "'a', 2, 1", "1, null, 1", "1, 2, true"})
    EXPECT_EQ(what_of("States.ArrayRange(" + std::string(arguments) + ")"), "Invalid arguments in States.ArrayRange")
        << arguments;
}

TEST(ArrayGetItem, CountsFromZero) {
  EXPECT_EQ(value_of("States.ArrayGetItem($.a, $.i)", R"({"a":[1,2,3,4,5,6,7,8,9],"i":5})"), Value::integer(6));
}

TEST(ArrayGetItem, RefusesAnIndexOutsideTheArray) {
  for (const std::string_view index : {"3", "-1", "9223372036854775807", "'0'"})
    EXPECT_EQ(what_of("States.ArrayGetItem(States.Array(1, 2, 3), " + std::string(index) + ")"),
              "Invalid arguments in States.ArrayGetItem")
        << index;
}

TEST(ArrayLength, CountsItems) { EXPECT_EQ(value_of("States.ArrayLength($)", "[1,[2,3]]"), Value::integer(2)); }

TEST(ArrayLength, RefusesWhatIsNoArray) {
  EXPECT_EQ(what_of("States.ArrayLength($)", R"({"a":1})"), "Invalid arguments in States.ArrayLength");
}

TEST(ArrayUnique, KeepsTheFirstOfEqualItemsInOrder) {
  EXPECT_EQ(value_of("States.ArrayUnique($)", "[1,2,3,3,3,3,3,3,4]"), parsed("[1,2,3,4]"));
  EXPECT_EQ(
      value_of("States.ArrayUnique($)", R"([{"a":1,"b":2},"1",{"b":2.0,"a":1},1,1.0,1e0,null,null,[1],[1],-0,0])"),
      parsed(R"([{"a":1,"b":2},"1",1,null,[1],0])"));
}

TEST(ArrayUnique, TakesLongArrays) {
  std::string input = "[0";
  for (int i = 1; i < 200'000; ++i) input += "," + std::to_string(i % 100'000);
  EXPECT_EQ(value_of("States.ArrayUnique($)", input + "]").size(), 100'000u);
}

// --- encoding -------------------------------------------------------------------------------------------------------

TEST(Base64Encode, EncodesUtf8) {
  EXPECT_EQ(text_of("States.Base64Encode('Data to encode')"), "RGF0YSB0byBlbmNvZGU=");
  EXPECT_EQ(text_of("States.Base64Encode('')"), "");
  EXPECT_EQ(text_of("States.Base64Encode('\u2713')"), "4pyT");
  EXPECT_EQ(text_of("States.Base64Encode($)", R"("abc\u0000def")"), "YWJjAGRlZg==");
}

TEST(Base64Encode, TakesTenThousandCharacters) {
  EXPECT_EQ(text_of("States.Base64Encode($)", "\"" + std::string(10'000, 'a') + "\"").size(), 13'336u);
  EXPECT_EQ(what_of("States.Base64Encode($)", "\"" + std::string(10'001, 'a') + "\""),
            "Invalid arguments in States.Base64Encode");
}

TEST(Base64Encode, CountsCharactersAndNotBytes) {
  std::string many;
  for (int i = 0; i < 10'000; ++i) many += "\u20ac";
  EXPECT_EQ(text_of("States.Base64Encode($)", "\"" + many + "\"").size(), 40'000u);
  EXPECT_EQ(error_of("States.Base64Encode($)", "\"" + many + "\u20ac\"").code, "INTRINSIC_FAILED");
}

TEST(Base64Decode, DecodesWithOrWithoutPadding) {
  EXPECT_EQ(text_of("States.Base64Decode('RGF0YSB0byBlbmNvZGU=')"), "Data to encode");
  EXPECT_EQ(text_of("States.Base64Decode('YWJjZA')"), "abcd");
  EXPECT_EQ(text_of("States.Base64Decode('')"), "");
}

TEST(Base64Decode, SkipsWhatIsNotOfTheAlphabet) {  // AWS
  EXPECT_EQ(text_of("States.Base64Decode(' YW\nJj!ZA== ')"), "abcd");
}

TEST(Base64Decode, ReplacesWhatIsNotUtf8) { EXPECT_EQ(text_of("States.Base64Decode('Yf9i')"), "a\uFFFDb"); }

TEST(Hash, KnowsFiveAlgorithms) {
  EXPECT_EQ(text_of("States.Hash('input data', 'MD5')"), "812f45842bc6d66ee14572ce20db8e86");
  EXPECT_EQ(text_of("States.Hash('input data', 'SHA-1')"), "aaff4a450a104cd177d28d18d74485e8cae074b7");
  EXPECT_EQ(text_of("States.Hash('', 'SHA-256')"), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(text_of("States.Hash('a', 'SHA-384')").size(), 96u);
  EXPECT_EQ(text_of("States.Hash('a', 'SHA-512')").size(), 128u);
}

TEST(Hash, HashesOtherValuesAsTheirText) {  // AWS
  EXPECT_EQ(value_of("States.Hash(123, 'MD5')"), value_of("States.Hash('123', 'MD5')"));
  EXPECT_EQ(value_of("States.Hash($, 'MD5')", R"({"a": 1})"), value_of(R"(States.Hash('{"a":1}', 'MD5'))"));
}

TEST(Hash, RefusesOtherAlgorithmsAndLongData) {
  for (const std::string_view algorithm : {"'sha-256'", "'SHA256'", "''", "1", "'MD-5'"})
    EXPECT_EQ(what_of("States.Hash('a', " + std::string(algorithm) + ")"), "Invalid arguments in States.Hash")
        << algorithm;
  EXPECT_EQ(what_of("States.Hash($, 'MD5')", "\"" + std::string(10'001, 'a') + "\""),
            "Invalid arguments in States.Hash");
  EXPECT_EQ(what_of("States.Hash($, 'MD5')", "[\"" + std::string(40'001, 'a') + "\"]"),
            "Invalid arguments in States.Hash");
}

// --- numbers --------------------------------------------------------------------------------------------------------

TEST(MathAdd, RoundsEachOperandHalfUpFirst) {  // AWS
  EXPECT_EQ(value_of("States.MathAdd(111, -1)"), Value::integer(110));
  EXPECT_EQ(value_of("States.MathAdd(-0.5, 0.5)"), Value::integer(1));
  EXPECT_EQ(value_of("States.MathAdd(1.49, 1.5)"), Value::integer(3));
  EXPECT_EQ(value_of("States.MathAdd(-1.5, 0)"), Value::integer(-1));
  EXPECT_EQ(value_of("States.MathAdd(-1.51, 0)"), Value::integer(-2));
  EXPECT_EQ(value_of("States.MathAdd(0.49999999999999994, 0)"), Value::integer(0));
}

TEST(MathAdd, IsExactToSixtyFourBits) {
  EXPECT_EQ(value_of("States.MathAdd(9007199254740993, 1)"), Value::integer(9007199254740994));
  EXPECT_EQ(what_of("States.MathAdd(9223372036854775807, 1)"), "Invalid arguments in States.MathAdd");
  EXPECT_EQ(what_of("States.MathAdd(1e300, 1)"), "Invalid arguments in States.MathAdd");
  EXPECT_EQ(what_of("States.MathAdd(1e400, 1)"), "Invalid arguments in States.MathAdd");
}

TEST(MathAdd, RefusesWhatIsNoNumber) {
  for (const std::string_view arguments : {"'1', 1", "1, null", "true, 1", "1, $"})
    EXPECT_EQ(what_of("States.MathAdd(" + std::string(arguments) + ")"), "Invalid arguments in States.MathAdd")
        << arguments;
}

TEST(MathRandom, GivesEveryNumberFromTheStartToBelowTheEnd) {
  const Intrinsic compiled = Intrinsic::compile("States.MathRandom(-1, 2)").value();
  SeededRandom random(kTestSeed);
  std::set<int64_t> drawn;
  for (int i = 0; i < 200; ++i)
    drawn.insert(compiled.evaluate(jsonpath::Roots(Value::empty_object()), random).value().as_integer().value());
  EXPECT_EQ(drawn, (std::set<int64_t>{-1, 0, 1}));
}

TEST(MathRandom, DependsOnNothingButTheSeedWhereOneIsGiven) {
  const Intrinsic compiled = Intrinsic::compile("States.MathRandom(1, 1000000, 42)").value();
  SeededRandom first(1), second(2);
  const jsonpath::Roots roots(Value::empty_object());
  EXPECT_EQ(compiled.evaluate(roots, first).value(), compiled.evaluate(roots, second).value());
  EXPECT_NE(value_of("States.MathRandom(1, 1000000, 42)"), value_of("States.MathRandom(1, 1000000, 43)"));
  EXPECT_EQ(value_of("States.MathRandom(-9223372036854775808, 9223372036854775807, -1)"),
            value_of("States.MathRandom(-9223372036854775808, 9223372036854775807, -1)"));
}

TEST(MathRandom, RefusesAnEmptyRange) {
  for (const std::string_view arguments :
       {"1, 1", "2, 1", "1.4, 1.6", "'a', 2", "1, null", "1, 9, 'seed'", "1, 9, null"})
    EXPECT_EQ(what_of("States.MathRandom(" + std::string(arguments) + ")"), "Invalid arguments in States.MathRandom")
        << arguments;
}

TEST(Uuid, HasVersionFourAndItsVariant) {
  EXPECT_THAT(text_of("States.UUID()"),
              MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
}

TEST(Uuid, ComesFromTheRandomnessGiven) {
  EXPECT_EQ(value_of("States.UUID()"), value_of("States.UUID()"));
  const Value pair = value_of("States.Array(States.UUID(), States.UUID())");
  EXPECT_NE(pair.at(0), pair.at(1));
}

// --- StringSplit ----------------------------------------------------------------------------------------------------

TEST(StringSplit, SplitsAtEachCharacterOfTheDelimiter) {  // AWS
  EXPECT_EQ(value_of("States.StringSplit('1,2,3,4,5', ',')"), parsed(R"(["1","2","3","4","5"])"));
  EXPECT_EQ(value_of("States.StringSplit('This.is+a,test=string', '.+,=')"),
            parsed(R"(["This","is","a","test","string"])"));
  EXPECT_EQ(value_of("States.StringSplit('a\u20acb\u00e4c', '\u00e4\u20ac')"), parsed(R"(["a","b","c"])"));
}

TEST(StringSplit, LeavesOutEmptyPieces) {  // AWS
  EXPECT_EQ(value_of("States.StringSplit(',,,,', ',')"), parsed("[]"));
  EXPECT_EQ(value_of("States.StringSplit(',a,,b,', ',')"), parsed(R"(["a","b"])"));
  EXPECT_EQ(value_of("States.StringSplit('', ',')"), parsed("[]"));
}

TEST(StringSplit, LeavesATextWholeWithoutDelimiters) {
  EXPECT_EQ(value_of("States.StringSplit('abc', '')"), parsed(R"(["abc"])"));
}

TEST(StringSplit, TakesARawLineBreak) {
  EXPECT_EQ(value_of("States.StringSplit('Hello\nWorld', '\n')"), parsed(R"(["Hello","World"])"));
}

TEST(StringSplit, RefusesWhatIsNoString) {
  for (const std::string_view arguments : {"1, ','", "'a', 1", "null, ','", "'a', $"})
    EXPECT_EQ(what_of("States.StringSplit(" + std::string(arguments) + ")"), "Invalid arguments in States.StringSplit")
        << arguments;
}

}  // namespace
}  // namespace pawl::intrinsic
