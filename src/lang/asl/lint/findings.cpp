#include "lang/asl/lint/findings.h"

namespace pawl::asl {

std::string one_of_these(std::string_view field, const std::vector<std::string_view>& values) {
  return "The field '" + std::string(field) + "' should have one of these values: " + listed(values);
}

}  // namespace pawl::asl
