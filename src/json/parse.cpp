// The parser: one pass over the text, without recursion. Values wait on a stack until their container closes, which
// then takes them into one node.
#include "json/parse.h"

#include <cstring>
#include <vector>

#include "json/build.h"
#include "json/key_index.h"
#include "json/position.h"
#include "json/position_recorder.h"
#include "json/scan.h"
#include "json/utf8.h"
#include "json/value_stack.h"

namespace pawl::json {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string describe_character(const char* at, const char* end) {
  const size_t size = utf8_sequence_size(at, end);
  const auto byte = static_cast<unsigned char>(*at);
  if (size > 0 && byte > ' ' && byte != 0x7F) return "'" + std::string(at, size) + "'";
  constexpr char kHexDigits[] = "0123456789ABCDEF";
  return std::string("the byte 0x") + kHexDigits[byte >> 4] + kHexDigits[byte & 15];
}

class Parser {
 public:
  Parser(std::string_view text, const ParseOptions& options, PositionRecorder* recorder)
      : text_(text),
        at_(text.data()),
        end_(text.data() + text.size()),
        recorder_(recorder),
        depth_max_(std::min(options.depth_max, kDepthCeiling)),
        duplicate_keys_are_errors_(options.duplicate_keys_are_errors) {}

  Result<Value> run();

 private:
  struct Frame {
    size_t start;  // of its values on the stack
    bool is_object;
  };

  // Each of these says whether it went well; if not, error_ says why.
  bool begin_value();
  bool continue_container();
  bool read_key();
  bool open_container(bool is_object);
  bool close_container();
  bool see_to_repeated_keys(size_t start);
  bool read_literal(std::string_view word, Value value);
  bool read_number();
  bool skip_fraction_and_exponent();
  bool read_string();
  bool read_escaped_string(const char* start);
  bool read_escape();
  bool read_unicode_escape(const char* escape);
  bool read_code_unit(uint32_t& unit);
  bool finish();

  void skip_blanks() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }
  bool at_end() const { return at_ == end_; }
  size_t offset() const { return static_cast<size_t>(at_ - text_.data()); }

  bool fail_at(const char* place, const char* code, std::string what, std::string fix);
  bool unexpected(const char* expected);
  bool bad_string_byte();

  const std::string_view text_;
  const char* at_;
  const char* const end_;
  PositionRecorder* const recorder_;
  const uint32_t depth_max_;
  const bool duplicate_keys_are_errors_;
  ValueStack stack_;
  std::vector<Frame> open_;
  std::string unescaped_;
  Error error_;
};

// --- errors
// --------------------------------------------------------------------------------------------------------------

bool Parser::fail_at(const char* place, const char* code, std::string what, std::string fix) {
  const Position position = position_at(text_, static_cast<size_t>(place - text_.data()));
  error_ = {code, to_string(position), std::move(what), std::move(fix)};
  return false;
}

bool Parser::unexpected(const char* expected) {
  if (at_end())
    return fail_at(at_, "JSON_UNEXPECTED_END", std::string("The text ends where ") + expected + " is expected.",
                   "Check that nothing is cut off and that every bracket and quote is closed.");
  return fail_at(at_, "JSON_UNEXPECTED_CHARACTER",
                 "Found " + describe_character(at_, end_) + " where " + expected + " is expected.",
                 std::string("Write ") + expected + " here, or remove what stands here.");
}

bool Parser::bad_string_byte() {
  if (at_end())
    return fail_at(at_, "JSON_UNEXPECTED_END", "The text ends inside a string.",
                   "Close the string with a double quote.");
  if (static_cast<unsigned char>(*at_) < ' ')
    return fail_at(at_, "JSON_INVALID_STRING",
                   "A string holds a control character, " + describe_character(at_, end_) + ".",
                   "Write it as an escape: \\n, \\t or \\u00XX.");
  return fail_at(at_, "JSON_INVALID_UTF8",
                 "A string holds " + describe_character(at_, end_) + ", which is not UTF-8 here.",
                 "Save the text as UTF-8.");
}

// --- structure
// -----------------------------------------------------------------------------------------------------------

Result<Value> Parser::run() {
  skip_blanks();
  if (text_.size() > kTextBytesMax)
    fail_at(at_, "JSON_TOO_LARGE", "The text has more than 4 GiB.", "Split it.");
  else if (at_end())
    fail_at(at_, "JSON_EMPTY", "The text is empty.", "Write a JSON value; {} is the smallest object.");
  else if (begin_value()) {
    while (!open_.empty() && continue_container()) continue;
    if (open_.empty() && finish()) return std::move(stack_.from(0).front());
  }
  return std::unexpected(std::move(error_));
}

