#include "cases/case_file.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "api/machine.h"
#include "cases/fields.h"
#include "json/parse.h"
#include "json/pointer.h"
#include "json/print.h"
#include "net/cloud_event.h"
#include "text/duration.h"
#include "text/timestamp.h"
#include "text/yaml.h"

namespace pawl::cases {

namespace {

constexpr size_t kFileBytesMax = 64 * 1024 * 1024;
constexpr std::string_view kDefaultNow = "2020-01-01T00:00:00Z";

constexpr std::array kFileFields = std::to_array<Field>({{"definition", Form::kAny},
                                                         {"definition_file", Form::kString},
                                                         {"definitions", Form::kArray},
                                                         {"definitions_files", Form::kStrings},
                                                         {"options", Form::kStrings},
                                                         {"name", Form::kString},
                                                         {"comment", Form::kString},
                                                         {"cases", Form::kArray}});

constexpr std::array kCaseFields = std::to_array<Field>({{"name", Form::kString},
                                                         {"cites", Form::kString},
                                                         {"comment", Form::kString},
                                                         {"definition", Form::kAny},
                                                         {"definition_file", Form::kString},
                                                         {"definition_files", Form::kStrings},
                                                         {"definitions", Form::kArray},
                                                         {"definitions_files", Form::kStrings},
                                                         {"options", Form::kStrings},
                                                         {"events", Form::kArray},
                                                         {"input", Form::kAny},
                                                         {"input_text", Form::kString},
                                                         {"context", Form::kObject},
                                                         {"now", Form::kString},
                                                         {"seed", Form::kCount},
                                                         {"mocks", Form::kObjectOfArrays},
                                                         {"max_events", Form::kCount},
                                                         {"max_payload", Form::kCount},
                                                         {"skip", Form::kString},
                                                         {"expect", Form::kObject}});

constexpr std::array kExpectFields = std::to_array<Field>({{"status", Form::kString},
                                                           {"output", Form::kAny},
                                                           {"output_text", Form::kString},
                                                           {"error", Form::kStringOrNull},
                                                           {"cause", Form::kStringOrNull},
                                                           {"cause_contains", Form::kString},
                                                           {"path", Form::kStrings},
                                                           {"events", Form::kStrings},
                                                           {"history_ids", Form::kArray},
                                                           {"elapsed", Form::kNumber},
                                                           {"task_inputs", Form::kObjectOfArrays},
                                                           {"state_inputs", Form::kObjectOfArrays},
                                                           {"state_outputs", Form::kObjectOfArrays},
                                                           {"calls", Form::kStrings},
                                                           {"emitted", Form::kArray},
                                                           {"instances", Form::kArray},
                                                           {"diagnostics", Form::kStrings},
                                                           {"warnings", Form::kStrings}});

constexpr std::array kResponseFields = std::to_array<Field>(
    {{"return", Form::kAny}, {"throw", Form::kObject}, {"no_answer", Form::kAny}, {"times", Form::kCount}});

constexpr std::array kEventFields = std::to_array<Field>({{"after", Form::kString}, {"event", Form::kObject}});

constexpr std::array kThrowFields =
    std::to_array<Field>({{"error", Form::kStringOrNull}, {"cause", Form::kStringOrNull}});

Result<std::string> read_file(const std::string& path, const std::string& place) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file)
    return fail("CASE_UNREADABLE", "The file '" + path + "' cannot be read.", "Check its name and your rights to it.",
                place);
  if (size > kFileBytesMax)
    return fail("CASE_UNREADABLE", "The file '" + path + "' is larger than 64 MiB.", "Split it into several.", place);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// Reads one file of cases.
class Reader {
 public:
  Reader(const json::Document& document, const std::string& path) : fields_(document, path), path_(path) {}

