// Arguments become requests.
#include "openapi/request.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace pawl::openapi {
namespace {

Operation with_parameter(Parameter parameter) {
  Operation operation{.id = "op", .method = "GET", .url = "http://h/a", .parameters = {}, .body = {}};
  if (parameter.in == Location::kPath) operation.url += "/{" + parameter.name + "}/z";
  operation.parameters.push_back(std::move(parameter));
  return operation;
}

Operation with_body(Body body) {
  return {.id = "op", .method = "POST", .url = "http://h/a", .parameters = {}, .body = std::move(body)};
}

Result<Request> request_for(const Operation& operation, std::string_view arguments) {
  return make_request(operation, json::parse(arguments).value());
}

// "METHOD URL", then the headers and the body, a line each; or the error's code.
std::string text_of(const Operation& operation, std::string_view arguments) {
  const auto request = request_for(operation, arguments);
  if (!request) return request.error().code;
  std::string text = request->method + " " + request->url;
  for (const auto& [name, value] : request->headers) text += "\n" + name + ": " + value;
  return request->body.empty() ? text : text + "\n" + request->body;
}

// What a parameter called "p" becomes, without what is around it.
std::string styled(Location in, Style style, bool explode, std::string_view value) {
  const std::string arguments = R"({"p":)" + std::string(value) + "}";
  const auto request =
      request_for(with_parameter({.name = "p", .in = in, .style = style, .explode = explode}), arguments);
  if (!request) return request.error().code;
  if (!request->headers.empty()) return request->headers.front().second;
  const std::string rest = request->url.substr(std::string("http://h/a").size());
  return in == Location::kPath ? rest.substr(1, rest.size() - 3) : rest;
}

constexpr const char* kArray = R"(["a","b c"])";
constexpr const char* kObject = R"({"r":100,"g":"x/y"})";

TEST(PathStyles, AreThoseOfOpenApi) {
  const auto path = [](Style style, bool explode, const char* value) {
    return styled(Location::kPath, style, explode, value);
  };
  EXPECT_EQ(path(Style::kSimple, false, "7"), "7");
  EXPECT_EQ(path(Style::kSimple, false, R"("ä/?")"), "%C3%A4%2F%3F");
  EXPECT_EQ(path(Style::kSimple, false, kArray), "a,b%20c");
  EXPECT_EQ(path(Style::kSimple, false, kObject), "r,100,g,x%2Fy");
  EXPECT_EQ(path(Style::kSimple, true, kObject), "r=100,g=x%2Fy");
  EXPECT_EQ(path(Style::kLabel, false, kArray), ".a,b%20c");
  EXPECT_EQ(path(Style::kLabel, true, kArray), ".a.b%20c");
  EXPECT_EQ(path(Style::kLabel, true, kObject), ".r=100.g=x%2Fy");
  EXPECT_EQ(path(Style::kMatrix, false, kArray), ";p=a,b%20c");
  EXPECT_EQ(path(Style::kMatrix, true, kArray), ";p=a;p=b%20c");
  EXPECT_EQ(path(Style::kMatrix, true, kObject), ";r=100;g=x%2Fy");
  EXPECT_EQ(path(Style::kMatrix, true, "true"), ";p=true");
  EXPECT_EQ(path(Style::kJson, false, R"({"a":[1]})"), "%7B%22a%22%3A%5B1%5D%7D");
}

TEST(QueryStyles, AreThoseOfOpenApi) {
  const auto query = [](Style style, bool explode, const char* value) {
    return styled(Location::kQuery, style, explode, value);
  };
  EXPECT_EQ(query(Style::kForm, true, "1.50"), "?p=1.50");
  EXPECT_EQ(query(Style::kForm, true, kArray), "?p=a&p=b%20c");
  EXPECT_EQ(query(Style::kForm, false, kArray), "?p=a,b%20c");
  EXPECT_EQ(query(Style::kForm, true, kObject), "?r=100&g=x%2Fy");
  EXPECT_EQ(query(Style::kForm, false, kObject), "?p=r,100,g,x%2Fy");
  EXPECT_EQ(query(Style::kSpaceDelimited, false, kArray), "?p=a%20b%20c");
  EXPECT_EQ(query(Style::kPipeDelimited, false, kArray), "?p=a%7Cb%20c");
  EXPECT_EQ(query(Style::kTabDelimited, false, kArray), "?p=a%09b%20c");
  EXPECT_EQ(query(Style::kDeepObject, true, kObject), "?p%5Br%5D=100&p%5Bg%5D=x%2Fy");
  EXPECT_EQ(query(Style::kForm, true, "[]"), "");
  EXPECT_EQ(query(Style::kForm, true, R"("")"), "?p=");
}

TEST(HeaderAndCookieStyles, AreThoseOfOpenApi) {
  EXPECT_EQ(styled(Location::kHeader, Style::kSimple, false, kArray), "a,b c");
  EXPECT_EQ(styled(Location::kHeader, Style::kSimple, true, kObject), "r=100,g=x/y");
  EXPECT_EQ(styled(Location::kCookie, Style::kForm, true, R"("a;b")"), "p=a%3Bb");
  EXPECT_EQ(styled(Location::kCookie, Style::kForm, true, kObject), "r=100; g=x%2Fy");
}

TEST(MakeRequest, LetsNoValueBecomeAnotherPathOrAnotherHeader) {
  for (const char* value : {R"("")", R"(".")", R"("..")", "[]"})
    EXPECT_EQ(styled(Location::kPath, Style::kSimple, false, value), "OPENAPI_INVALID_ARGUMENT") << value;
  EXPECT_EQ(styled(Location::kPath, Style::kSimple, false, R"("{p}/../x")"), "%7Bp%7D%2F..%2Fx");
  EXPECT_EQ(styled(Location::kHeader, Style::kSimple, false, R"("a\r\nX-Evil: 1")"), "OPENAPI_INVALID_ARGUMENT");
}

TEST(MakeRequest, SendsReservedCharactersWhereTheyAreAllowed) {
  Parameter parameter{.name = "p"};
  parameter.allows_reserved = true;
  EXPECT_EQ(text_of(with_parameter(parameter), R"({"p":"a/b?c#d"})"), "GET http://h/a?p=a/b?c%23d");
}

TEST(MakeRequest, NeedsWhatIsRequired) {
  const Operation operation = with_parameter({.name = "p", .required = true});
  EXPECT_EQ(text_of(operation, R"({"p":1})"), "GET http://h/a?p=1");
  EXPECT_EQ(text_of(operation, "{}"), "OPENAPI_MISSING_ARGUMENT");
  EXPECT_EQ(text_of(operation, R"({"p":null})"), "OPENAPI_MISSING_ARGUMENT");
  EXPECT_EQ(text_of(with_body({.form = BodyForm::kJson, .content_type = "application/json", .required = true}), "{}"),
            "OPENAPI_MISSING_ARGUMENT");
}

TEST(MakeRequest, RefusesWhatTheOperationDoesNotTake) {
  const Operation operation = with_parameter({.name = "p"});
  EXPECT_EQ(text_of(operation, R"({"q":1})"), "OPENAPI_UNKNOWN_ARGUMENT");
  EXPECT_EQ(text_of(operation, R"({"body":1})"), "OPENAPI_UNKNOWN_ARGUMENT");
  EXPECT_EQ(text_of(operation, "[]"), "OPENAPI_INVALID_ARGUMENT");
  EXPECT_EQ(text_of(operation, "null"), "GET http://h/a");
}

TEST(MakeRequest, MakesTheBodyOfWhatIsCalledItOrOfTheRest) {
  Operation operation = with_body({.form = BodyForm::kJson, .content_type = "application/json"});
  operation.parameters.push_back({.name = "p"});
  EXPECT_EQ(text_of(operation, R"({"p":1,"body":[7]})"), "POST http://h/a?p=1\nContent-Type: application/json\n[7]");
  EXPECT_EQ(text_of(operation, R"({"a":1,"p":2,"b":null})"),
            "POST http://h/a?p=2\nContent-Type: application/json\n{\"a\":1,\"b\":null}");
  EXPECT_EQ(text_of(operation, R"({"body":1,"a":2})"), "OPENAPI_UNKNOWN_ARGUMENT");
  EXPECT_EQ(text_of(operation, R"({"body":null})"), "POST http://h/a");
}

TEST(MakeRequest, WritesForms) {
  const Operation operation = with_body({.form = BodyForm::kForm, .content_type = "application/x-www-form-urlencoded"});
  EXPECT_EQ(text_of(operation, R"({"a":"x y","b":[1,2],"c":{"d":1},"e":null})"),
            "POST http://h/a\nContent-Type: application/x-www-form-urlencoded\na=x%20y&b=1&b=2&c=%7B%22d%22%3A1%7D");
  EXPECT_EQ(text_of(operation, R"({"body":"text"})"), "OPENAPI_INVALID_ARGUMENT");
}

TEST(MakeRequest, WritesTheFieldsOfSwagger) {
  Operation operation =
      with_body({.form = BodyForm::kForm, .content_type = "form", .argument = {}, .takes_rest = false});
  operation.parameters.push_back({.name = "a", .in = Location::kFormField});
  EXPECT_EQ(text_of(operation, R"({"a":[1,2]})"), "POST http://h/a\nContent-Type: form\na=1&a=2");
  EXPECT_EQ(text_of(operation, R"({"b":1})"), "OPENAPI_UNKNOWN_ARGUMENT");
}

TEST(MakeRequest, WritesText) {
  const Operation operation = with_body({.form = BodyForm::kText, .content_type = "text/plain"});
  EXPECT_EQ(text_of(operation, R"({"body":"hello"})"), "POST http://h/a\nContent-Type: text/plain\nhello");
}

}  // namespace
}  // namespace pawl::openapi
