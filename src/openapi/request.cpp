#include "openapi/request.h"

#include <algorithm>

#include "json/print.h"
#include "openapi/styles.h"

namespace pawl::openapi {

namespace {

std::unexpected<Error> wrong_argument(const std::string& name, const std::string& what, std::string fix) {
  return fail("OPENAPI_INVALID_ARGUMENT", "The argument '" + name + "' " + what, std::move(fix));
}

bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F; }

void append(std::string& text, std::string_view between, std::string_view more) {
  if (more.empty()) return;
  if (!text.empty()) text += between;
  text += more;
}

class Maker {
 public:
  Maker(const Operation& operation, const Value& arguments) : operation_(operation), arguments_(arguments) {}

  Result<Request> make() {
    request_.method = operation_.method;
    request_.url = operation_.url;
    for (const Parameter& parameter : operation_.parameters) {
      const Value* value = given(parameter.name);
      if (value == nullptr && parameter.required) return missing(parameter.name);
      if (value == nullptr) continue;
      if (auto placed = place(parameter, *value); !placed) return std::unexpected(std::move(placed).error());
    }
    append(request_.url, "?", query_);
    if (!cookies_.empty()) request_.headers.emplace_back("Cookie", cookies_);
    if (auto added = add_body(); !added) return std::unexpected(std::move(added).error());
    return std::move(request_);
  }

 private:
  const Value* given(std::string_view name) const {
    const Value* found = arguments_.find(name);
    return found == nullptr || found->is_null() ? nullptr : found;
  }

  std::unexpected<Error> missing(const std::string& name) const {
    return fail("OPENAPI_MISSING_ARGUMENT", "The operation '" + operation_.id + "' needs the argument '" + name + "'.",
                "Give it where the function is called.");
  }

  Result<void> place(const Parameter& parameter, const Value& value) {
    const std::string text = serialize(parameter, value);
    switch (parameter.in) {
      case Location::kPath:
        return place_in_path(parameter, text);
      case Location::kQuery:
        append(query_, "&", text);
        return {};
      case Location::kHeader:
        if (std::ranges::any_of(text, is_control))
          return wrong_argument(parameter.name, "goes into a header and has a control character.",
                                "Take line breaks out of it.");
        request_.headers.emplace_back(parameter.name, text);
        return {};
      case Location::kCookie:
        append(cookies_, "; ", text);
        return {};
      case Location::kFormField:
        append(fields_, "&", text);
        return {};
    }
    return {};
  }

  // What is empty, . or .. would make another path of it.
  Result<void> place_in_path(const Parameter& parameter, const std::string& text) {
    if (text.empty() || text == "." || text == "..")
      return wrong_argument(parameter.name, "is a part of the path, and would make another path of it.",
                            "Give what names one resource.");
    const std::string slot = "{" + parameter.name + "}";
    for (size_t at = request_.url.find(slot); at != std::string::npos; at = request_.url.find(slot, at + text.size()))
      request_.url.replace(at, slot.size(), text);
    return {};
  }

  bool is_parameter(std::string_view name) const {
    return std::ranges::any_of(operation_.parameters,
                               [&](const Parameter& parameter) { return parameter.name == name; });
  }

  bool is_body(std::string_view name) const {
    return operation_.body.form != BodyForm::kNone && name == operation_.body.argument && !is_parameter(name);
  }

  // What no parameter took, and is not called the body.
  Value rest() const {
    json::ObjectBuilder rest;
    if (arguments_.is_object())
      for (const json::Member& member : arguments_.members()) {
        const std::string_view name = member.key.as_string();
        if (!is_parameter(name) && !is_body(name)) rest.set(member.key, member.value);
      }
    return rest.build();
  }

  std::unexpected<Error> unknown(const Value& rest) const {
    const std::string name(rest.members().front().key.as_string());
    return fail("OPENAPI_UNKNOWN_ARGUMENT", "The operation '" + operation_.id + "' takes no argument '" + name + "'.",
                "Leave it out, or write the name as the document does.");
  }

  Result<void> add_body() {
    const Body& body = operation_.body;
    const Value others = rest();
    const Value* whole = is_body(body.argument) ? given(body.argument) : nullptr;
    const bool takes_others = whole == nullptr && body.form != BodyForm::kNone && body.takes_rest;
    if (others.size() > 0 && !takes_others) return unknown(others);
    if (whole != nullptr) return write_body(*whole);
    if (others.size() > 0) return write_body(others);
    if (!fields_.empty()) return write_text(fields_);
    if (body.required) return missing(body.argument);
    return {};
  }

  Result<void> write_text(std::string text) {
    request_.headers.emplace_back("Content-Type", operation_.body.content_type);
    request_.body = std::move(text);
    return {};
  }

  Result<void> write_body(const Value& value) {
    switch (operation_.body.form) {
      case BodyForm::kNone:
        return {};
      case BodyForm::kJson:
        return write_text(json::print(value));
      case BodyForm::kText:
        return write_text(plain_text(value));
      case BodyForm::kForm:
        return write_form(value);
    }
    return {};
  }

  // Each member like a parameter of a query; an object in it goes as JSON.
  Result<void> write_form(const Value& value) {
    if (!value.is_object())
      return wrong_argument(operation_.body.argument, "becomes a form, and is no object.", "Give an object.");
    std::string form;
    for (const json::Member& member : value.members()) {
      const Style style = member.value.is_object() ? Style::kJson : Style::kForm;
      const Parameter field{.name = std::string(member.key.as_string()), .in = Location::kFormField, .style = style};
      if (!member.value.is_null()) append(form, "&", serialize(field, member.value));
    }
    return write_text(std::move(form));
  }

  const Operation& operation_;
  const Value& arguments_;
  Request request_;
  std::string query_;
  std::string cookies_;
  std::string fields_;  // of Swagger 2.0's form
};

}  // namespace

Result<Request> make_request(const Operation& operation, const Value& arguments) {
  if (!arguments.is_object() && !arguments.is_null())
    return fail("OPENAPI_INVALID_ARGUMENT", "The arguments of the operation '" + operation.id + "' are no object.",
                "Give each by its name.");
  return Maker(operation, arguments).make();
}

}  // namespace pawl::openapi
