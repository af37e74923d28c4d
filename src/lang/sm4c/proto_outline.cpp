#include "lang/sm4c/proto_outline.h"

#include <algorithm>

namespace pawl::sm4c {

namespace {

constexpr std::string_view kOwnFiles = "google/protobuf/";  // that protobuf brings along

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

// Words, texts and single signs; blanks and comments are passed over.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}

  // Empty at the end. A text has its first quote still.
  std::string_view next() {
    skip();
    const size_t begin = at_;
    if (at_ >= text_.size()) return {};
    const char first = text_[at_++];
    if (first == '"' || first == '\'') return rest_of_text(begin, first);
    if (is_word_character(first))
      while (at_ < text_.size() && is_word_character(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

 private:
  void skip_past(std::string_view end) {
    const size_t found = text_.find(end, at_);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }

  void skip() {
    while (at_ < text_.size()) {
      const std::string_view rest = text_.substr(at_);
      if (rest.starts_with("//"))
        skip_past("\n");
      else if (rest.starts_with("/*"))
        skip_past("*/");
      else if (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r')
        ++at_;
      else
        return;
    }
  }

  std::string_view rest_of_text(size_t begin, char quote) {
    while (at_ < text_.size() && text_[at_] != quote) at_ += text_[at_] == '\\' ? 2 : 1;
    const size_t end = std::min(at_, text_.size());
    at_ = std::min(end + 1, text_.size());
    return text_.substr(begin, end - begin);
  }

  std::string_view text_;
  size_t at_ = 0;
};

// Reads `service NAME { … }` behind its first word.
ProtoService read_service(Tokens& tokens, const std::string& package) {
  ProtoService service;
  service.name = tokens.next();
  service.full_name = package.empty() ? service.name : package + "." + service.name;
  int depth = 0;
  for (std::string_view token = tokens.next(); !token.empty(); token = tokens.next()) {
    if (token == "rpc" && depth == 1) service.methods.emplace_back(tokens.next());
    const bool may_stream = token == "stream" && depth == 1 && !service.methods.empty();
    if (may_stream && tokens.next() != ")") service.streaming.push_back(service.methods.back());
    if (token == "{") ++depth;
    if (token == "}" && --depth <= 0) break;
  }
  return service;
}

// Behind `import`, which may be public or weak.
std::string read_import(Tokens& tokens) {
  std::string_view token = tokens.next();
  if (token == "public" || token == "weak") token = tokens.next();
  const bool is_text = token.starts_with('"') || token.starts_with('\'');
  return is_text ? std::string(token.substr(1)) : std::string();
}

}  // namespace

ProtoOutline outline_of_proto(std::string_view text) {
  ProtoOutline outline;
  Tokens tokens(text);
  std::string package;
  int depth = 0;
  for (std::string_view token = tokens.next(); !token.empty(); token = tokens.next()) {
    if (token == "{") ++depth;
    if (token == "}") --depth;
    if (depth > 0) continue;
    if (token == "package") package = tokens.next();
    if (token == "service") outline.services.push_back(read_service(tokens, package));
    if (token != "import") continue;
    if (std::string path = read_import(tokens); !path.empty() && !path.starts_with(kOwnFiles))
      outline.imports.push_back(std::move(path));
  }
  return outline;
}

std::optional<MethodReference> split_method(std::string_view operation) {
  const size_t hash = operation.find('#');
  const size_t slash = hash == std::string_view::npos ? hash : operation.find('/', hash);
  if (hash == 0 || slash == std::string_view::npos) return std::nullopt;
  const MethodReference reference{operation.substr(0, hash), operation.substr(hash + 1, slash - hash - 1),
                                  operation.substr(slash + 1)};
  if (reference.service.empty() || reference.method.empty()) return std::nullopt;
  return reference;
}

}  // namespace pawl::sm4c
