#include "json/print.h"

#include <vector>

#include "json/scan.h"

namespace pawl::json {

namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

void append_escape(std::string& out, char c) {
  switch (c) {
    case '"':
      out.append("\\\"");
      return;
    case '\\':
      out.append("\\\\");
      return;
    case '\b':
      out.append("\\b");
      return;
    case '\f':
      out.append("\\f");
      return;
    case '\n':
      out.append("\\n");
      return;
    case '\r':
      out.append("\\r");
      return;
    case '\t':
      out.append("\\t");
      return;
    default:
      break;
  }
  out.append("\\u00");
  out.push_back(kHexDigits[c >> 4]);
  out.push_back(kHexDigits[c & 15]);
}

void append_scalar(std::string& out, const Value& value) {
  switch (value.kind()) {
    case Value::Kind::kNull:
      out.append("null");
      return;
    case Value::Kind::kBoolean:
      out.append(value.as_boolean() ? "true" : "false");
      return;
    case Value::Kind::kNumber:
      out.append(value.number_text());
      return;
    case Value::Kind::kString:
      append_string(out, value.as_string());
      return;
    case Value::Kind::kArray:
      out.append("[]");
      return;
    case Value::Kind::kObject:
      out.append("{}");
      return;
  }
}

// Walks a value without recursion, so that no depth overflows the stack.
class Printer {
 public:
  Printer(std::string& out, bool pretty) : out_(out), pretty_(pretty) {}

  void print(const Value& root) {
    put(root);
    while (!open_.empty()) continue_container();
  }

 private:
  struct Frame {
    const Value* container;
    size_t next;
  };

  void put(const Value& value) {
    if (value.size() == 0) return append_scalar(out_, value);
    out_.push_back(value.is_array() ? '[' : '{');
    open_.push_back({&value, 0});
  }

  void continue_container() {
    Frame& frame = open_.back();
    const Value& container = *frame.container;
    if (frame.next == container.size()) return close(container);
    if (frame.next > 0) out_.push_back(',');
    break_line();
    const size_t number = frame.next++;
    if (container.is_array()) return put(container.at(number));
    const Member& member = container.members()[number];
    append_string(out_, member.key.as_string());
    out_.append(pretty_ ? ": " : ":");
    put(member.value);
  }

  void close(const Value& container) {
    open_.pop_back();
    break_line();
    out_.push_back(container.is_array() ? ']' : '}');
  }

  void break_line() {
    if (!pretty_) return;
    out_.push_back('\n');
    out_.append(2 * open_.size(), ' ');
  }

  std::string& out_;
  const bool pretty_;
  std::vector<Frame> open_;
};

}  // namespace

void append_string(std::string& out, std::string_view text) {
  out.push_back('"');
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    const char* stop = skip_unescaped(at, end);
    out.append(at, stop);
    if (stop == end) break;
    append_escape(out, *stop);
    at = stop + 1;
  }
  out.push_back('"');
}

void append(std::string& out, const Value& value) { Printer(out, false).print(value); }

std::string print(const Value& value) {
  std::string out;
  out.reserve(value.json_size());
  append(out, value);
  return out;
}

std::string print_pretty(const Value& value) {
  std::string out;
  Printer(out, true).print(value);
  return out;
}

}  // namespace pawl::json
