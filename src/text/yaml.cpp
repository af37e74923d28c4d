// The reader consumes libfyaml's events. It never lets the library build or resolve documents, since that copies what
// aliases name; here they share it.
#include "text/yaml.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <libfyaml.h>

#include "json/key_index.h"
#include "json/position_recorder.h"
#include "json/print.h"
#include "json/utf8.h"
#include "text/yaml_scalar.h"

namespace pawl::text {

namespace {

using json::Member;
using json::Value;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kCoreTagPrefix = "tag:yaml.org,2002:";

std::string_view text_of(fy_token* token) {
  size_t size = 0;
  const char* text = token == nullptr ? nullptr : fy_token_get_text(token, &size);
  return text == nullptr ? std::string_view{} : std::string_view{text, size};
}

// Owns the library's parser, and the errors that it would else print.
class EventSource {
 public:
  explicit EventSource(std::string_view text) {
    fy_diag_cfg diag_config;
    fy_diag_cfg_default(&diag_config);
    diag_.reset(fy_diag_create(&diag_config));
    PAWL_ASSERT(diag_ != nullptr);
    fy_diag_set_collect_errors(diag_.get(), true);
    fy_parse_cfg config{};
    config.flags = static_cast<fy_parse_cfg_flags>(FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_DISABLE_DEPTH_LIMIT |
                                                   FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE);
    config.diag = diag_.get();
    parser_.reset(fy_parser_create(&config));
    PAWL_ASSERT(parser_ != nullptr);
    fy_parser_set_string(parser_.get(), text.data(), text.size());
  }

  struct FreeEvent {
    fy_parser* parser;
    void operator()(fy_event* event) const { fy_parser_event_free(parser, event); }
  };
  using Event = std::unique_ptr<fy_event, FreeEvent>;

  // Null at the end and after an error.
  Event next() { return Event(fy_parser_parse(parser_.get()), FreeEvent{parser_.get()}); }

  // The first error; null where there is none.
  const fy_diag_error* error() const {
    void* iterator = nullptr;
    return fy_diag_errors_iterate(diag_.get(), &iterator);
  }

 private:
  struct FreeDiag {
    void operator()(fy_diag* diag) const { fy_diag_destroy(diag); }  // to unref it leaks the errors
  };
  struct FreeParser {
    void operator()(fy_parser* parser) const { fy_parser_destroy(parser); }
  };
  std::unique_ptr<fy_diag, FreeDiag> diag_;
  std::unique_ptr<fy_parser, FreeParser> parser_;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text), source_(text), recorder_(text) {}

  Result<json::Document> run();

 private:
  // A container that has begun, or (at the bottom) the document.
  struct Frame {
    bool is_object = false;
    std::string anchor;
    size_t nodes_before = 0;    // the count of nodes when it began
    std::vector<Value> values;  // in an object names and values alternate
  };
  struct Anchored {
    Value value;
    size_t nodes = 0;
  };

  // Each of these says whether it went well; if not, error_ says why.
  bool take(fy_event& event);
  bool begin_document();
  bool begin_container(fy_event& event, bool is_object);
  bool end_container();
  bool check_keys(const Frame& frame);
  bool take_scalar(fy_event& event);
  bool take_alias(fy_event& event);
  bool take_key(fy_event& event, Value key, std::string_view text);
  bool count_nodes(size_t nodes, size_t bytes_added);
  bool read_tag(fy_token* token, YamlTag& tag);
  void add(Value value, const std::string& anchor, size_t nodes);
  bool expects_key() const { return open_.back().is_object && open_.back().values.size() % 2 == 0; }

  size_t offset_of(fy_event& event);
  bool fail_here(const char* code, std::string what, std::string fix);
  bool fail_at(Position position, const char* code, std::string what, std::string fix);
  bool report_syntax_error();