bool Parser::finish() {
  skip_blanks();
  if (at_end()) return true;
  return fail_at(at_, "JSON_TRAILING_TEXT", "After the value comes " + describe_character(at_, end_) + ".",
                 "Keep one value in a text; remove what follows it.");
}

bool Parser::begin_value() {
  if (at_end()) return unexpected("a value");
  if (recorder_ != nullptr) recorder_->begin_value(offset());
  switch (*at_) {
    case '{':
      return open_container(true);
    case '[':
      return open_container(false);
    case '"':
      return read_string();
    case 't':
      return read_literal("true", Value::boolean(true));
    case 'f':
      return read_literal("false", Value::boolean(false));
    case 'n':
      return read_literal("null", Value::null());
    default:
      break;
  }
  return *at_ == '-' || is_digit(*at_) ? read_number() : unexpected("a value");
}

// Reads on in the innermost container, whose values so far are all complete.
bool Parser::continue_container() {
  const Frame frame = open_.back();
  const char closing = frame.is_object ? '}' : ']';
  skip_blanks();
  if (!at_end() && *at_ == closing) return close_container();
  if (stack_.size() > frame.start) {
    if (at_end() || *at_ != ',') return unexpected(frame.is_object ? "',' or '}'" : "',' or ']'");
    ++at_;
    skip_blanks();
  }
  return (!frame.is_object || read_key()) && begin_value();
}

bool Parser::read_key() {
  if (at_end() || *at_ != '"') return unexpected("a member's name in double quotes");
  if (recorder_ != nullptr) recorder_->key(offset());
  if (!read_string()) return false;
  skip_blanks();
  if (at_end() || *at_ != ':') return unexpected("':'");
  ++at_;
  skip_blanks();
  return true;
}

bool Parser::open_container(bool is_object) {
  if (open_.size() >= depth_max_)
    return fail_at(at_, "JSON_TOO_DEEP", "The text nests deeper than " + std::to_string(depth_max_) + " levels.",
                   "Flatten the data, or raise the limit.");
  ++at_;
  open_.push_back({stack_.size(), is_object});
  return true;
}

bool Parser::close_container() {
  const Frame frame = open_.back();
  if (frame.is_object && !see_to_repeated_keys(frame.start)) return false;
  const std::span<Value> values = stack_.from(frame.start);
  if (recorder_ != nullptr) recorder_->end_container(frame.is_object ? values.size() / 2 : values.size());
  Value container = frame.is_object ? ValueAccess::adopt_object(values) : ValueAccess::adopt_array(values);
  ++at_;
  open_.pop_back();
  stack_.forget_from(frame.start);
  stack_.push(std::move(container));
  return true;
}

bool Parser::see_to_repeated_keys(size_t start) {
  const std::span<Member> members = as_members(stack_.from(start));
  const auto repeated = find_repeated_key(members);
  if (!repeated) return true;
  if (!duplicate_keys_are_errors_) {
    stack_.drop_from(start + 2 * keep_last_of_repeated_keys(members));
    return true;
  }
  error_ = {"JSON_DUPLICATE_KEY", to_string(recorder_->key_position(members.size() - *repeated)),
            "The name \"" + std::string(members[*repeated].key.as_string()) + "\" occurs twice in one object.",
            "Remove or rename one of the two."};
  return false;
}

// --- scalars
// -------------------------------------------------------------------------------------------------------------

bool Parser::read_literal(std::string_view word, Value value) {
  for (const char c : word) {
    if (at_end() || *at_ != c) return unexpected("one of true, false and null");
    ++at_;
  }
  stack_.push(std::move(value));
  return true;
}

bool Parser::read_number() {
  const char* const start = at_;
  if (*at_ == '-') ++at_;
  if (at_end() || !is_digit(*at_))
    return fail_at(at_, at_end() ? "JSON_UNEXPECTED_END" : "JSON_INVALID_NUMBER",
                   "A minus sign is not followed by a digit.", "Write digits after the minus sign.");
  if (*at_ == '0' && end_ - at_ > 1 && is_digit(at_[1]))
    return fail_at(at_, "JSON_INVALID_NUMBER", "A number begins with a superfluous zero.", "Remove the leading zeros.");
  while (!at_end() && is_digit(*at_)) ++at_;
  if (!skip_fraction_and_exponent()) return false;
  stack_.push(Value::number_literal({start, at_}));
  return true;
}

