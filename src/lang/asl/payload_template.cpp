#include "lang/asl/payload_template.h"

#include "json/pointer.h"

namespace pawl::asl {

Result<Expression> Expression::compile(std::string_view text) {
  Expression expression;
  expression.text_ = text;
  if (text.starts_with('$')) {
    PAWL_TRY(expression.code_, jsonpath::RootedPath::compile(text));
  } else {
    PAWL_TRY(expression.code_, intrinsic::Intrinsic::compile(text));
  }
  return expression;
}

Result<Value> Expression::evaluate(const jsonpath::Roots& roots, Random& random) const {
  if (const auto* path = std::get_if<jsonpath::RootedPath>(&code_)) return path->evaluate(roots);
  return std::get<intrinsic::Intrinsic>(code_).evaluate(roots, random);
}

Result<PayloadTemplate> PayloadTemplate::compile(const Value& source) {
  PayloadTemplate compiled;
  PAWL_TRY(compiled.root_, compile_node(source));
  return compiled;
}

Result<PayloadTemplate::Node> PayloadTemplate::compile_node(const Value& source) {
  if (source.is_object()) return compile_object(source);
  if (source.is_array()) return compile_array(source);
  source.make_immortal();
  return source;
}

namespace {

bool is_dynamic_name(std::string_view name) { return name.ends_with(".$"); }

std::unexpected<Error> at(Error error, std::string_view token) {
  error.where = json::child_pointer("", token) + error.where;
  return std::unexpected(std::move(error));
}

}  // namespace

// An object or array without anything dynamic below it stays the value that it is.
Result<PayloadTemplate::Node> PayloadTemplate::compile_object(const Value& source) {
  auto object = std::make_shared<Object>();
  bool is_literal = true;
  for (const json::Member& member : source.members()) {
    const std::string_view name = member.key.as_string();
    if (is_dynamic_name(name) && member.value.is_string()) {
      auto expression = Expression::compile(member.value.as_string());
      if (!expression) return at(expression.error(), name);
      Value key = Value::string(name.substr(0, name.size() - 2));
      key.make_immortal();
      object->members.emplace_back(std::move(key), Dynamic{std::string(name), *std::move(expression)});
      is_literal = false;
      continue;
    }
    auto node = compile_node(member.value);
    if (!node) return at(node.error(), name);
    is_literal = is_literal && std::holds_alternative<Value>(*node);
    member.key.make_immortal();
    object->members.emplace_back(member.key, *std::move(node));
  }
  if (!is_literal) return Node(std::move(object));
  source.make_immortal();
  return Node(source);
}

Result<PayloadTemplate::Node> PayloadTemplate::compile_array(const Value& source) {
  auto array = std::make_shared<Array>();
  bool is_literal = true;
  for (size_t i = 0; i < source.size(); ++i) {
    auto node = compile_node(source.at(i));
    if (!node) return at(node.error(), std::to_string(i));
    is_literal = is_literal && std::holds_alternative<Value>(*node);
    array->items.push_back(*std::move(node));
  }
  if (!is_literal) return Node(std::move(array));
  source.make_immortal();
  return Node(source);
}

std::expected<Value, TemplateError> PayloadTemplate::evaluate(const jsonpath::Roots& roots, Random& random) const {
  return evaluate_node(root_, roots, random);
}

std::expected<Value, TemplateError> PayloadTemplate::evaluate_dynamic(const Dynamic& dynamic,
                                                                      const jsonpath::Roots& roots, Random& random) {
  auto value = dynamic.expression.evaluate(roots, random);
  if (value) return *std::move(value);
  return std::unexpected(
      TemplateError{dynamic.field, dynamic.expression.text(), dynamic.expression.is_path(), std::move(value).error()});
}

std::expected<Value, TemplateError> PayloadTemplate::evaluate_node(const Node& node, const jsonpath::Roots& roots,
                                                                   Random& random) {
  if (const auto* literal = std::get_if<Value>(&node)) return *literal;
  if (const auto* dynamic = std::get_if<Dynamic>(&node)) return evaluate_dynamic(*dynamic, roots, random);
  if (const auto* array = std::get_if<std::shared_ptr<const Array>>(&node)) {
    json::ArrayBuilder items((*array)->items.size());
    for (const Node& item : (*array)->items) {
      auto value = evaluate_node(item, roots, random);
      if (!value) return value;
      items.push(*std::move(value));
    }
    return items.build();
  }
  const Object& object = *std::get<std::shared_ptr<const Object>>(node);
  json::ObjectBuilder members(object.members.size());
  for (const auto& [key, member] : object.members) {
    auto value = evaluate_node(member, roots, random);
    if (!value) return value;
    members.set(key, *std::move(value));
  }
  return members.build();
}

}  // namespace pawl::asl
