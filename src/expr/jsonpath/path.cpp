// Path: chooses the parser, and turns what the evaluator found into a value or an error.
#include "expr/jsonpath/path.h"

#include <utility>

#include "base/assert.h"
#include "expr/jsonpath/evaluator.h"
#include "expr/jsonpath/jayway_parser.h"
#include "expr/jsonpath/program.h"
#include "expr/jsonpath/rfc_parser.h"

namespace pawl::jsonpath {

using internal::Evaluator;
using internal::Nodes;
using internal::Program;
using internal::Query;

namespace {

Result<Query> parse_jayway(std::string_view text, Dialect dialect) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  const bool rooted = text.starts_with('$') || (text.starts_with('@') && dialect != Dialect::kAsl);
  if (rooted) return internal::JaywayParser(text, dialect, 0).parse();
  if (dialect == Dialect::kAsl || text.empty()) return internal::Cursor(text).error("A path begins with $.");
  return internal::JaywayParser("$." + std::string(text), dialect, 2).parse();
}

Result<Query> parse(std::string_view text, Dialect dialect) {
  if (dialect == Dialect::kRfc9535) return internal::RfcParser(text).parse();
  return parse_jayway(text, dialect);
}

std::string_view code_of(Evaluator::Failure failure) {
  switch (failure) {
    case Evaluator::Failure::kNone:
    case Evaluator::Failure::kNoMatch:
    case Evaluator::Failure::kRejected:
      return "JSONPATH_NO_MATCH";
    case Evaluator::Failure::kFunction:
      return "JSONPATH_FUNCTION";
    case Evaluator::Failure::kLimit:
      return "JSONPATH_LIMIT";
  }
  return "JSONPATH_NO_MATCH";
}

bool is_no_match(const Evaluator& evaluator) {
  return evaluator.failure() == Evaluator::Failure::kNoMatch || evaluator.failure() == Evaluator::Failure::kRejected;
}

std::unexpected<Error> failure_of(const Evaluator& evaluator) {
  return fail(std::string(code_of(evaluator.failure())), evaluator.what());
}

// Runs the whole path. AWS gives [] for an indefinite path that leads nowhere, where Jayway gives an error.
Result<void> run(const Program& program, Evaluator& evaluator, const Value& root, Nodes& nodes) {
  if (!evaluator.run(program.query, root, nodes)) {
    if (program.dialect != Dialect::kAsl || program.query.definite || !is_no_match(evaluator))
      return failure_of(evaluator);
    nodes.clear();
  }
  if (program.query.definite && nodes.empty())
    return fail("JSONPATH_NO_MATCH", "No results for path: " + internal::canonical_text(program.query));
  return {};
}

Result<Value> run_to_value(const Program& program, const Value& root) {
  Evaluator evaluator(program.dialect, root);
  Nodes nodes;
  if (auto ran = run(program, evaluator, root, nodes); !ran) return std::unexpected(std::move(ran).error());
  if (program.query.definite) return *nodes.back();
  json::ArrayBuilder items(nodes.size());
  for (const Value* node : nodes) items.push(*node);
  return items.build();
}

}  // namespace

Result<Path> Path::compile(std::string_view text, Dialect dialect) {
  if (text.size() > kPathBytesMax)
    return fail("JSONPATH_TOO_LONG", "The path is longer than " + std::to_string(kPathBytesMax) + " bytes.");
  if (!internal::is_valid_utf8(text)) return fail("JSONPATH_SYNTAX", "The path is not valid UTF-8.");
  auto program = std::make_shared<Program>();
  program->text = text;
  program->dialect = dialect;
  PAWL_TRY(program->query, parse(text, dialect));
  Path path;
  path.program_ = std::move(program);
  return path;
}

Result<Value> Path::evaluate(const Value& root) const {
  PAWL_ASSERT(program_ != nullptr);
  if (program_->query.singular) {
    if (const Value* value = internal::walk(program_->query.plain_steps, root)) return *value;
  }
  return run_to_value(*program_, root);
}

const Value* Path::find(const Value& root) const {
  PAWL_ASSERT(program_ != nullptr);
  return program_->query.singular ? internal::walk(program_->query.plain_steps, root) : nullptr;
}

Result<std::vector<Value>> Path::nodes(const Value& root) const {
  PAWL_ASSERT(program_ != nullptr);
  Evaluator evaluator(program_->dialect, root);
  Nodes nodes;
  if (auto ran = run(*program_, evaluator, root, nodes); !ran) {
    if (ran.error().code != "JSONPATH_NO_MATCH") return std::unexpected(std::move(ran).error());
    nodes.clear();
  }
  std::vector<Value> values;
  values.reserve(nodes.size());
  for (const Value* node : nodes) values.push_back(*node);
  return values;
}

bool Path::is_definite() const { return program_ != nullptr && program_->query.definite; }

bool Path::is_singular() const { return program_ != nullptr && program_->query.singular; }

const std::string& Path::text() const {
  PAWL_ASSERT(program_ != nullptr);
  return program_->text;
}

std::string_view Path::last_name() const {
  PAWL_ASSERT(program_ != nullptr);
  std::string_view last;
  for (const internal::Segment& segment : program_->query.segments)
    for (const internal::Selector& selector : segment.selectors)
      if (selector.kind == internal::SelectorKind::kName) last = selector.names.front();
  return last;
}

std::vector<std::string> Path::names() const {
  std::vector<std::string> names;
  if (!is_singular()) return names;
  for (const internal::PlainStep& step : program_->query.plain_steps) {
    if (!step.is_name) return {};
    names.push_back(step.name);
  }
  return names;
}

}  // namespace pawl::jsonpath
