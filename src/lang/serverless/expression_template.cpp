// Template and IntegerField: JSON with expressions in it, and numbers that may be expressions.
#include <charconv>
#include <utility>

#include "json/pointer.h"
#include "lang/serverless/expression.h"

namespace pawl::serverless {

struct Template::Object {
  std::vector<std::pair<Value, Node>> members;
};

struct Template::Array {
  std::vector<Node> items;
};

namespace {

Error below(std::string_view token, Error error) {
  const bool has_pointer = error.where.starts_with('/');
  error.where = json::child_pointer("", token) + (has_pointer ? error.where : "");
  return error;
}

std::optional<int64_t> digits(std::string_view text) {
  int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, number);
  if (failure != std::errc() || rest != end || text.starts_with('-')) return std::nullopt;
  return number;
}

std::optional<int64_t> count_of(const Value& value) {
  if (value.is_string()) return digits(value.as_string());
  const std::optional<int64_t> number = value.is_number() ? value.as_integer() : std::nullopt;
  return number && *number >= 0 ? number : std::nullopt;
}

std::unexpected<Error> no_count() {
  return fail("SW_NUMBER", "This must be an integer from 0, or an expression that gives one.",
              "Write a number, such as 3.");
}

}  // namespace

// Recursion is bounded by the parser's depth.
Result<Template::Node> Template::compile_node(const Value& source, jsonpath::Dialect dialect) {
  if (source.is_string()) {
    PAWL_TRY(Expression expression, Expression::compile(source.as_string(), dialect));
    return expression.is_literal() ? Node(source) : Node(std::move(expression));
  }
  if (source.is_object()) {
    auto object = std::make_shared<Object>();
    for (const json::Member& member : source.members()) {
      Result<Node> node = compile_node(member.value, dialect);
      if (!node) return std::unexpected(below(member.key.as_string(), std::move(node).error()));
      object->members.emplace_back(member.key, std::move(*node));
    }
    return Node(std::shared_ptr<const Object>(std::move(object)));
  }
  if (source.is_array()) {
    auto array = std::make_shared<Array>();
    for (size_t index = 0; index < source.size(); ++index) {
      Result<Node> node = compile_node(source.at(index), dialect);
      if (!node) return std::unexpected(below(std::to_string(index), std::move(node).error()));
      array->items.push_back(std::move(*node));
    }
    return Node(std::shared_ptr<const Array>(std::move(array)));
  }
  return Node(source);
}

Result<Template> Template::compile(const Value& source, jsonpath::Dialect dialect) {
  Template result;
  result.source_ = source;
  PAWL_TRY(result.root_, compile_node(source, dialect));
  return result;
}

Result<Value> Template::evaluate_node(const Node& node, const Value& root) {
  if (const auto* expression = std::get_if<Expression>(&node)) return expression->evaluate(root);
  if (const auto* object = std::get_if<std::shared_ptr<const Object>>(&node)) {
    json::ObjectBuilder builder((*object)->members.size());
    for (const auto& [key, child] : (*object)->members) {
      PAWL_TRY(Value value, evaluate_node(child, root));
      builder.set(key, std::move(value));
    }
    return builder.build();
  }
  if (const auto* array = std::get_if<std::shared_ptr<const Array>>(&node)) {
    json::ArrayBuilder builder((*array)->items.size());
    for (const Node& child : (*array)->items) {
      PAWL_TRY(Value value, evaluate_node(child, root));
      builder.push(std::move(value));
    }
    return builder.build();
  }
  return std::get<Value>(node);
}

Result<Value> Template::evaluate(const Value& root) const { return evaluate_node(root_, root); }

Result<IntegerField> IntegerField::compile(const Value& source, jsonpath::Dialect dialect) {
  IntegerField field;
  field.literal_ = count_of(source);
  if (field.literal_) return field;
  if (!source.is_string()) return no_count();
  PAWL_TRY(Expression expression, Expression::compile_path(source.as_string(), dialect));
  if (expression.is_literal()) return no_count();
  field.expression_ = std::move(expression);
  return field;
}

Result<int64_t> IntegerField::evaluate(const Value& root) const {
  if (literal_ || !expression_) return literal_.value_or(0);
  PAWL_TRY(const Value value, expression_->evaluate(root));
  if (const std::optional<int64_t> number = count_of(value)) return *number;
  return fail("SW_NUMBER", "The expression " + expression_->text() + " gives no integer from 0.",
              "Let it select a number, or text that is one.");
}

}  // namespace pawl::serverless
