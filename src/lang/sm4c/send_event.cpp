// The sendEvent action: publishes an event.
#include "json/print.h"
#include "lang/sm4c/action_code.h"
#include "text/timestamp.h"

namespace pawl::sm4c {

namespace {

// A random UUID (RFC 9562, version 4).
std::string make_id(Random& random) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const uint64_t high = (random.next() & ~uint64_t{0xF000}) | 0x4000;
  const uint64_t low = (random.next() & ~(uint64_t{3} << 62)) | (uint64_t{2} << 62);
  std::string id;
  for (const uint64_t half : {high, low})
    for (int shift = 60; shift >= 0; shift -= 4) id += kDigits[(half >> shift) & 0xF];
  for (const size_t at : {20, 16, 12, 8}) id.insert(at, 1, '-');
  return id;
}

std::string execution_name(const kernel::Execution& execution) {
  const Value* part = execution.context().find("Execution");
  const Value* name = part == nullptr ? nullptr : part->find("Name");
  return name != nullptr && name->is_string() ? std::string(name->as_string()) : std::string();
}

// An attribute of a CloudEvent is text, a number or a boolean.
Value attribute_value(const Value& value) {
  return value.is_array() || value.is_object() ? Value::string(json::print(value)) : value;
}

class SendEvent final : public ActionCode {
 public:
  using ActionCode::ActionCode;

 protected:
  void begin(Frame& frame) const override {
    auto event = make_event(frame);
    if (!event) return fail(frame, event.error());
    frame.publish(*std::move(event));
    complete(frame, {});
  }

 private:
  const EventDefinition& definition() const { return *detail<SendEventAction>().event; }

  std::string source(const Frame& frame) const {
    if (!definition().event_source.empty()) return definition().event_source;
    const std::string instance = execution_name(frame.execution());
    return "/state-machines/" + frame.machine().deployed_name() + (instance.empty() ? "" : "/" + instance);
  }

  Attempt<Value> make_event(Frame& frame) const {
    json::ObjectBuilder event;
    event.set("specversion", Value::string("1.0"));
    event.set("id", Value::string(make_id(frame.turn().services().random())));
    event.set("source", Value::string(source(frame)));
    event.set("type", Value::string(definition().event_type.empty() ? definition().name : definition().event_type));
    event.set("subject", Value::string(definition().name));
    event.set("time", Value::string(text::format_timestamp(frame.turn().time())));
    if (auto added = add_attributes(frame, event); !added) return std::unexpected(std::move(added).error());
    const auto& expression = detail<SendEventAction>().expression;
    if (!expression) return event.build();
    auto data = frame.evaluate(*expression, frame.input());
    if (!data) return data;
    if (auto checked = frame.check_size(*data, "The data of the event"); !checked)
      return std::unexpected(std::move(checked).error());
    event.set("datacontenttype", Value::string("application/json"));
    event.set("data", *std::move(data));
    return event.build();
  }

  Attempt<void> add_attributes(const Frame& frame, json::ObjectBuilder& event) const {
    for (const auto& [name, data] : detail<SendEventAction>().attributes) {
      const auto value = frame.evaluate(data, frame.input());
      if (!value) return std::unexpected(value.error());
      const bool is_free = !event.contains(name) && name != "data" && name != "datacontenttype";
      if (is_free && !value->is_null()) event.set(name, attribute_value(*value));
    }
    return {};
  }
};

}  // namespace

NodeCodePtr compile_send_event(const Action& action) { return std::make_unique<SendEvent>(action); }

}  // namespace pawl::sm4c
