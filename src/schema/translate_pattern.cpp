// Patterns of ECMA-262 in PCRE2's syntax. What both write alike is copied.
#include <algorithm>
#include <charconv>
#include <optional>

#include "schema/pattern.h"

namespace pawl::schema::internal {

namespace {

struct PropertyName {
  std::string_view name;
  std::string_view short_name;
};

constexpr PropertyName kPropertyNames[] = {{"Letter", "L"},
                                           {"Cased_Letter", "L&"},
                                           {"Uppercase_Letter", "Lu"},
                                           {"Lowercase_Letter", "Ll"},
                                           {"Titlecase_Letter", "Lt"},
                                           {"Modifier_Letter", "Lm"},
                                           {"Other_Letter", "Lo"},
                                           {"Mark", "M"},
                                           {"Combining_Mark", "M"},
                                           {"Nonspacing_Mark", "Mn"},
                                           {"Spacing_Mark", "Mc"},
                                           {"Enclosing_Mark", "Me"},
                                           {"Number", "N"},
                                           {"Decimal_Number", "Nd"},
                                           {"digit", "Nd"},
                                           {"Letter_Number", "Nl"},
                                           {"Other_Number", "No"},
                                           {"Punctuation", "P"},
                                           {"punct", "P"},
                                           {"Connector_Punctuation", "Pc"},
                                           {"Dash_Punctuation", "Pd"},
                                           {"Open_Punctuation", "Ps"},
                                           {"Close_Punctuation", "Pe"},
                                           {"Initial_Punctuation", "Pi"},
                                           {"Final_Punctuation", "Pf"},
                                           {"Other_Punctuation", "Po"},
                                           {"Symbol", "S"},
                                           {"Math_Symbol", "Sm"},
                                           {"Currency_Symbol", "Sc"},
                                           {"Modifier_Symbol", "Sk"},
                                           {"Other_Symbol", "So"},
                                           {"Separator", "Z"},
                                           {"Space_Separator", "Zs"},
                                           {"Line_Separator", "Zl"},
                                           {"Paragraph_Separator", "Zp"},
                                           {"Other", "C"},
                                           {"Control", "Cc"},
                                           {"cntrl", "Cc"},
                                           {"Format", "Cf"},
                                           {"Surrogate", "Cs"},
                                           {"Private_Use", "Co"},
                                           {"Unassigned", "Cn"}};

constexpr std::string_view kPropertyKinds[] = {
    "General_Category=", "gc=", "Script_Extensions=", "scx=", "Script=", "sc="};

std::string_view property_name(std::string_view name) {
  for (const std::string_view kind : kPropertyKinds)
    if (name.starts_with(kind)) name.remove_prefix(kind.size());
  const auto* found = std::ranges::find(kPropertyNames, name, &PropertyName::name);
  return found == std::end(kPropertyNames) ? name : found->short_name;
}

std::optional<uint32_t> read_hex(std::string_view digits) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

class Translator {
 public:
  explicit Translator(std::string_view pattern) : rest_(pattern) {}

  std::string translate() {
    while (!rest_.empty()) {
      if (rest_.size() < 2 || rest_.front() != '\\')
        copy(1);
      else if (rest_[1] == 'u')
        translate_code_point();
      else if (rest_[1] == 'p' || rest_[1] == 'P')
        translate_property();
      else
        copy(2);
    }
    return std::move(output_);
  }

 private:
  void copy(size_t size) {
    output_ += rest_.substr(0, size);
    rest_.remove_prefix(size);
  }

  // The four digits of the \uXXXX at an offset.
  std::optional<uint32_t> code_unit_at(size_t offset) const {
    if (rest_.size() < offset + 6 || rest_.substr(offset, 2) != "\\u") return std::nullopt;
    return read_hex(rest_.substr(offset + 2, 4));
  }

  void put_code_point(uint32_t code_point, size_t source_size) {
    char digits[16];
    const auto end = std::to_chars(digits, digits + sizeof digits, code_point, 16).ptr;
    output_ += "\\x{";
    output_.append(digits, end);
    output_ += '}';
    rest_.remove_prefix(source_size);
  }

  // \u{1F40E}, \u0041, or two halves of a pair. Anything else is left for PCRE2 to complain about.
  void translate_code_point() {
    if (rest_.substr(2).starts_with('{')) {
      const size_t end = rest_.find('}');
      const auto code_point = end == std::string_view::npos ? std::nullopt : read_hex(rest_.substr(3, end - 3));
      return code_point ? put_code_point(*code_point, end + 1) : copy(2);
    }
    const auto first = code_unit_at(0);
    if (!first) return copy(2);
    const auto second = code_unit_at(6);
    const bool is_pair = *first >> 10 == 0xD800 >> 10 && second && *second >> 10 == 0xDC00 >> 10;
    if (!is_pair) return put_code_point(*first, 6);
    put_code_point(0x10000 + ((*first & 0x3FF) << 10) + (*second & 0x3FF), 12);
  }

  void translate_property() {
    const size_t end = rest_.find('}');
    if (!rest_.substr(2).starts_with('{') || end == std::string_view::npos) return copy(2);
    const std::string_view name = rest_.substr(3, end - 3);
    output_ += rest_.substr(0, 3);
    output_ += property_name(name);
    output_ += '}';
    rest_.remove_prefix(end + 1);
  }

  std::string_view rest_;
  std::string output_;
};

}  // namespace

std::string translate_pattern(std::string_view pattern) { return Translator(pattern).translate(); }

}  // namespace pawl::schema::internal
