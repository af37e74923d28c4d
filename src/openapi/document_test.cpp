// What is found in a document, and what is refused.
#include <gtest/gtest.h>

#include "json/parse.h"
#include "openapi/operation.h"
#include "text/yaml.h"

namespace pawl::openapi {
namespace {

Result<Operation> find(std::string_view text, std::string_view id) {
  return find_operation(text::parse_definition(text).value().root, id);
}

std::string code_of(std::string_view text, std::string_view id = "op") {
  const auto found = find(text, id);
  return found ? "" : found.error().code;
}

constexpr std::string_view kPets = R"(
openapi: 3.0.3
servers:
  - url: /relative
  - url: https://{region}.pets.example:{port}/v1/
    variables: {region: {default: eu}, port: {default: 8443}}
paths:
  /pets/{petId}:
    parameters:
      - $ref: '#/components/parameters/PetId'
      - {name: verbose, in: query, schema: {type: boolean}}
    get:
      operationId: getPet
      parameters:
        - {name: verbose, in: query, required: true, schema: {type: boolean}}
        - {name: X-Trace, in: header, schema: {type: string}}
        - {name: Authorization, in: header, required: true, schema: {type: string}}
        - {name: filter, in: query, content: {application/json: {}}}
    put:
      operationId: putPet
      servers: [{url: 'http://127.0.0.1:8080'}]
      requestBody: {$ref: '#/components/requestBodies/Pet'}
  /avatar:
    post:
      operationId: postAvatar
      requestBody: {content: {multipart/form-data: {}}}
components:
  parameters:
    PetId: {name: petId, in: path, required: true, schema: {type: integer}}
  requestBodies:
    Pet:
      required: true
      content: {application/xml: {}, application/x-www-form-urlencoded: {}, application/vnd.pet+json: {}}
)";

TEST(FindOperation, JoinsTheServerAndThePath) {
  const auto operation = find(kPets, "getPet");
  ASSERT_TRUE(operation) << to_string(operation.error());
  EXPECT_EQ(operation->method, "GET");
  EXPECT_EQ(operation->url, "https://eu.pets.example:8443/v1/pets/{petId}");
  EXPECT_EQ(operation->body.form, BodyForm::kNone);
}

TEST(FindOperation, LetsTheOperationsParameterReplaceThatOfThePath) {
  const auto operation = find(kPets, "getPet");
  ASSERT_TRUE(operation);
  ASSERT_EQ(operation->parameters.size(), 4u);
  EXPECT_EQ(operation->parameters[0], (Parameter{"petId", Location::kPath, Style::kSimple, false, true, false}));
  EXPECT_EQ(operation->parameters[1], (Parameter{"verbose", Location::kQuery, Style::kForm, true, true, false}));
  EXPECT_EQ(operation->parameters[2], (Parameter{"X-Trace", Location::kHeader, Style::kSimple, false, false, false}));
  EXPECT_EQ(operation->parameters[3].style, Style::kJson);
}

TEST(FindOperation, PrefersAJsonBody) {
  const auto operation = find(kPets, "putPet");
  ASSERT_TRUE(operation) << to_string(operation.error());
  EXPECT_EQ(operation->url, "http://127.0.0.1:8080/pets/{petId}");
  EXPECT_EQ(operation->body, (Body{BodyForm::kJson, "application/vnd.pet+json", "body", true, true}));
}

TEST(FindOperation, SuggestsTheNearestOperationId) {
  const auto operation = find(kPets, "gotPet");
  ASSERT_FALSE(operation);
  EXPECT_EQ(operation.error().code, "OPENAPI_UNKNOWN_OPERATION");
  EXPECT_EQ(operation.error().fix, "Did you mean 'getPet'?");
  EXPECT_EQ(code_of(kPets, ""), "OPENAPI_UNKNOWN_OPERATION");
}

TEST(FindOperation, RefusesABodyThatItCannotWrite) { EXPECT_EQ(code_of(kPets, "postAvatar"), "OPENAPI_UNSUPPORTED"); }

TEST(FindOperation, ReadsSwagger) {
  constexpr std::string_view kSwagger = R"({"swagger": "2.0", "host": "pets.example", "basePath": "/v2/",
    "schemes": ["http"], "consumes": ["application/json"], "paths": {
      "/pets": {"post": {"operationId": "addPet", "parameters": [
        {"name": "pet", "in": "body", "required": true, "schema": {}},
        {"name": "tags", "in": "query", "type": "array", "collectionFormat": "pipes"},
        {"name": "ids", "in": "query", "type": "array"}]}},
      "/forms": {"post": {"operationId": "sendForm", "schemes": ["https", "http"],
        "consumes": ["application/x-www-form-urlencoded"],
        "parameters": [{"name": "colour", "in": "formData", "type": "array", "collectionFormat": "multi"}]}}}})";
  const auto add = find(kSwagger, "addPet");
  ASSERT_TRUE(add) << to_string(add.error());
  EXPECT_EQ(add->url, "http://pets.example/v2/pets");
  EXPECT_EQ(add->body, (Body{BodyForm::kJson, "application/json", "pet", true, true}));
  ASSERT_EQ(add->parameters.size(), 2u);
  EXPECT_EQ(add->parameters[0].style, Style::kPipeDelimited);
  EXPECT_FALSE(add->parameters[1].explode);
  const auto form = find(kSwagger, "sendForm");
  ASSERT_TRUE(form) << to_string(form.error());
  EXPECT_EQ(form->url, "https://pets.example/v2/forms");
  EXPECT_EQ(form->body.form, BodyForm::kForm);
  EXPECT_EQ(form->parameters[0], (Parameter{"colour", Location::kFormField, Style::kForm, true, false, false}));
}

