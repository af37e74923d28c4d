#include "openapi/styles.h"

#include <utility>
#include <vector>

#include "json/print.h"
#include "text/percent.h"

namespace pawl::openapi {

namespace {

constexpr std::string_view kReserved = ":/?[]@!$&'()*+,;=";  // but for #, which would end the query

// The parts of one value, encoded: one without a key for anything but an object. What lies deeper goes as JSON.
struct Part {
  std::string key;
  std::string text;
};

class Serializer {
 public:
  Serializer(const Parameter& parameter, const Value& value)
      : parameter_(parameter), value_(value), name_(text::percent_encoded(parameter.name)) {
    if (value.is_object())
      for (const json::Member& member : value.members())
        parts_.push_back({encoded(member.key.as_string()), encoded(plain_text(member.value))});
    else if (value.is_array())
      for (const Value& item : value.items()) parts_.push_back({{}, encoded(plain_text(item))});
    else
      parts_.push_back({{}, encoded(plain_text(value))});
  }

  std::string serialize() const {
    switch (parameter_.style) {
      case Style::kSimple:
        return parameter_.explode ? assigned(",") : listed(",");
      case Style::kLabel:
        return "." + (parameter_.explode ? assigned(".") : listed(","));
      case Style::kMatrix:
        return parameter_.explode ? ";" + named(";") : ";" + name_ + "=" + listed(",");
      case Style::kForm:
        return delimited(",");
      case Style::kSpaceDelimited:
        return delimited("%20");
      case Style::kPipeDelimited:
        return delimited("%7C");
      case Style::kTabDelimited:
        return delimited("%09");
      case Style::kDeepObject:
        return value_.is_object() ? deep() : delimited(",");
      case Style::kJson:
        return as_json();
    }
    return {};
  }

 private:
  // A header's value goes as it is: it has no escapes.
  std::string encoded(std::string_view text) const {
    if (parameter_.in == Location::kHeader) return std::string(text);
    return text::percent_encoded(text, parameter_.allows_reserved ? kReserved : std::string_view());
  }

  bool has_keys() const { return value_.is_object(); }

  template <typename Write>
  std::string joined(std::string_view between, Write write) const {
    std::string text;
    for (const Part& part : parts_) {
      if (&part != &parts_.front()) text += between;
      text += write(part);
    }
    return text;
  }

  // a,b and k,v
  std::string listed(std::string_view between) const {
    return joined(between, [&](const Part& part) {
      return has_keys() ? part.key + std::string(between) + part.text : part.text;
    });
  }

  // a,b and k=v
  std::string assigned(std::string_view between) const {
    return joined(between, [&](const Part& part) { return has_keys() ? part.key + "=" + part.text : part.text; });
  }

  // name=a&name=b and k=v
  std::string named(std::string_view between) const {
    return joined(between, [&](const Part& part) { return (has_keys() ? part.key : name_) + "=" + part.text; });
  }

  std::string delimited(std::string_view between) const {
    const bool is_cookie = parameter_.in == Location::kCookie;
    return parameter_.explode ? named(is_cookie ? "; " : "&") : name_ + "=" + listed(between);
  }

  std::string deep() const {
    return joined("&", [&](const Part& part) { return name_ + "%5B" + part.key + "%5D=" + part.text; });
  }

  std::string as_json() const {
    const std::string text = encoded(json::print(value_));
    const bool has_name = parameter_.in != Location::kPath && parameter_.in != Location::kHeader;
    return has_name ? name_ + "=" + text : text;
  }

  const Parameter& parameter_;
  const Value& value_;
  std::string name_;
  std::vector<Part> parts_;
};

}  // namespace

std::string plain_text(const Value& value) {
  if (value.is_null()) return {};
  return value.is_string() ? std::string(value.as_string()) : json::print(value);
}

std::string serialize(const Parameter& parameter, const Value& value) {
  return Serializer(parameter, value).serialize();
}

}  // namespace pawl::openapi
