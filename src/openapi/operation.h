// An operation of an OpenAPI document, as what calls it needs it: nothing of the document is looked at again.
//
//   const auto operation = find_operation(document.root, "getPet");
//   const auto request = make_request(*operation, json::parse(R"({"petId": 7})").value());
//
// Documents are OpenAPI 3.x and Swagger 2.0. References ($ref) lead to places in the same document.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace pawl::openapi {

using json::Value;

inline constexpr size_t kParametersMax = 1000;  // of one operation
inline constexpr size_t kReferencesMax = 32;    // that lead from one to the next

enum class Location : uint8_t {
  kPath,
  kQuery,
  kHeader,
  kCookie,
  kFormField,  // Swagger 2.0's formData
};

enum class Style : uint8_t {
  kSimple,          // a,b
  kLabel,           // .a.b
  kMatrix,          // ;name=a,b
  kForm,            // name=a&name=b
  kSpaceDelimited,  // name=a%20b
  kPipeDelimited,   // name=a%7Cb
  kTabDelimited,    // name=a%09b
  kDeepObject,      // name[key]=value
  kJson,            // one JSON text
};

struct Parameter {
  std::string name;
  Location in = Location::kQuery;
  Style style = Style::kForm;
  bool explode = true;
  bool required = false;
  bool allows_reserved = false;  // characters like / and ? go as they are

  friend bool operator==(const Parameter&, const Parameter&) = default;
};

enum class BodyForm : uint8_t {
  kNone,
  kJson,
  kForm,  // application/x-www-form-urlencoded
  kText,
};

struct Body {
  BodyForm form = BodyForm::kNone;
  std::string content_type;
  std::string argument = "body";  // that is the whole body
  bool takes_rest = true;         // without it, what no parameter took is the body
  bool required = false;

  friend bool operator==(const Body&, const Body&) = default;
};

struct Operation {
  std::string id;
  std::string method;  // "GET"
  std::string url;     // of the server, with the path behind it: "https://pets.example/v1/pets/{petId}"
  std::vector<Parameter> parameters;
  Body body;

  friend bool operator==(const Operation&, const Operation&) = default;
};

// `base` is the URL that the document came from, which its servers may be relative to; empty for a file. Errors, whose
// `where` is a JSON Pointer into the document: OPENAPI_INVALID, OPENAPI_UNKNOWN_OPERATION, OPENAPI_NO_SERVER,
// OPENAPI_REFERENCE, OPENAPI_UNSUPPORTED.
Result<Operation> find_operation(const Value& document, std::string_view operation_id, std::string_view base = {});

// As JSON, and back. Error: OPENAPI_INVALID.
Value to_value(const Operation& operation);
Result<Operation> read_operation(const Value& value);

}  // namespace pawl::openapi
