// A Map's label, reader, batcher, writer and the configuration of its processor.
#include <string>

#include "lang/asl/lint/characters.h"
#include "lang/asl/lint/objects.h"
#include "lang/asl/lint/rules.h"
#include "lang/asl/lint/values.h"

namespace pawl::asl {
namespace {

constexpr size_t kLabelCharactersMax = 40;

bool allowed_in_label(char32_t character) {
  constexpr std::string_view kForbidden = " ?*<>{}[]:;,\\|^~$#%&`\"";
  if (character < 0x20 || (character >= 0x7F && character <= 0x9F)) return false;
  return character > 0x7F || kForbidden.find(static_cast<char>(character)) == std::string_view::npos;
}

std::string_view label_problem(std::string_view label) {
  if (label.empty()) return "A label must not be empty.";
  size_t characters = 0;
  for (size_t offset = 0; offset < label.size(); ++characters)
    if (!allowed_in_label(next_character(label, offset))) return "The label has a character that is not allowed.";
  return characters > kLabelCharactersMax ? "A label has at most 40 characters." : "";
}

void check_label(const State& state, const Place& place, Context& context) {
  const Value* label = state.source.find("Label");
  if (label == nullptr || !label->is_string()) return;
  const std::string_view problem = label_problem(label->as_string());
  if (!problem.empty())
    context.findings.report(Code::kLabel, Place(place, "Label"), std::string(problem),
                            "Use 1 to 40 letters, digits, hyphens and underscores.");
}

void check_part(const Value& parent, std::string_view field, const Shape& shape, const Place& place, Context& context) {
  const Value* part = parent.find(field);
  if (part != nullptr && part->is_object()) check_object(*part, shape, Place(place, field), context);
}

void check_reader(const State& state, const Place& place, Context& context) {
  check_part(state.source, "ItemReader", item_reader_shape(), place, context);
  const Value* reader = state.source.find("ItemReader");
  if (reader != nullptr)
    check_part(*reader, "ReaderConfig", reader_config_shape(), Place(place, "ItemReader"), context);
}

void check_batcher(const State& state, const Place& place, Context& context) {
  check_part(state.source, "ItemBatcher", item_batcher_shape(), place, context);
  const Value* batcher = state.source.find("ItemBatcher");
  if (batcher == nullptr || !batcher->is_object()) return;
  for (const Field& field : item_batcher_shape().fields)
    if (field.name != "BatchInput" && batcher->find(field.name) != nullptr) return;
  context.findings.report(Code::kMissingField, Place(place, "ItemBatcher"),
                          "One of these fields is required: [MaxItemsPerBatch, MaxInputBytesPerBatch]",
                          "Say how many items, or how many bytes, a batch may have.", Findings::At::kKey);
}

void check_one_of(const Value& object, std::string_view field, std::string_view first, std::string_view second,
                  const Place& place, Context& context) {
  const Value* value = object.find(field);
  if (value == nullptr || !value->is_string() || value->as_string() == first || value->as_string() == second) return;
  context.findings.report(Code::kInvalidValue, Place(place, field), one_of_these(field, {first, second}),
                          "Write " + quoted(first) + " or " + quoted(second) + ".");
}

void check_processor(const State& state, std::string_view field, const Place& place, Context& context) {
  const Value* processor = state.source.find(field);
  const Value* config = processor == nullptr ? nullptr : processor->find("ProcessorConfig");
  if (config == nullptr || !config->is_object()) return;
  const Place outer(place, field);
  const Place here(outer, "ProcessorConfig");
  check_object(*config, processor_config_shape(), here, context);
  check_one_of(*config, "Mode", "INLINE", "DISTRIBUTED", here, context);
  check_one_of(*config, "ExecutionType", "STANDARD", "EXPRESS", here, context);
}

}  // namespace

void check_map(const State& state, const Place& place, Context& context) {
  check_label(state, place, context);
  check_reader(state, place, context);
  check_batcher(state, place, context);
  check_part(state.source, "ResultWriter", result_writer_shape(), place, context);
  check_processor(state, "ItemProcessor", place, context);
  check_processor(state, "Iterator", place, context);
}

}  // namespace pawl::asl
