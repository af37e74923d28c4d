// The formats: @text, @json, @html, @uri, @csv, @tsv, @sh, @base64, @base64d, @base32, @base32d.
#include <array>

#include "expr/jq/natives.h"
#include "expr/jq/numbers.h"
#include "json/utf8.h"

namespace pawl::jq::internal {

namespace {

Value made(Context& context, std::string_view text) {
  return context.spend_bytes(text.size()) ? Value::string(text) : Value();
}

std::string text_of(const Value& value) {
  return value.is_string() ? std::string(value.as_string()) : json_text(value);
}

Value as_text(Context& context, const Arguments& a) {
  return a.input().is_string() ? a.input() : made(context, json_text(a.input()));
}

Value as_json(Context& context, const Arguments& a) { return made(context, json_text(a.input())); }

Value as_html(Context& context, const Arguments& a) {
  std::string out;
  for (const char c : text_of(a.input())) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '\'':
        out += "&apos;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return made(context, out);
}

Value as_uri(Context& context, const Arguments& a) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text_of(a.input())) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (is_letter || (c >= '0' && c <= '9') || std::string_view("-_.~").find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  }
  return made(context, out);
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Bytes that are no UTF-8 become U+FFFD.
std::string repaired(std::string_view bytes) {
  std::string text;
  for (size_t at = 0; at < bytes.size();) {
    const size_t size = json::utf8_sequence_size(bytes.data() + at, bytes.data() + bytes.size());
    if (size == 0)
      json::append_utf8(text, 0xFFFD);
    else
      text += bytes.substr(at, size);
    at += std::max<size_t>(size, 1);
  }
  return text;
}

Value from_uri(Context& context, const Arguments& a) {
  const std::string text = text_of(a.input());
  std::string bytes;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      bytes += text[i];
      continue;
    }
    const int high = i + 2 < text.size() + 0 ? hex_digit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
    if (high < 0 || low < 0) return context.raise(described(a.input()) + " is not a valid uri encoding");
    bytes += static_cast<char>(high << 4 | low);
    i += 2;
  }
  return made(context, repaired(bytes));
}

// --- rows

enum class Row : uint8_t { kCsv, kTsv, kShell };

void append_escaped(std::string& out, std::string_view text, std::string_view special,
                    std::initializer_list<std::string_view> escapes) {
  for (const char c : text) {
    const size_t number = special.find(c);
    if (number == std::string_view::npos)
      out += c;
    else
      out += escapes.begin()[number];
  }
}

void append_cell(std::string& out, const Value& cell, Row row) {
  if (!cell.is_string()) {
    if (!cell.is_null() || row == Row::kShell) out += json_text(cell);
    return;
  }
  switch (row) {
    case Row::kCsv:
      out += '"';
      append_escaped(out, cell.as_string(), "\"", {"\"\""});
      out += '"';
      return;
    case Row::kTsv:
      return append_escaped(out, cell.as_string(), "\t\r\n\\", {"\\t", "\\r", "\\n", "\\\\"});
    case Row::kShell:
      out += '\'';
      append_escaped(out, cell.as_string(), "'", {"'\\''"});
      out += '\'';
      return;
  }
}

Value as_row(Context& context, std::span<const Value> cells, Row row) {
  std::string out;
  for (const Value& cell : cells) {
    if (&cell != cells.data()) out += row == Row::kCsv ? ',' : row == Row::kTsv ? '\t' : ' ';
    if (cell.is_array() || cell.is_object())
      return context.raise(described(cell) +
                           (row == Row::kShell ? " can not be escaped for shell" : " is not valid in a csv row"));
    append_cell(out, cell, row);
  }
  return made(context, out);
}

