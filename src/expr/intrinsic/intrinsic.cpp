#include "expr/intrinsic/intrinsic.h"

#include <array>
#include <span>
#include <vector>

#include "expr/intrinsic/parser.h"
#include "json/parse.h"
#include "json/utf8.h"

namespace pawl::intrinsic {

namespace internal {

namespace {

// The values of a call's arguments: inside the object for the usual few, on the heap for more.
class ArgumentValues {
 public:
  explicit ArgumentValues(size_t count) : count_(count) {
    if (count > few_.size()) many_.resize(count);
  }
  Value& operator[](size_t index) { return many_.empty() ? few_[index] : many_[index]; }
  std::span<const Value> span() const { return {many_.empty() ? few_.data() : many_.data(), count_}; }

 private:
  size_t count_;
  std::array<Value, 4> few_;
  std::vector<Value> many_;
};

// What AWS says of an argument that leads nowhere. It appends the input in apostrophes, which the caller has as text.
Error missing_argument(const jsonpath::RootedPath& path, Error error) {
  if (error.code != "JSONPATH_NO_MATCH") return error;
  error.where = path.root() == jsonpath::RootedPath::Root::kContext ? path.text().substr(1) : path.text();
  error.what = "The JsonPath argument for the field '" + error.where + "' could not be found in the input";
  return error;
}

Result<Value> evaluate_path(const jsonpath::RootedPath& path, const jsonpath::Roots& roots) {
  auto value = path.evaluate(roots);
  if (!value) [[unlikely]]
    return std::unexpected(missing_argument(path, std::move(value).error()));
  return value;
}

Result<Value> evaluate_call(const Call& call, const jsonpath::Roots& roots, Random& random);

Result<Value> evaluate_argument(const Argument& argument, const jsonpath::Roots& roots, Random& random) {
  if (const auto* path = std::get_if<jsonpath::RootedPath>(&argument)) return evaluate_path(*path, roots);
  return evaluate_call(*std::get<std::unique_ptr<const Call>>(argument), roots, random);
}

// The parser bounds the recursion by kNestingMax.
Result<Value> evaluate_call(const Call& call, const jsonpath::Roots& roots, Random& random) {
  ArgumentValues values(call.arguments.size());
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    if (const auto* literal = std::get_if<Value>(&call.arguments[i])) {
      values[i] = *literal;
      continue;
    }
    auto value = evaluate_argument(call.arguments[i], roots, random);
    if (!value) [[unlikely]]
      return value;
    values[i] = *std::move(value);
  }
  auto result = call.function->function(values.span(), random);
  if (result && result->depth() > json::kDepthMax) [[unlikely]]
    return refuse(call.function->name, "The result is nested more than " + std::to_string(json::kDepthMax) + " deep.");
  return result;
}

}  // namespace

}  // namespace internal

Result<Intrinsic> Intrinsic::compile(std::string_view text) {
  if (text.size() > kTextBytesMax)
    return fail("INTRINSIC_SYNTAX", "The text is longer than " + std::to_string(kTextBytesMax) + " bytes.");
  if (json::find_invalid_utf8(text) != text.size()) return fail("INTRINSIC_SYNTAX", "The text is not valid UTF-8.");
  PAWL_TRY(auto parsed, internal::parse_intrinsic(text));
  Intrinsic compiled;
  compiled.text_ = text;
  compiled.call_ = std::move(parsed.call);
  compiled.has_open_escape_ = parsed.has_open_escape;
  return compiled;
}

Result<Value> Intrinsic::evaluate(const jsonpath::Roots& roots, Random& random) const {
  if (has_open_escape_) [[unlikely]]
    return fail("INTRINSIC_FAILED", "An open escape backslash was found in the intrinsic function",
                "Write \\\\ for a backslash; only ' { } and \\ can be escaped.");
  return internal::evaluate_call(*call_, roots, random);
}

}  // namespace pawl::intrinsic
