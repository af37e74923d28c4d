// The table of what services answer, by Resource.
#pragma once

#include <span>
#include <string_view>

namespace pawl::asl {

struct MockSchema {
  std::string_view resource;  // without "arn:aws:states:::"
  std::string_view shape;     // in the grammar of mock_schema.cpp
};

std::span<const MockSchema> mock_schemas();

}  // namespace pawl::asl