  Result<CaseFile> read() {
    const Value& root = fields_.root();
    if (auto checked = fields_.check(root, "", kFileFields); !checked) return std::unexpected(checked.error());
    const Value* list = root.find("cases");
    if (list == nullptr || list->size() == 0) return fields_.invalid("", "The file has no cases.");
    if (auto read = read_definition(root, "", shared_); !read) return std::unexpected(read.error());
    if (auto read = read_definitions(root, "", shared_); !read) return std::unexpected(read.error());
    const Value* name = root.find("name");
    shared_.machine_name = name != nullptr ? std::string(name->as_string()) : api::machine_name_of(path_);
    add_options(root, shared_);
    CaseFile file{path_, {}};
    for (size_t i = 0; i < list->size(); ++i)
      if (auto read = read_cases(list->at(i), json::child_pointer("/cases", i), file.cases); !read)
        return std::unexpected(read.error());
    return file;
  }

 private:
  // One case, or one for each of its definition_files.
  Result<void> read_cases(const Value& source, const std::string& pointer, std::vector<Case>& cases) {
    if (auto checked = fields_.check(source, pointer, kCaseFields); !checked) return checked;
    const Value* files = source.find("definition_files");
    if (files == nullptr) {
      PAWL_TRY(Case read, read_case(source, pointer));
      cases.push_back(std::move(read));
      return {};
    }
    const Value* name = source.find("name");
    for (const Value& file : files->items()) {
      const std::string base = std::filesystem::path(std::string(file.as_string())).filename().string();
      const std::string title = (name == nullptr ? std::string() : std::string(name->as_string())) + " (" + base + ")";
      PAWL_TRY(
          Case read,
          read_case(source.with_member("definition_file", file).with_member("name", Value::string(title)), pointer));
      cases.push_back(std::move(read));
    }
    return {};
  }

  Result<Case> read_case(const Value& source, const std::string& pointer) {
    Case result = shared_;
    if (auto read = read_definition(source, pointer, result); !read) return std::unexpected(read.error());
    if (auto read = read_definitions(source, pointer, result); !read) return std::unexpected(read.error());
    if (auto read = read_events(source.find("events"), pointer + "/events", result); !read)
      return std::unexpected(read.error());
    if (auto read = read_texts(source, pointer, result); !read) return std::unexpected(read.error());
    if (auto read = read_input(source, pointer, result); !read) return std::unexpected(read.error());
    if (auto read = read_numbers(source, pointer, result); !read) return std::unexpected(read.error());
    if (auto read = read_mocks(source.find("mocks"), pointer + "/mocks", result); !read)
      return std::unexpected(read.error());
    if (auto read = read_expect(source.find("expect"), pointer, result); !read) return std::unexpected(read.error());
    add_options(source, result);
    return result;
  }

  Result<void> read_definition(const Value& source, const std::string& pointer, Case& result) const {
    const Value* inline_one = source.find("definition");
    const Value* file = source.find("definition_file");
    if (inline_one != nullptr && file != nullptr)
      return fields_.invalid(pointer, "There is a definition and a definition_file.");
    if (inline_one != nullptr) {
      result.definition = inline_one->is_string() ? std::string(inline_one->as_string()) : json::print(*inline_one);
      result.definition_name = path_;
    }
    if (file != nullptr) {
      const auto beside = std::filesystem::path(path_).parent_path() / std::string(file->as_string());
      PAWL_TRY(result.definition, read_file(beside.string(), fields_.place(pointer + "/definition_file")));
      result.definition_name = beside.string();
    }
    return {};
  }

  Result<void> read_definitions(const Value& source, const std::string& pointer, Case& result) const {
    if (const Value* definitions = source.find("definitions"))
      for (const Value& one : definitions->items())
        result.definitions.push_back({one.is_string() ? std::string(one.as_string()) : json::print(one), path_});
    const Value* files = source.find("definitions_files");
    if (files == nullptr) return {};
    for (const Value& file : files->items()) {
      const auto beside = std::filesystem::path(path_).parent_path() / std::string(file.as_string());
      PAWL_TRY(std::string text, read_file(beside.string(), fields_.place(pointer + "/definitions_files")));
      result.definitions.push_back({std::move(text), beside.string()});
    }
    return {};
  }