bool Parser::skip_fraction_and_exponent() {
  const auto skip_digits = [this](const char* after) {
    if (at_end() || !is_digit(*at_))
      return fail_at(at_, at_end() ? "JSON_UNEXPECTED_END" : "JSON_INVALID_NUMBER",
                     std::string("A number has no digit after its ") + after + ".", "Complete the number.");
    while (!at_end() && is_digit(*at_)) ++at_;
    return true;
  };
  if (!at_end() && *at_ == '.') {
    ++at_;
    if (!skip_digits("decimal point")) return false;
  }
  if (at_end() || (*at_ != 'e' && *at_ != 'E')) return true;
  ++at_;
  if (!at_end() && (*at_ == '+' || *at_ == '-')) ++at_;
  return skip_digits("exponent sign");
}

// --- strings
// -------------------------------------------------------------------------------------------------------------

bool Parser::read_string() {
  const char* const start = ++at_;
  while (true) {
    at_ = skip_plain_ascii(at_, end_);
    if (at_end()) return bad_string_byte();
    if (*at_ == '"') break;
    if (*at_ == '\\') return read_escaped_string(start);
    const size_t size = static_cast<unsigned char>(*at_) < ' ' ? 0 : utf8_sequence_size(at_, end_);
    if (size == 0) return bad_string_byte();
    at_ += size;
  }
  stack_.push(ValueAccess::plain_string({start, at_}, end_));
  ++at_;
  return true;
}

// Goes on at the first backslash of a string.
bool Parser::read_escaped_string(const char* start) {
  unescaped_.assign(start, at_);
  while (true) {
    const char* const run = at_;
    at_ = skip_plain_ascii(at_, end_);
    unescaped_.append(run, at_);
    if (at_end()) return bad_string_byte();
    if (*at_ == '"') break;
    if (*at_ == '\\') {
      if (!read_escape()) return false;
      continue;
    }
    const size_t size = static_cast<unsigned char>(*at_) < ' ' ? 0 : utf8_sequence_size(at_, end_);
    if (size == 0) return bad_string_byte();
    unescaped_.append(at_, size);
    at_ += size;
  }
  stack_.push(Value::string(unescaped_));
  ++at_;
  return true;
}

bool Parser::read_escape() {
  const char* const escape = at_++;
  if (at_end()) return bad_string_byte();
  const char c = *at_++;
  switch (c) {
    case '"':
    case '\\':
    case '/':
      unescaped_.push_back(c);
      return true;
    case 'b':
      unescaped_.push_back('\b');
      return true;
    case 'f':
      unescaped_.push_back('\f');
      return true;
    case 'n':
      unescaped_.push_back('\n');
      return true;
    case 'r':
      unescaped_.push_back('\r');
      return true;
    case 't':
      unescaped_.push_back('\t');
      return true;
    case 'u':
      return read_unicode_escape(escape);
    default:
      break;
  }
  return fail_at(escape, "JSON_INVALID_STRING",
                 "A backslash is followed by " + describe_character(escape + 1, end_) + ".",
                 "Write \\\\ for a backslash; the escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX.");
}

bool Parser::read_unicode_escape(const char* escape) {
  uint32_t unit = 0;
  if (!read_code_unit(unit)) return false;
  const bool is_high = unit >= 0xD800 && unit < 0xDC00;
  if (is_high && end_ - at_ >= 2 && at_[0] == '\\' && at_[1] == 'u') {
    at_ += 2;
    uint32_t low = 0;
    if (!read_code_unit(low)) return false;
    if (low >= 0xDC00 && low < 0xE000) {
      append_utf8(unescaped_, 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00));
      return true;
    }
  }
  if (unit >= 0xD800 && unit < 0xE000)
    return fail_at(escape, "JSON_INVALID_STRING", "A string holds half of a surrogate pair.",
                   "Write both halves, high then low, or the character itself.");
  append_utf8(unescaped_, unit);
  return true;
}

bool Parser::read_code_unit(uint32_t& unit) {
  unit = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    if (at_end()) return bad_string_byte();
    const int digit = hex_digit(*at_);
    if (digit < 0)
      return fail_at(at_, "JSON_INVALID_STRING", "The escape \\u is not followed by four hexadecimal digits.",
                     "Write four digits of 0-9, a-f: \\u00e9.");
    unit = unit << 4 | static_cast<uint32_t>(digit);
  }
  return true;
}

}  // namespace

Result<Value> parse(std::string_view text, const ParseOptions& options) {
  if (!options.duplicate_keys_are_errors) return Parser(text, options, nullptr).run();
  PAWL_TRY(Document document, parse_document(text, options.depth_max));
  return std::move(document.root);
}

Result<Document> parse_document(std::string_view text, uint32_t depth_max) {
  PositionRecorder recorder(text);
  const ParseOptions options{.depth_max = depth_max, .duplicate_keys_are_errors = true};
  PAWL_TRY(Value root, Parser(text, options, &recorder).run());
  return Document{root, SourceMap(root, recorder.take_root())};
}

}  // namespace pawl::json