TEST(FindOperation, RefusesWhatIsNoDocument) {
  EXPECT_EQ(code_of("[]"), "OPENAPI_INVALID");
  EXPECT_EQ(code_of(R"({"paths": {}})"), "OPENAPI_INVALID");
  EXPECT_EQ(code_of(R"({"openapi": "4.0.0", "paths": {}})"), "OPENAPI_INVALID");
  EXPECT_EQ(code_of(R"({"openapi": "3.1.0"})"), "OPENAPI_INVALID");
  EXPECT_EQ(code_of(R"({"openapi": "3.1.0", "paths": {"/a": 7}})"), "OPENAPI_UNKNOWN_OPERATION");
}

std::string with_operation(std::string_view path, std::string_view members, std::string_view servers) {
  return R"({"openapi": "3.1.0", "servers": )" + std::string(servers) + R"(, "paths": {")" + std::string(path) +
         R"(": {"get": {"operationId": "op")" + std::string(members) + "}}}}";
}

constexpr std::string_view kServer = R"([{"url": "https://h"}])";

TEST(FindOperation, NeedsAWholeUrl) {
  EXPECT_EQ(code_of(with_operation("/a", "", kServer)), "");
  EXPECT_EQ(code_of(with_operation("/a", "", "[]")), "OPENAPI_NO_SERVER");
  EXPECT_EQ(code_of(with_operation("/a", "", R"([{"url": "/v1"}])")), "OPENAPI_NO_SERVER");
  EXPECT_EQ(code_of(with_operation("/a", "", R"([{"url": "https://"}])")), "OPENAPI_NO_SERVER");
  EXPECT_EQ(code_of(with_operation("/a", "", R"([{"url": "ftp://h"}])")), "OPENAPI_NO_SERVER");
  EXPECT_EQ(code_of(with_operation("/a", "", R"([{"url": "https://{h}"}])")), "OPENAPI_NO_SERVER");
  EXPECT_EQ(code_of(R"({"swagger": "2.0", "paths": {"/a": {"get": {"operationId": "op"}}}})"), "OPENAPI_NO_SERVER");
}

std::string url_from(const std::string& document, std::string_view base) {
  const auto operation = find_operation(json::parse(document).value(), "op", base);
  return operation ? operation->url : operation.error().code;
}

TEST(FindOperation, TakesServersRelativeToWhereTheDocumentCameFrom) {
  constexpr std::string_view kBase = "https://pets.example:8443/docs/v3/api.json?x=/y";
  EXPECT_EQ(url_from(with_operation("/a", "", "[]"), kBase), "https://pets.example:8443/a");
  EXPECT_EQ(url_from(with_operation("/a", "", R"([{"url": "/v1/"}])"), kBase), "https://pets.example:8443/v1/a");
  EXPECT_EQ(url_from(with_operation("/a", "", R"([{"url": "./v1"}])"), kBase),
            "https://pets.example:8443/docs/v3/v1/a");
  EXPECT_EQ(url_from(with_operation("/a", "", R"([{"url": "v1"}])"), "http://h"), "http://h/v1/a");
  EXPECT_EQ(url_from(with_operation("/a", "", R"([{"url": "https://other"}])"), kBase), "https://other/a");
  EXPECT_EQ(url_from(with_operation("/a", "", R"([{"url": "../v1"}])"), kBase), "OPENAPI_NO_SERVER");
  const std::string swagger =
      R"({"swagger": "2.0", "basePath": "/b", "paths": {"/a": {"get": {"operationId": "op"}}}})";
  EXPECT_EQ(url_from(swagger, "http://pets.example/api.json"), "http://pets.example/b/a");
}

TEST(FindOperation, HoldsThePathAgainstItsParameters) {
  const std::string id = R"(, "parameters": [{"name": "id", "in": "path"}])";
  EXPECT_EQ(code_of(with_operation("/a/{id}", id, kServer)), "");
  EXPECT_EQ(code_of(with_operation("/a/{id}", "", kServer)), "OPENAPI_INVALID");
  EXPECT_EQ(code_of(with_operation("/a", id, kServer)), "OPENAPI_INVALID");
  EXPECT_EQ(code_of(with_operation("/a/{id", id, kServer)), "OPENAPI_INVALID");
  EXPECT_EQ(code_of(with_operation("a", "", kServer)), "OPENAPI_INVALID");
  EXPECT_EQ(code_of(with_operation("/a?b=1", "", kServer)), "OPENAPI_INVALID");
}

TEST(FindOperation, RefusesBrokenParameters) {
  for (const char* parameter :
       {R"({"in": "query"})", R"({"name": "a", "in": "body"})", R"({"name": "a b", "in": "header"})",
        R"({"name": "a", "in": "query", "style": "label"})"})
    EXPECT_EQ(code_of(with_operation("/a", R"(, "parameters": [)" + std::string(parameter) + "]", kServer)),
              "OPENAPI_INVALID")
        << parameter;
  EXPECT_EQ(code_of(with_operation("/a", R"(, "parameters": {})", kServer)), "OPENAPI_INVALID");
}

TEST(FindOperation, FollowsReferencesOnlyWithinTheDocument) {
  const auto with_reference = [](const std::string& uri) {
    return with_operation("/a", R"(, "parameters": [{"$ref": ")" + uri + "\"}]", kServer);
  };
  EXPECT_EQ(code_of(with_reference("other.yaml#/x")), "OPENAPI_REFERENCE");
  EXPECT_EQ(code_of(with_reference("#/components/none")), "OPENAPI_REFERENCE");
  EXPECT_EQ(code_of(with_reference("#/paths/~1a/get/parameters/0")), "OPENAPI_REFERENCE");
}

TEST(OperationValue, ReadsBackWhatWasWritten) {
  for (const char* id : {"getPet", "putPet"}) {
    const Operation operation = find(kPets, id).value();
    const auto read = read_operation(to_value(operation));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, operation);
  }
}

TEST(OperationValue, RefusesWhatIsDamaged) {
  const Value good = to_value(find(kPets, "putPet").value());
  EXPECT_FALSE(read_operation(Value()));
  for (const char* member : {"operation", "method", "url", "parameters", "body"})
    EXPECT_FALSE(read_operation(good.without_member(member))) << member;
  EXPECT_FALSE(read_operation(good.with_member("body", Value::empty_object())));
  EXPECT_FALSE(read_operation(good.with_member("parameters", json::parse("[{}]").value())));
}

}  // namespace
}  // namespace pawl::openapi
