// What the languages' tests of functions that are operations of OpenAPI documents share: a document, and what is
// expected of a call that carries one of its operations.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "base/diagnostic.h"
#include "json/print.h"
#include "kernel/program.h"
#include "openapi/operation.h"

namespace pawl::kernel {

inline constexpr const char* kPets = R"(
openapi: 3.0.3
servers: [{url: 'https://pets.example'}]
paths:
  /pets/{petId}:
    get: {operationId: getPet, parameters: [{name: petId, in: path, required: true}]}
)";

// Findings as "CODE /pointer cause", each with a position and a fix.
inline std::string findings_in(const Diagnostics& diagnostics) {
  std::string lines;
  for (const Diagnostic& diagnostic : diagnostics) {
    EXPECT_GT(diagnostic.position.line, 0u);
    EXPECT_FALSE(diagnostic.fix.empty());
    lines += diagnostic.code + " " + diagnostic.pointer + " " + diagnostic.cause;
  }
  return lines;
}

// Whatever program a language's own fixture runs, with one operation open.
template <typename LanguageTest>
class OpenApiCallTest : public LanguageTest {
 protected:
  Call open_call() const {
    return this->program().call_of(this->execution(), this->execution().open_operations().begin()->second);
  }

  // That the function f is called as getPet of kPets, for the pet 7.
  void expect_pet_call() const {
    const Call call = open_call();
    EXPECT_EQ(call.name, "f");
    EXPECT_EQ(call.resource, "pets.yaml#getPet");
    EXPECT_EQ(json::print(call.input), R"({"petId":7})");
    const auto operation = openapi::read_operation(call.endpoint);
    ASSERT_TRUE(operation);
    EXPECT_EQ(operation->url, "https://pets.example/pets/{petId}");
  }
};

}  // namespace pawl::kernel
