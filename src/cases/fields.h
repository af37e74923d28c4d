// Reads the fields of a document, and says where a wrong one stands.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/parse.h"

namespace pawl::cases {

using json::Value;

// What a field may hold.
enum class Form : uint8_t { kAny, kString, kStringOrNull, kObject, kArray, kStrings, kNumber, kCount, kObjectOfArrays };

struct Field {
  std::string_view name;
  Form form;
};

class Fields {
 public:
  Fields(const json::Document& document, std::string file) : document_(document), file_(std::move(file)) {}

  const Value& root() const { return document_.root; }

  // That `object` (at `pointer`) is an object with these fields only, each of its form.
  Result<void> check(const Value& object, const std::string& pointer, std::span<const Field> fields) const;

  std::unexpected<Error> invalid(const std::string& pointer, std::string what) const;
  std::string place(const std::string& pointer) const;  // file:line:column /pointer

 private:
  Result<void> check_form(const Value& value, const std::string& pointer, Form form) const;

  const json::Document& document_;
  std::string file_;
};

}  // namespace pawl::cases
