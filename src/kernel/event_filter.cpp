#include "kernel/event_filter.h"

#include <algorithm>
#include <bit>

#include "json/print.h"

namespace pawl::kernel {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_same_name(std::string_view name, std::string_view lower_case) {
  return std::ranges::equal(name, lower_case, {}, lower);
}

std::optional<std::string> text_of(const Value& value) {
  if (value.is_string()) return std::string(value.as_string());
  if (value.is_number() || value.is_boolean()) return json::print(value);
  return std::nullopt;
}

// Two lanes of multiply, rotate and cross over, taken a word of eight bytes at a time.
class KeyHash {
 public:
  void add(std::string_view text) {
    take(text.size());
    for (size_t at = 0; at < text.size(); at += 8) take(word_of(text.substr(at, 8)));
  }
  EventKey finish() {
    take(words_);
    return {scramble(high_), scramble(low_)};
  }

 private:
  static uint64_t word_of(std::string_view bytes) {
    uint64_t word = 0;
    for (size_t i = 0; i < bytes.size(); ++i) word |= uint64_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
    return word;
  }
  static uint64_t scramble(uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ull;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBull;
    return word ^ (word >> 31);
  }
  void take(uint64_t word) {
    const uint64_t mixed = scramble(word + 0x9E3779B97F4A7C15ull * ++words_);
    high_ = std::rotl(high_ ^ mixed, 27) * 0xD6E8FEB86659FD93ull + low_;
    low_ = std::rotl(low_ + mixed, 33) * 0xA0761D6478BD642Full ^ high_;
  }

  uint64_t high_ = 0x243F6A8885A308D3ull;
  uint64_t low_ = 0x13198A2E03707344ull;
  uint64_t words_ = 0;
};

}  // namespace

std::string to_lower(std::string_view name) {
  std::string text(name);
  std::ranges::transform(text, text.begin(), lower);
  return text;
}

std::string to_hex(const EventKey& key) {
  std::string text;
  for (const uint64_t half : {key.high, key.low})
    for (int shift = 60; shift >= 0; shift -= 4) text += kHexDigits[(half >> shift) & 0xF];
  return text;
}

// --- filters

void EventFilter::add(std::string_view name, std::optional<std::string> value) {
  std::string key = to_lower(name);
  const auto at = std::ranges::lower_bound(attributes, key, {}, &EventAttribute::name);
  const bool is_there = at != attributes.end() && at->name == key;
  if (!is_there)
    attributes.insert(at, {std::move(key), std::move(value)});
  else if (!at->value)
    at->value = std::move(value);
}

Value EventFilter::to_value() const {
  json::ObjectBuilder named(attributes.size());
  for (const EventAttribute& attribute : attributes)
    named.set(attribute.name, attribute.value ? Value::string(*attribute.value) : Value());
  json::ObjectBuilder out(4);
  out.set("event", Value::string(event));
  out.set("source", Value::string(source));
  out.set("type", Value::string(type));
  out.set("attributes", named.build());
  return out.build();
}

std::optional<EventFilter> EventFilter::from_value(const Value& value) {
  EventFilter filter;
  for (const auto& [name, field] :
       {std::pair{"event", &filter.event}, std::pair{"source", &filter.source}, std::pair{"type", &filter.type}}) {
    const Value* text = value.find(name);
    if (text == nullptr || !text->is_string()) return std::nullopt;
    *field = text->as_string();
  }
  const Value* attributes = value.find("attributes");
  if (attributes == nullptr || !attributes->is_object()) return std::nullopt;
  for (const json::Member& member : attributes->members()) filter.add(member.key.as_string(), text_of(member.value));
  return filter;
}

bool matches(const EventFilter& filter, const Value& event) {
  const auto has = [&](std::string_view name, const std::string& wanted) {
    const Value* found = event.find(name);
    return wanted.empty() || (found != nullptr && found->is_string() && found->as_string() == wanted);
  };
  if (!has("type", filter.type) || !has("source", filter.source)) return false;
  return std::ranges::all_of(filter.attributes, [&](const EventAttribute& attribute) {
    const auto text = attribute_of(event, attribute.name);
    return text && (!attribute.value || *attribute.value == *text);
  });
}

// Events come with names as they were sent; nearly always these are lower-case already.
std::optional<std::string> attribute_of(const Value& event, std::string_view name) {
  if (!event.is_object()) return std::nullopt;
  if (const Value* found = event.find(name)) return text_of(*found);
  for (const json::Member& member : event.members())
    if (is_same_name(member.key.as_string(), name)) return text_of(member.value);
  return std::nullopt;
}

// --- keys

EventShape shape_of(const EventFilter& filter) {
  EventShape shape{filter.source, filter.type, {}, {}};
  for (const EventAttribute& attribute : filter.attributes)
    (attribute.value ? shape.fixed : shape.present).push_back(attribute.name);
  return shape;
}

namespace {

// The values of the fixed attributes are in the order of their names.
EventKey hash_of(const EventShape& shape, const std::vector<std::string>& values) {
  KeyHash hash;
  hash.add(shape.source);
  hash.add(shape.type);
  hash.add(std::to_string(shape.fixed.size()));
  for (const std::string& name : shape.fixed) hash.add(name);
  for (const std::string& name : shape.present) hash.add(name);
  for (const std::string& value : values) hash.add(value);
  return hash.finish();
}

}  // namespace

EventKey key_of(const EventFilter& filter) {
  std::vector<std::string> values;
  for (const EventAttribute& attribute : filter.attributes)
    if (attribute.value) values.push_back(*attribute.value);
  return hash_of(shape_of(filter), values);
}

std::optional<EventKey> key_of(const Value& event, const EventShape& shape) {
  const EventFilter asked{{}, shape.source, shape.type, {}};
  if (!matches(asked, event)) return std::nullopt;
  std::vector<std::string> values;
  for (const std::string& name : shape.fixed) {
    auto text = attribute_of(event, name);
    if (!text) return std::nullopt;
    values.push_back(*std::move(text));
  }
  const auto is_there = [&](const std::string& name) { return attribute_of(event, name).has_value(); };
  if (!std::ranges::all_of(shape.present, is_there)) return std::nullopt;
  return hash_of(shape, values);
}

}  // namespace pawl::kernel