  // What every event has, and nobody wants to write, is filled in: the version, and an id of its own.
  Result<Value> read_event(const Value& event, const std::string& pointer, size_t number) const {
    const bool is_whole = event.find("specversion") != nullptr;
    const Value versioned = is_whole ? event : event.with_member("specversion", Value::string("1.0"));
    auto checked = net::check_cloud_event(versioned, [&] { return "event-" + std::to_string(number); }, pointer);
    if (checked) return checked;
    const Error& error = checked.error();
    return fail(error.code, error.what, error.fix, fields_.place(error.where));
  }

  Result<void> read_events(const Value* events, const std::string& pointer, Case& result) const {
    if (events == nullptr) return {};
    for (size_t i = 0; i < events->size(); ++i) {
      const std::string here = json::child_pointer(pointer, i);
      if (auto checked = fields_.check(events->at(i), here, kEventFields); !checked) return checked;
      const Value* event = events->at(i).find("event");
      if (event == nullptr) return fields_.invalid(here, "There is no event.");
      CaseEvent read;
      if (const Value* after = events->at(i).find("after")) {
        const auto duration = text::parse_duration(after->as_string());
        if (!duration || duration->is_negative() || duration->months != 0)
          return fields_.invalid(here + "/after", "This is no duration such as PT5S.");
        read.after = duration->rest;
      }
      PAWL_TRY(read.event, read_event(*event, here + "/event", i + 1));
      result.events.push_back(std::move(read));
    }
    return {};
  }

  static void add_options(const Value& source, Case& result) {
    const Value* options = source.find("options");
    if (options == nullptr) return;
    for (const Value& option : options->items()) result.assignments.emplace_back(option.as_string());
  }

  Result<void> read_texts(const Value& source, const std::string& pointer, Case& result) {
    const Value* name = source.find("name");
    if (name == nullptr) return fields_.invalid(pointer, "The case has no name.");
    result.name = name->as_string();
    if (!names_.insert(result.name).second)
      return fields_.invalid(pointer + "/name", "Another case of this file has the name '" + result.name + "'.");
    if (result.definition_name.empty())
      return fields_.invalid(pointer, "Neither the case nor the file has a definition.");
    if (const Value* cites = source.find("cites")) result.cites = cites->as_string();
    if (const Value* skip = source.find("skip")) result.skip = std::string(skip->as_string());
    const Value* now = source.find("now");
    const auto instant = text::parse_timestamp(now != nullptr ? now->as_string() : kDefaultNow);
    if (!instant) return fields_.invalid(pointer + "/now", "This is no timestamp such as 2020-01-01T00:00:00Z.");
    result.now = instant->ceil_to_milliseconds();
    return {};
  }

  Result<void> read_input(const Value& source, const std::string& pointer, Case& result) const {
    const Value* input = source.find("input");
    const Value* input_text = source.find("input_text");
    if (input != nullptr && input_text != nullptr)
      return fields_.invalid(pointer, "There is an input and an input_text.");
    if (input != nullptr) result.input = *input;
    if (const Value* context = source.find("context")) result.context = *context;
    if (input_text == nullptr) return {};
    result.input_text = input_text->as_string();
    auto parsed = json::parse(result.input_text);
    if (!parsed) return fields_.invalid(pointer + "/input_text", "This is not JSON: " + to_string(parsed.error()));
    result.input = std::move(*parsed);
    return {};
  }

