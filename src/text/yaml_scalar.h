// What a YAML scalar means under the core schema of YAML 1.2. For the YAML reader.
#pragma once

#include <optional>
#include <string_view>

#include "json/value.h"

namespace pawl::text {

enum class YamlTag : uint8_t { kNone, kString, kInteger, kFloat, kBoolean, kNull };

// The value of a plain scalar without a tag. Numbers keep their text where JSON can write it so. Empty for .inf, .nan
// and hexadecimal or octal integers beyond 64 bits, which JSON has no number for.
std::optional<json::Value> resolve_plain_scalar(std::string_view text);

// The value of a scalar under an explicit tag; empty where the text does not fit the tag.
std::optional<json::Value> resolve_tagged_scalar(YamlTag tag, std::string_view text);

}  // namespace pawl::text
