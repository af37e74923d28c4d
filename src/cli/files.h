// Texts that arguments name: definitions, inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace pawl::cli {

inline constexpr size_t kDefinitionBytesMax = 16 * 1024 * 1024;

// A whole file, or standard input for "-". Never reads more than `bytes_max`.
// Errors: FILE_UNREADABLE, FILE_TOO_LARGE.
Result<std::string> read_file(const std::string& path, size_t bytes_max);

// Whether a file's name ends like that of a definition: .json, .yaml, .yml.
bool may_be_definition(const std::string& path);

enum class Elsewhere : uint8_t { kLeave, kFetch };

// Reads the files that a definition refers to, from the definition's own folder; of one from standard input, from the
// current one. What lies elsewhere, at an http(s) URL, is fetched where asked, and told on stderr where it cannot be.
// Errors: those of read_file, those of net::send, DOCUMENT_NOT_FETCHED, and FILE_NOT_LOCAL for what is not read.
std::function<Result<std::string>(std::string_view path)> read_beside(const std::string& definition,
                                                                      Elsewhere elsewhere = Elsewhere::kLeave);

struct Input {
  json::Value value = json::Value::empty_object();
  std::string text;  // as it was given; empty where it was not
};

// The argument of --input: JSON, @file, or - for standard input; {} where there is none. `option` is what errors call
// it. Errors: INPUT_TOO_LARGE, FILE_UNREADABLE, and those of the JSON parser.
Result<Input> read_input(const std::optional<std::string>& argument, size_t bytes_max,
                         const std::string& option = "--input");

}  // namespace pawl::cli