Value as_csv(Context& context, const Arguments& a) {
  if (!a.input().is_array()) return context.raise(described(a.input()) + " cannot be csv-formatted, only array");
  return as_row(context, a.input().items(), Row::kCsv);
}
Value as_tsv(Context& context, const Arguments& a) {
  if (!a.input().is_array()) return context.raise(described(a.input()) + " cannot be tsv-formatted, only array");
  return as_row(context, a.input().items(), Row::kTsv);
}
Value as_shell(Context& context, const Arguments& a) {
  if (a.input().is_array()) return as_row(context, a.input().items(), Row::kShell);
  return as_row(context, {&a.input(), 1}, Row::kShell);
}

// --- base 64 and base 32

struct Alphabet {
  std::string_view letters;
  unsigned bits;  // of a letter
  size_t group;   // letters in a group
};

constexpr Alphabet kBase64 = {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 6, 4};
constexpr Alphabet kBase32 = {"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 5, 8};

std::string encode(std::string_view bytes, const Alphabet& alphabet) {
  std::string out;
  uint32_t held = 0;
  unsigned bits = 0;
  for (const char c : bytes) {
    held = held << 8 | static_cast<unsigned char>(c);
    bits += 8;
    while (bits >= alphabet.bits) {
      bits -= alphabet.bits;
      out += alphabet.letters[held >> bits & ((1u << alphabet.bits) - 1)];
    }
    held &= (1u << bits) - 1;
  }
  if (bits > 0) out += alphabet.letters[held << (alphabet.bits - bits) & ((1u << alphabet.bits) - 1)];
  while (out.size() % alphabet.group != 0) out += '=';
  return out;
}

// Nothing where a letter is wrong or where one alone is left over.
std::optional<std::string> decode(std::string_view text, const Alphabet& alphabet) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string out;
  uint32_t held = 0;
  unsigned bits = 0;
  for (const char c : text) {
    const size_t letter = alphabet.letters.find(c);
    if (letter == std::string_view::npos) return std::nullopt;
    held = held << alphabet.bits | static_cast<uint32_t>(letter);
    bits += alphabet.bits;
    if (bits < 8) continue;
    bits -= 8;
    out += static_cast<char>(held >> bits & 0xFF);
    held &= (1u << bits) - 1;
  }
  if (bits >= alphabet.bits) return std::nullopt;
  return out;
}

Value decoded(Context& context, const Value& value, const Alphabet& alphabet, std::string_view name) {
  const auto bytes = decode(text_of(value), alphabet);
  if (!bytes) return context.raise(described(value) + " is not valid " + std::string(name) + " data");
  return made(context, repaired(*bytes));
}

Value as_base64(Context& context, const Arguments& a) { return made(context, encode(text_of(a.input()), kBase64)); }
Value as_base32(Context& context, const Arguments& a) { return made(context, encode(text_of(a.input()), kBase32)); }
Value from_base64(Context& context, const Arguments& a) { return decoded(context, a.input(), kBase64, "base64"); }
Value from_base32(Context& context, const Arguments& a) { return decoded(context, a.input(), kBase32, "base32"); }

Value format(Context& context, const Arguments& a) {
  if (!a[1].is_string()) return context.raise(described(a[1]) + " is not a valid format");
  const size_t native = find_native("@" + std::string(a[1].as_string()), 0);
  if (native == kNoNative) return context.raise(std::string(a[1].as_string()) + " is not a valid format");
  return native_at(native).function(context, a);
}

constexpr Native kNatives[] = {
    {"@text", 0, as_text},     {"@json", 0, as_json},        {"@html", 0, as_html},     {"@uri", 0, as_uri},
    {"@urid", 0, from_uri},    {"@csv", 0, as_csv},          {"@tsv", 0, as_tsv},       {"@sh", 0, as_shell},
    {"@base64", 0, as_base64}, {"@base64d", 0, from_base64}, {"@base32", 0, as_base32}, {"@base32d", 0, from_base32},
    {"format", 1, format},
};

}  // namespace

std::span<const Native> format_natives() { return kNatives; }

}  // namespace pawl::jq::internal
