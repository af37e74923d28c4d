#include "json/print.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <vector>

#include "base/assert.h"
#include "json/build.h"
#include "json/scan.h"

namespace pawl::json {

namespace {

constexpr size_t kNumberBytesMax = 32;  // of an integer or a double; longer numbers are texts

// The escape of a character that needs one, in up to six bytes; its length.
size_t write_escape(char* out, char c) {
  constexpr char kHexDigits[] = "0123456789abcdef";
  static constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t";
  static constexpr std::string_view kLetters = "\"\\bfnrt";
  out[0] = '\\';
  if (const size_t number = kEscaped.find(c); number != std::string_view::npos) {
    out[1] = kLetters[number];
    return 2;
  }
  std::memcpy(out + 1, "u00", 3);
  out[4] = kHexDigits[c >> 4];
  out[5] = kHexDigits[c & 15];
  return 6;
}

// A double or an integer, in up to kNumberBytesMax bytes; its end.
char* write_number(char* out, const Value& value) {
  if (ValueAccess::tag(value) == ValueAccess::Tag::kInteger)
    return std::to_chars(out, out + kNumberBytesMax, ValueAccess::integer(value)).ptr;
  return std::to_chars(out, out + kNumberBytesMax, ValueAccess::real(value)).ptr;
}

// Copies up to sixteen bytes with two moves that may overlap, which is what most names and words are.
void copy_short(char* out, const char* text, size_t size) {
  const auto copy_ends = [&](auto word) {
    auto last = word;
    std::memcpy(&word, text, sizeof word);
    std::memcpy(&last, text + size - sizeof last, sizeof last);
    std::memcpy(out, &word, sizeof word);
    std::memcpy(out + size - sizeof last, &last, sizeof last);
  };
  if (size >= 8) return copy_ends(uint64_t{});
  if (size >= 4) return copy_ends(uint32_t{});
  for (size_t i = 0; i < size; ++i) out[i] = text[i];
}

// Sinks take pieces of text. This one writes where it is known that there is room.
class MemorySink {
 public:
  explicit MemorySink(char* at) : at_(at) {}
  void put(char c) { *at_++ = c; }
  void put(std::string_view text) {
    if (text.size() <= 16)
      copy_short(at_, text.data(), text.size());
    else
      std::memcpy(at_, text.data(), text.size());
    at_ += text.size();
  }
  void put_number(const Value& value) { at_ = write_number(at_, value); }
  void put_escape(char c) { at_ += write_escape(at_, c); }
  char* end() const { return at_; }

 private:
  char* at_;
};

// This one lets a string grow.
class StringSink {
 public:
  explicit StringSink(std::string& out) : out_(out) {}
  void put(char c) { out_.push_back(c); }
  void put(std::string_view text) { out_.append(text); }
  void put_number(const Value& value) {
    char buffer[kNumberBytesMax];
    out_.append(buffer, write_number(buffer, value));
  }
  void put_escape(char c) {
    char buffer[6];
    out_.append(buffer, write_escape(buffer, c));
  }

 private:
  std::string& out_;
};

template <typename Sink>
void put_escaped(Sink& sink, std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    const char* stop = skip_unescaped(at, end);
    sink.put(std::string_view(at, stop));
    if (stop == end) break;
    sink.put_escape(*stop);
    at = stop + 1;
  }
}

template <typename Sink>
void put_string(Sink& sink, const Value& value) {
  sink.put('"');
  if (ValueAccess::has_escapes(value))
    put_escaped(sink, value.as_string());
  else
    sink.put(value.as_string());
  sink.put('"');
}

template <typename Sink>
void put_scalar(Sink& sink, const Value& value) {
  using Tag = ValueAccess::Tag;
  switch (ValueAccess::tag(value)) {
    case Tag::kNull:
      return sink.put(std::string_view("null"));
    case Tag::kBoolean:
      return sink.put(value.as_boolean() ? std::string_view("true") : std::string_view("false"));
    case Tag::kInteger:
    case Tag::kDouble:
      return sink.put_number(value);
    case Tag::kShortNumber:
    case Tag::kLongNumber:
      return sink.put(ValueAccess::literal(value));
    case Tag::kShortString:
    case Tag::kLongString:
      return put_string(sink, value);
    case Tag::kArray:
      return sink.put(std::string_view("[]"));
    case Tag::kObject:
      return sink.put(std::string_view("{}"));
  }
}

// Walks a value without recursion, so that no depth overflows the stack.
template <typename Sink, bool kPretty>
class Printer {
 public:
  explicit Printer(Sink& sink) : sink_(sink) {}

  void print(const Value& root) {
    put(root);
    while (!open_.empty()) continue_container();
  }

 private:
  struct Frame {
    const Value* first;  // in an object names and values alternate
    const Value* next;
    const Value* end;
    bool is_object;
  };

  void put(const Value& value) {
    if (value.size() == 0) return put_scalar(sink_, value);
    sink_.put(value.is_object() ? '{' : '[');
    const Value* first = ValueAccess::node(value)->items();
    open_.push_back({first, first, first + value.size() * (value.is_object() ? 2 : 1), value.is_object()});
  }

  void continue_container() {
    Frame& frame = open_.back();
    if (frame.next == frame.end) return close(frame.is_object);
    if (frame.next != frame.first) sink_.put(',');
    break_line();
    if (frame.is_object) {
      put_string(sink_, *frame.next++);
      sink_.put(':');
      if (kPretty) sink_.put(' ');
    }
    put(*frame.next++);
  }

  void close(bool is_object) {
    open_.pop_back();
    break_line();
    sink_.put(is_object ? '}' : ']');
  }

  void break_line() {
    if (!kPretty) return;
    sink_.put('\n');
    for (size_t i = 0; i < open_.size(); ++i) sink_.put(std::string_view("  "));
  }

  Sink& sink_;
  std::vector<Frame> open_;
};

// Room for one more number or escape behind what is known to be written: what to_chars may touch.
constexpr size_t kSlackBytes = kNumberBytesMax;

void append_with_known_size(std::string& out, const Value& value) {
  const size_t before = out.size();
  const size_t size = value.json_size();
  const size_t needed = before + size + kSlackBytes;
  if (out.capacity() < needed) out.reserve(std::max(needed, before == 0 ? 0 : 2 * out.capacity()));
  out.resize_and_overwrite(needed, [&](char* text, size_t) {
    MemorySink sink(text + before);
    Printer<MemorySink, false>(sink).print(value);
    PAWL_ASSERT(sink.end() == text + before + size, sink.end() - text, before, size);
    return before + size;
  });
}

}  // namespace

void append_string(std::string& out, std::string_view text) {
  StringSink sink(out);
  sink.put('"');
  put_escaped(sink, text);
  sink.put('"');
}

void append(std::string& out, const Value& value) {
  if (value.json_size() < Node::kSizeMax) return append_with_known_size(out, value);
  StringSink sink(out);
  Printer<StringSink, false>(sink).print(value);
}

std::string print(const Value& value) {
  std::string out;
  append(out, value);
  return out;
}

std::string print_pretty(const Value& value) {
  std::string out;
  StringSink sink(out);
  Printer<StringSink, true>(sink).print(value);
  return out;
}

}  // namespace pawl::json