  Result<void> read_numbers(const Value& source, const std::string& pointer, Case& result) const {
    constexpr int64_t kEventsMax = 0xFFFFFFFF;
    if (const Value* seed = source.find("seed")) result.seed = static_cast<uint64_t>(*seed->as_integer());
    if (const Value* bytes = source.find("max_payload"))
      result.limits.payload_bytes_max = static_cast<size_t>(*bytes->as_integer());
    if (const Value* events = source.find("max_events")) {
      const int64_t number = *events->as_integer();
      if (number < 1 || number > kEventsMax)
        return fields_.invalid(pointer + "/max_events", "This is not from 1 to 4294967295.");
      result.limits.events_max = static_cast<uint32_t>(number);
    }
    return {};
  }

  Result<void> read_mocks(const Value* mocks, const std::string& pointer, Case& result) const {
    if (mocks == nullptr) return {};
    for (const json::Member& member : mocks->members()) {
      const std::string state(member.key.as_string());
      std::vector<connect::MockSpan>& spans = result.mocks[state];
      for (size_t i = 0; i < member.value.size(); ++i) {
        const std::string here = json::child_pointer(json::child_pointer(pointer, state), i);
        PAWL_TRY(connect::MockSpan span, read_response(member.value.at(i), here));
        const uint64_t first = spans.empty() ? 0 : spans.back().last + 1;
        span.last += first;
        span.first = first;
        spans.push_back(std::move(span));
      }
    }
    return {};
  }

  // A span that begins at 0.
  Result<connect::MockSpan> read_response(const Value& source, const std::string& pointer) const {
    using Kind = connect::MockResponse::Kind;
    if (auto checked = fields_.check(source, pointer, kResponseFields); !checked)
      return std::unexpected(checked.error());
    const Value* returned = source.find("return");
    const Value* thrown = source.find("throw");
    const Value* no_answer = source.find("no_answer");
    if ((returned != nullptr) + (thrown != nullptr) + (no_answer != nullptr) != 1)
      return fields_.invalid(pointer, "A response has one of return, throw and no_answer.");
    connect::MockSpan span;
    if (const Value* times = source.find("times")) {
      if (*times->as_integer() < 1) return fields_.invalid(pointer + "/times", "A response is for one call at least.");
      span.last = static_cast<uint64_t>(*times->as_integer()) - 1;
    }
    if (returned != nullptr) span.response = {Kind::kReturn, *returned};
    if (no_answer != nullptr) span.response.kind = Kind::kNoAnswer;
    if (thrown == nullptr) return span;
    PAWL_TRY(span.response.value, read_throw(*thrown, pointer + "/throw"));
    span.response.kind = Kind::kThrow;
    return span;
  }

  Result<Value> read_throw(const Value& thrown, const std::string& pointer) const {
    if (auto checked = fields_.check(thrown, pointer, kThrowFields); !checked) return std::unexpected(checked.error());
    json::ObjectBuilder error;
    if (const Value* name = thrown.find("error")) error.set("Error", *name);
    if (const Value* cause = thrown.find("cause")) error.set("Cause", *cause);
    return error.build();
  }

  Result<void> read_expect(const Value* expect, const std::string& pointer, Case& result) const {
    if (expect == nullptr || expect->size() == 0) return fields_.invalid(pointer, "The case expects nothing.");
    result.expect = *expect;
    return fields_.check(*expect, pointer + "/expect", kExpectFields);
  }

  Fields fields_;
  const std::string& path_;
  Case shared_;  // what the file says for all its cases
  std::set<std::string> names_;
};

}  // namespace

api::ReadFile read_beside(const std::string& definition) {
  return [folder = std::filesystem::path(definition).parent_path()](std::string_view path) {
    return read_file((folder / path).string(), std::string(path));
  };
}

Result<CaseFile> parse_case_file(std::string_view text, const std::string& path) {
  auto document = text::parse_definition(text);
  if (!document) {
    Error error = document.error();
    error.where = path + ":" + error.where;
    return std::unexpected(std::move(error));
  }
  return Reader(*document, path).read();
}

Result<CaseFile> read_case_file(const std::string& path) {
  PAWL_TRY(const std::string text, read_file(path, path));
  return parse_case_file(text, path);
}

}  // namespace pawl::cases