  const std::string_view text_;
  EventSource source_;
  json::PositionRecorder recorder_;
  std::vector<Frame> open_;
  std::map<std::string, Anchored, std::less<>> anchors_;
  size_t nodes_ = 0;
  size_t bytes_added_ = 0;
  size_t documents_ = 0;
  size_t offset_ = 0;  // of the event at hand
  Error error_;
};

// --- errors
// --------------------------------------------------------------------------------------------------------------

bool Reader::fail_at(Position position, const char* code, std::string what, std::string fix) {
  error_ = {code, json::to_string(position), std::move(what), std::move(fix)};
  return false;
}

bool Reader::fail_here(const char* code, std::string what, std::string fix) {
  return fail_at(json::position_at(text_, offset_), code, std::move(what), std::move(fix));
}

bool Reader::report_syntax_error() {
  const fy_diag_error* error = source_.error();
  if (error == nullptr) return fail_here("YAML_SYNTAX", "The text is not YAML.", "Check it near this place.");
  const Position position{static_cast<uint32_t>(std::max(error->line, 1)),
                          static_cast<uint32_t>(std::max(error->column, 1))};
  return fail_at(position, "YAML_SYNTAX", std::string("The text is not YAML: ") + error->msg + ".",
                 "Check the indentation, quotes and brackets near this place.");
}

// --- structure
// -----------------------------------------------------------------------------------------------------------

Result<json::Document> Reader::run() {
  bool ended = false;
  while (!ended) {
    const EventSource::Event event = source_.next();
    if (event == nullptr || source_.error() != nullptr) {
      report_syntax_error();
      return std::unexpected(std::move(error_));
    }
    ended = event->type == FYET_STREAM_END;
    if (!take(*event)) return std::unexpected(std::move(error_));
  }
  if (documents_ == 0) {
    fail_here("YAML_EMPTY", "The text is empty.", "Write a document; {} is the smallest object.");
    return std::unexpected(std::move(error_));
  }
  Value root = std::move(open_.front().values.front());
  return json::Document{root, json::SourceMap(root, recorder_.take_root())};
}

bool Reader::take(fy_event& event) {
  offset_ = offset_of(event);
  switch (event.type) {
    case FYET_NONE:
    case FYET_STREAM_START:
    case FYET_STREAM_END:
    case FYET_DOCUMENT_END:
      return true;
    case FYET_DOCUMENT_START:
      return begin_document();
    case FYET_MAPPING_START:
      return begin_container(event, true);
    case FYET_SEQUENCE_START:
      return begin_container(event, false);
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END:
      return end_container();
    case FYET_SCALAR:
      return take_scalar(event);
    case FYET_ALIAS:
      return take_alias(event);
  }
  return true;
}

size_t Reader::offset_of(fy_event& event) {
  const fy_mark* mark = fy_event_start_mark(&event);
  return mark == nullptr ? offset_ : std::min(mark->input_pos, text_.size());
}

bool Reader::begin_document() {
  if (++documents_ > 1)
    return fail_here("YAML_UNSUPPORTED", "The text holds a second document.", "Keep one document in a file.");
  open_.emplace_back();
  return true;
}

bool Reader::begin_container(fy_event& event, bool is_object) {
  if (expects_key())
    return fail_here("YAML_UNSUPPORTED", "A key is a mapping or a sequence.", "Write a string as the key.");
  if (open_.size() > json::kDepthMax)
    return fail_here("YAML_TOO_DEEP", "The text nests deeper than " + std::to_string(json::kDepthMax) + " levels.",
                     "Flatten the data.");
  YamlTag tag{};
  fy_token* const tag_token = fy_event_get_tag_token(&event);
  const std::string_view wanted = is_object ? "tag:yaml.org,2002:map" : "tag:yaml.org,2002:seq";
  if (tag_token != nullptr && text_of(tag_token) != wanted && text_of(tag_token) != "!" && !read_tag(tag_token, tag))
    return false;
  if (tag != YamlTag::kNone)
    return fail_here("YAML_UNSUPPORTED", "A container has the tag of a scalar.", "Remove the tag.");
  recorder_.begin_value(offset_);
  open_.push_back({is_object, std::string(text_of(fy_event_get_anchor_token(&event))), nodes_, {}});
  return count_nodes(1, 0);
}

bool Reader::end_container() {
  Frame frame = std::move(open_.back());
  if (frame.is_object && !check_keys(frame)) return false;
  open_.pop_back();
  recorder_.end_container(frame.is_object ? frame.values.size() / 2 : frame.values.size());
  Value container;
  if (frame.is_object) {
    json::ObjectBuilder builder(frame.values.size() / 2);
    for (size_t i = 0; i < frame.values.size(); i += 2)
      builder.set(std::move(frame.values[i]), std::move(frame.values[i + 1]));
    container = builder.build();
  } else {
    json::ArrayBuilder builder(frame.values.size());
    for (Value& value : frame.values) builder.push(std::move(value));
    container = builder.build();
  }
  add(std::move(container), frame.anchor, nodes_ - frame.nodes_before);
  return true;
}

bool Reader::check_keys(const Frame& frame) {
  std::vector<Member> members;
  members.reserve(frame.values.size() / 2);
  for (size_t i = 0; i < frame.values.size(); i += 2) members.push_back({frame.values[i], Value()});
  const auto repeated = json::find_repeated_key(members);
  if (!repeated) return true;
  return fail_at(recorder_.key_position(members.size() - *repeated), "YAML_DUPLICATE_KEY",
                 "The name \"" + std::string(members[*repeated].key.as_string()) + "\" occurs twice in one mapping.",
                 "Remove or rename one of the two.");
}

void Reader::add(Value value, const std::string& anchor, size_t nodes) {
  if (!anchor.empty()) anchors_.insert_or_assign(anchor, Anchored{value, nodes});
  open_.back().values.push_back(std::move(value));
}

bool Reader::count_nodes(size_t nodes, size_t bytes_added) {
  nodes_ += nodes;
  bytes_added_ += bytes_added;
  if (nodes_ <= kYamlExpandedNodesMax && bytes_added_ <= kYamlExpandedBytesMax) return true;
  return fail_here("YAML_TOO_LARGE",
                   "The document, with its aliases followed, has more than " + std::to_string(kYamlExpandedNodesMax) +
                       " nodes or " + std::to_string(kYamlExpandedBytesMax) + " bytes from aliases.",
                   "Make it smaller, or name fewer things by aliases.");
}

// --- leaves
// --------------------------------------------------------------------------------------------------------------

bool Reader::read_tag(fy_token* token, YamlTag& tag) {
  std::string_view name = text_of(token);
  const bool is_core = name.starts_with(kCoreTagPrefix);
  if (is_core) name.remove_prefix(kCoreTagPrefix.size());
  if (name == "!" || (is_core && name == "str"))
    tag = YamlTag::kString;
  else if (is_core && name == "int")
    tag = YamlTag::kInteger;
  else if (is_core && name == "float")
    tag = YamlTag::kFloat;
  else if (is_core && name == "bool")
    tag = YamlTag::kBoolean;
  else if (is_core && name == "null")
    tag = YamlTag::kNull;
  else
    return fail_here("YAML_UNSUPPORTED", "The tag " + std::string(text_of(token)) + " has no meaning here.",
                     "Remove the tag; !!str, !!int, !!float, !!bool, !!null, !!map and !!seq are known.");
  return true;
}

bool Reader::take_scalar(fy_event& event) {
  const std::string_view text = text_of(event.scalar.value);
  if (json::find_invalid_utf8(text) != text.size())
    return fail_here("YAML_SYNTAX", "A scalar holds what is not a Unicode character.",
                     "Write both halves of surrogates.");
  YamlTag tag{};
  if (event.scalar.tag != nullptr && !read_tag(event.scalar.tag, tag)) return false;
  const bool is_plain = event.scalar.value == nullptr || fy_token_scalar_style(event.scalar.value) == FYSS_PLAIN;
  const auto value = tag == YamlTag::kNone && is_plain ? resolve_plain_scalar(text) : resolve_tagged_scalar(tag, text);
  if (!value)
    return fail_here("YAML_UNSUPPORTED", "The scalar " + std::string(text) + " is none that JSON or its tag allows.",
                     "Put it in quotes to make it a string, or write another value.");
  if (expects_key()) return take_key(event, *value, text);
  recorder_.begin_value(offset_);
  add(*value, std::string(text_of(event.scalar.anchor)), 1);
  return count_nodes(1, 0);
}

bool Reader::take_key(fy_event& event, Value key, std::string_view text) {
  if (key.is_null())
    return fail_here("YAML_UNSUPPORTED", "A key is null.", "Write a name; in quotes if it is to be \"null\".");
  if (!key.is_string()) key = Value::string(text);
  recorder_.key(offset_);
  add(std::move(key), event.type == FYET_SCALAR ? std::string(text_of(event.scalar.anchor)) : std::string(), 1);
  return true;
}

bool Reader::take_alias(fy_event& event) {
  if (offset_ > 0 && text_[offset_ - 1] == '*') --offset_;  // the event's own mark is after the asterisk
  const std::string_view name = text_of(event.alias.anchor);
  const auto found = anchors_.find(name);
  if (found == anchors_.end())
    return fail_here("YAML_SYNTAX", "The alias *" + std::string(name) + " names nothing that is complete before it.",
                     "Set the anchor &" + std::string(name) + " earlier, and outside of what refers to it.");
  const Anchored& anchored = found->second;
  if (expects_key()) {
    if (anchored.value.is_array() || anchored.value.is_object())
      return fail_here("YAML_UNSUPPORTED", "A key is a mapping or a sequence.", "Write a string as the key.");
    return take_key(event, anchored.value, json::print(anchored.value));
  }
  if (open_.size() - 1 + anchored.value.depth() > json::kDepthMax)
    return fail_here("YAML_TOO_DEEP", "With its aliases followed the text nests too deep.", "Flatten the data.");
  recorder_.begin_value(offset_);
  const size_t nodes = anchored.nodes;
  const size_t bytes = anchored.value.json_size();
  add(anchored.value, "", nodes);
  return count_nodes(nodes, bytes);
}

std::string_view without_byte_order_mark(std::string_view text) {
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

}  // namespace

Result<json::Document> parse_yaml(std::string_view text) {
  text = without_byte_order_mark(text);
  if (text.size() > kYamlTextBytesMax)
    return fail("YAML_TOO_LARGE", "The text has more than " + std::to_string(kYamlTextBytesMax) + " bytes.",
                "Split it.");
  if (const size_t invalid = json::find_invalid_utf8(text); invalid < text.size())
    return fail("YAML_SYNTAX", "The text is not UTF-8.", "Save it as UTF-8.",
                json::to_string(json::position_at(text, invalid)));
  return Reader(text).run();
}

Result<json::Document> parse_definition(std::string_view text) {
  text = without_byte_order_mark(text);
  const size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
  return is_json ? json::parse_document(text) : parse_yaml(text);
}

}  // namespace pawl::text
