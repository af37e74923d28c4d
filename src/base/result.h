// Result<T>: a value or an Error. A user's mistake is an Error; a programmer's mistake is a PAWL_ASSERT.
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace pawl {

// What went wrong, in the four parts every message to a user has.
struct Error {
  std::string code;   // stable, for programs: "JSON_UNEXPECTED_CHARACTER"
  std::string where;  // file:line:col, a JSON Pointer or a state's name; may be empty
  std::string what;   // the cause, one sentence
  std::string fix;    // what to do about it, one sentence; may be empty

  friend bool operator==(const Error&, const Error&) = default;
};

template <typename T>
using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> fail(std::string code, std::string what, std::string fix = {},
                                                 std::string where = {}) {
  return std::unexpected(Error{std::move(code), std::move(where), std::move(what), std::move(fix)});
}

// "code: where: what (fix)", leaving out what is empty.
std::string to_string(const Error& error);

}  // namespace pawl

// Returns a Result's error from the enclosing function, or binds its value:  PAWL_TRY(auto path, compile(text));
#define PAWL_TRY_CONCAT_(a, b) a##b
#define PAWL_TRY_NAME_(a, b) PAWL_TRY_CONCAT_(a, b)
#define PAWL_TRY(declaration, expression)                                           \
  auto PAWL_TRY_NAME_(pawl_try_, __LINE__) = (expression);                          \
  if (!PAWL_TRY_NAME_(pawl_try_, __LINE__))                                         \
    return std::unexpected(std::move(PAWL_TRY_NAME_(pawl_try_, __LINE__)).error()); \
  declaration = std::move(*PAWL_TRY_NAME_(pawl_try_, __LINE__))
