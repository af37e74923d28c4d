#include "connect/form_encoding.h"

#include "json/print.h"
#include "text/percent.h"

namespace pawl::connect {

namespace {

using json::Value;
using text::percent_encoded;

std::string text_of(const Value& value) {
  return value.is_string() ? std::string(value.as_string()) : json::print(value);
}

// Values are no deeper than the parser lets them be.
class Form {
 public:
  explicit Form(ArrayFormat format) : format_(format) {}

  void add(const std::string& name, const Value& value) {
    if (value.is_null()) return;
    if (value.is_object()) {
      for (const json::Member& member : value.members())
        add(name.empty() ? std::string(member.key.as_string()) : name + "[" + std::string(member.key.as_string()) + "]",
            member.value);
    } else if (value.is_array()) {
      add_array(name, value);
    } else {
      add_text(name, percent_encoded(text_of(value)));
    }
  }

  std::string take() { return std::move(text_); }

 private:
  void add_text(const std::string& name, const std::string& encoded) {
    if (!text_.empty()) text_ += '&';
    text_ += percent_encoded(name) + "=" + encoded;
  }

  void add_array(const std::string& name, const Value& array) {
    if (format_ == ArrayFormat::kCommas) {
      std::string joined;
      for (const Value& item : array.items()) joined += (joined.empty() ? "" : ",") + percent_encoded(text_of(item));
      return add_text(name, joined);
    }
    for (size_t i = 0; i < array.size(); ++i) add(item_name(name, i), array.at(i));
  }

  std::string item_name(const std::string& name, size_t index) const {
    switch (format_) {
      case ArrayFormat::kIndices:
        return name + "[" + std::to_string(index) + "]";
      case ArrayFormat::kBrackets:
        return name + "[]";
      case ArrayFormat::kRepeat:
      case ArrayFormat::kCommas:
        return name;
    }
    return name;
  }

  ArrayFormat format_;
  std::string text_;
};

}  // namespace

std::string form_encoded(const Value& object, ArrayFormat format) {
  Form form(format);
  form.add("", object);
  return form.take();
}

}  // namespace pawl::connect
