// Recursive descent over
//
//   intrinsic = call                                            nothing before it, nothing after it
//   call      = name "(" [ argument *( "," argument ) ] ")"     no blank before "("
//   argument  = blanks ( string | number | "null" | "true" | "false" | path | call ) blanks
//   string    = "'" *( character | "\'" | "\{" | "\}" | "\\" ) "'"
//   name      = 1*( A-Z | a-z | 0-9 | "." | "_" )
//
// A path begins with "$" and ends before the "," or ")" that is not inside its own brackets, parentheses or quotes.
#include "expr/intrinsic/parser.h"

#include <optional>
#include <string>

#include "expr/intrinsic/intrinsic.h"
#include "expr/intrinsic/utf8.h"

namespace pawl::intrinsic::internal {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_name_character(char c) {
  return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' || c == '_';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<ParsedIntrinsic> parse() {
    PAWL_TRY(auto call, parse_call());
    if (!at_end()) return syntax_error(offset_, "There is text after the call.", "End the text with the closing ')'.");
    return ParsedIntrinsic{std::move(call), has_open_escape_};
  }

 private:
  bool at_end() const { return offset_ == text_.size(); }
  bool next_is(char c) const { return offset_ < text_.size() && text_[offset_] == c; }

  bool take(char c) {
    if (!next_is(c)) return false;
    ++offset_;
    return true;
  }

  void skip_blanks() {
    while (!at_end() && is_blank(text_[offset_])) ++offset_;
  }

  size_t skip_digits() {
    const size_t begin = offset_;
    while (!at_end() && is_digit(text_[offset_])) ++offset_;
    return offset_ - begin;
  }

  std::string_view take_name() {
    const size_t begin = offset_;
    while (!at_end() && is_name_character(text_[offset_])) ++offset_;
    return text_.substr(begin, offset_ - begin);
  }

  std::unexpected<Error> syntax_error(size_t offset, std::string what, std::string fix = {}) const {
    return fail("INTRINSIC_SYNTAX", std::move(what), std::move(fix), column(offset));
  }

  std::string column(size_t offset) const {
    return "column " + std::to_string(code_point_count(text_.substr(0, offset)) + 1);
  }

  Result<std::unique_ptr<const Call>> parse_call() {
    const size_t begin = offset_;
    const std::string_view name = take_name();
    if (name.empty())
      return syntax_error(begin, "A function name is needed here.", "Begin with a name such as States.Format.");
    return parse_call_of(name, begin);
  }

  Result<std::unique_ptr<const Call>> parse_call_of(std::string_view name, size_t begin) {
    if (!take('(')) return syntax_error(offset_, "A '(' must follow the function name at once.");
    if (++depth_ > kNestingMax)
      return syntax_error(begin, "Calls are nested more than " + std::to_string(kNestingMax) + " deep.");
    auto call = std::make_unique<Call>();
    call->function = find_function(name);
    if (call->function == nullptr) return unknown_function(name, begin);
    if (auto arguments = parse_arguments(*call); !arguments) return std::unexpected(std::move(arguments).error());
    --depth_;
    if (auto counted = check_count(*call, begin); !counted) return std::unexpected(std::move(counted).error());
    return call;
  }

  Result<void> parse_arguments(Call& call) {
    skip_blanks();
    if (take(')')) return {};
    do {
      skip_blanks();
      const bool as_written = call.arguments.empty() && call.function->first_literal == FirstLiteral::kAsWritten;
      PAWL_TRY(auto argument, parse_argument(as_written));
      call.arguments.push_back(std::move(argument));
      skip_blanks();
    } while (take(','));
    if (take(')')) return {};
    return syntax_error(offset_, at_end() ? "The call is not closed." : "A ',' or ')' is needed here.");
  }

  Result<Argument> parse_argument(bool as_written) {
    if (at_end()) return syntax_error(offset_, "An argument is needed here.");
    const char first = text_[offset_];
    if (first == '\'') return parse_string(as_written);
    if (first == '$') return parse_path();
    if (first == '-' || is_digit(first)) return parse_number();
    const size_t begin = offset_;
    const std::string_view name = take_name();
    if (name.empty())
      return syntax_error(begin, "An argument is needed here.", "Write a 'string', a number, a path or a nested call.");
    if (auto literal = keyword(name)) return *std::move(literal);
    PAWL_TRY(auto call, parse_call_of(name, begin));
    return Argument(std::move(call));
  }

