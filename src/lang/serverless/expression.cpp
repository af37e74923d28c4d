#include "lang/serverless/expression.h"

#include <utility>

#include "json/print.h"

namespace pawl::serverless {

using jsonpath::Path;

// The text cut into what stands there as it is and what is evaluated.
struct Expression::Code {
  using Part = std::variant<std::string, Path>;

  std::string text;
  std::vector<Part> parts;
  const Path* whole = nullptr;  // into `parts`, where the text is one expression
  const Path* only = nullptr;   // into `parts`, where there is exactly one expression
  size_t paths = 0;
  std::vector<std::string> names;
};

namespace {

constexpr std::string_view kOpen = "{{";
constexpr std::string_view kClose = "}}";
constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// Where the braces close; braces inside quotes do not count.
size_t find_close_outside_quotes(std::string_view text) {
  char quote = '\0';
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != '\0') {
      if (c == '\\') ++at;
      if (c == quote) quote = '\0';
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (text.substr(at).starts_with(kClose)) {
      return at;
    }
  }
  return std::string_view::npos;
}

// A quote that has no twin (in a regular expression, say) would hide the end: then the first braces close.
size_t find_close(std::string_view text) {
  const size_t close = find_close_outside_quotes(text);
  return close != std::string_view::npos ? close : text.find(kClose);
}

std::string column(size_t offset) { return "column " + std::to_string(offset + 1); }

Result<Path> compile_part(std::string_view text, size_t offset, jsonpath::Dialect dialect) {
  auto path = Path::compile(trimmed(text), dialect);
  if (path) return path;
  const Error& error = path.error();
  return fail("SW_EXPRESSION", error.what + (error.where.empty() ? "" : " (" + error.where + " of the path)"),
              error.fix.empty() ? "Write a JsonPath, such as {{ $.name }}." : error.fix, column(offset));
}

std::string text_of(const Value& value) {
  if (value.is_null()) return {};
  return value.is_string() ? std::string(value.as_string()) : json::print(value);
}

// What a path selects; nothing where it leads nowhere.
Result<std::optional<Value>> find(const Path& path, const Value& root) {
  if (const Value* found = path.find(root)) return *found;
  if (path.is_singular()) return std::nullopt;
  Result<Value> value = path.evaluate(root);
  if (value) return std::move(*value);
  if (value.error().code == "JSONPATH_NO_MATCH") return std::nullopt;
  return std::unexpected(std::move(value).error());
}

Result<Value> value_of(const Path& path, const Value& root) {
  PAWL_TRY(std::optional<Value> found, find(path, root));
  if (found) return *std::move(found);
  return path.is_definite() ? Value::null() : Value::empty_array();
}

bool is_empty(const Value& value) {
  if (value.is_string()) return value.as_string().empty();
  return (value.is_array() || value.is_object()) && value.size() == 0;
}

bool holds(const Value& value) {
  if (value.is_boolean()) return value.as_boolean();
  return !value.is_null() && !is_empty(value);
}

}  // namespace

Result<Expression> Expression::compile(std::string_view text, Dialect dialect) {
  if (text.size() > kExpressionBytesMax)
    return fail("SW_EXPRESSION", "The text is longer than " + std::to_string(kExpressionBytesMax) + " bytes.",
                "Shorten it.");
  auto code = std::make_shared<Code>();
  code->text = text;
  bool only_blanks = true;
  for (size_t at = 0; at < text.size();) {
    const size_t open = text.find(kOpen, at);
    const std::string_view literal = text.substr(at, open == std::string_view::npos ? open : open - at);
    if (!literal.empty()) code->parts.emplace_back(std::string(literal));
    only_blanks = only_blanks && trimmed(literal).empty();
    if (open == std::string_view::npos) break;
    const size_t begin = open + kOpen.size();
    const size_t length = find_close(text.substr(begin));
    if (length == std::string_view::npos)
      return fail("SW_EXPRESSION", "The braces of the expression are not closed.", "Write }} behind it.", column(open));
    PAWL_TRY(Path path, compile_part(text.substr(begin, length), begin, dialect));
    code->parts.emplace_back(std::move(path));
    ++code->paths;
    at = begin + length + kClose.size();
  }
  for (const Code::Part& part : code->parts)
    if (code->paths == 1 && std::holds_alternative<Path>(part)) code->only = &std::get<Path>(part);
  if (only_blanks) code->whole = code->only;
  if (code->whole != nullptr) code->names = code->whole->names();
  Expression expression;
  expression.code_ = std::move(code);
  return expression;
}

Result<Expression> Expression::compile_path(std::string_view text, Dialect dialect) {
  const std::string_view path = trimmed(text);
  if (path.starts_with('$') && path.find(kOpen) == std::string_view::npos)
    return compile("{{ " + std::string(path) + " }}", dialect);
  return compile(text, dialect);
}

Result<Value> Expression::evaluate(const Value& root) const {
  if (code_ == nullptr) return Value::string("");
  if (code_->whole != nullptr) return value_of(*code_->whole, root);
  if (is_literal()) return Value::string(code_->text);
  std::string text;
  for (const Code::Part& part : code_->parts) {
    if (const Path* path = std::get_if<Path>(&part)) {
      PAWL_TRY(const Value value, value_of(*path, root));
      text += text_of(value);
    } else {
      text += std::get<std::string>(part);
    }
  }
  return Value::string(text);
}

Result<std::optional<Value>> Expression::select(const Value& root) const {
  if (code_ == nullptr) return std::nullopt;
  if (code_->whole == nullptr) {
    PAWL_TRY(Value value, evaluate(root));
    return value;
  }
  PAWL_TRY(std::optional<Value> found, find(*code_->whole, root));
  if (found && !code_->whole->is_definite() && found->is_array() && found->size() == 0) return std::nullopt;
  return found;
}

Result<bool> Expression::test(const Value& root) const {
  if (code_ == nullptr) return false;
  if (code_->only != nullptr) {
    PAWL_TRY(const std::optional<Value> found, find(*code_->only, root));
    return found && holds(*found);
  }
  PAWL_TRY(const Value value, evaluate(root));
  return holds(value) && value.as_string() != "false";
}

bool Expression::is_literal() const { return code_ == nullptr || code_->paths == 0; }

bool Expression::is_whole() const { return path() != nullptr; }

const Path* Expression::path() const { return code_ == nullptr ? nullptr : code_->whole; }

std::string_view Expression::key() const { return path() == nullptr ? std::string_view() : path()->last_name(); }

const std::vector<std::string>& Expression::names() const {
  static const std::vector<std::string> none;
  return code_ == nullptr ? none : code_->names;
}

const std::string& Expression::text() const {
  static const std::string empty;
  return code_ == nullptr ? empty : code_->text;
}

}  // namespace pawl::serverless