  static std::optional<Argument> keyword(std::string_view name) {
    if (name == "null") return Argument(Value::null());
    if (name == "true") return Argument(Value::boolean(true));
    if (name == "false") return Argument(Value::boolean(false));
    return std::nullopt;
  }

  Result<Argument> parse_string(bool as_written) {
    const size_t begin = ++offset_;
    std::string unescaped;
    while (!next_is('\'')) {
      if (at_end()) return syntax_error(begin - 1, "The string is not closed.", "End it with an apostrophe.");
      if (take('\\')) {
        if (next_is('"'))
          return syntax_error(offset_ - 1, "\\\" is no escape.", "Write the quotation mark without a backslash.");
        take_escaped(unescaped);
      } else {
        unescaped += text_[offset_++];
      }
    }
    const std::string_view written = text_.substr(begin, offset_ - begin);
    ++offset_;
    return Argument(Value::string(as_written ? written : std::string_view(unescaped)));
  }

  // After a backslash. One that escapes nothing fails when the function is evaluated, not before.
  void take_escaped(std::string& unescaped) {
    if (!at_end() && std::string_view("'{}\\").find(text_[offset_]) != std::string_view::npos)
      unescaped += text_[offset_++];
    else
      has_open_escape_ = true;
  }

  Result<Argument> parse_number() {
    const size_t begin = offset_;
    if (!skip_number())
      return syntax_error(begin, "This is not a number.", "Write numbers as JSON does: -1, 2.5, 1e3.");
    return Argument(Value::number_literal(text_.substr(begin, offset_ - begin)));
  }

  // As JSON writes numbers.
  bool skip_number() {
    take('-');
    const bool begins_with_zero = next_is('0');
    const size_t digits = skip_digits();
    if (digits == 0 || (begins_with_zero && digits > 1)) return false;
    if (take('.') && skip_digits() == 0) return false;
    if (!take('e') && !take('E')) return true;
    if (!take('+')) take('-');
    return skip_digits() > 0;
  }

  Result<Argument> parse_path() {
    const size_t begin = offset_;
    skip_path();
    size_t end = offset_;
    while (is_blank(text_[end - 1])) --end;
    auto path = jsonpath::RootedPath::compile(text_.substr(begin, end - begin));
    if (!path)
      return syntax_error(begin, "The path is wrong at its " + path.error().where + ": " + path.error().what,
                          path.error().fix);
    return Argument(*std::move(path));
  }

  void skip_path() {
    size_t open = 0;
    for (; !at_end(); ++offset_) {
      const char c = text_[offset_];
      if (open == 0 && (c == ',' || c == ')')) return;
      if (c == '[' || c == '(') ++open;
      if ((c == ']' || c == ')') && open > 0) --open;
      if (open > 0 && (c == '\'' || c == '"')) skip_quoted(c);
      if (c == '\\') ++offset_;
      if (at_end()) return;
    }
  }

  // From an opening quote to its closing one, or to the end of the text.
  void skip_quoted(char quote) {
    for (++offset_; !at_end() && text_[offset_] != quote; ++offset_)
      if (text_[offset_] == '\\' && offset_ + 1 < text_.size()) ++offset_;
  }

  std::unexpected<Error> unknown_function(std::string_view name, size_t begin) const {
    const std::string nearest(nearest_function_name(name));
    return fail("INTRINSIC_UNKNOWN_FUNCTION", "There is no function " + std::string(name) + ".",
                nearest.empty() ? "See the list of intrinsic functions." : "Did you mean " + nearest + "?",
                column(begin));
  }

  Result<void> check_count(const Call& call, size_t begin) const {
    const FunctionEntry& entry = *call.function;
    const size_t count = call.arguments.size();
    if (count >= entry.arguments_min && count <= entry.arguments_max) return {};
    std::string expected = std::to_string(entry.arguments_min);
    if (entry.arguments_max == kUnlimited)
      expected = "at least " + expected;
    else if (entry.arguments_max != entry.arguments_min)
      expected += " or " + std::to_string(entry.arguments_max);
    return fail("INTRINSIC_ARGUMENTS",
                std::string(entry.name) + " takes " + expected + " arguments, not " + std::to_string(count) + ".", {},
                column(begin));
  }

  std::string_view text_;
  size_t offset_ = 0;
  size_t depth_ = 0;
  bool has_open_escape_ = false;
};

}  // namespace

Result<ParsedIntrinsic> parse_intrinsic(std::string_view text) { return Parser(text).parse(); }

}  // namespace pawl::intrinsic::internal
