// Which events a wait, or a start, is for, and the keys under which the two find each other.
//
// A filter asks for a source, a type and attributes; an attribute with a value must have it, one without must be there.
// A waiter is filed under the key of its filter. An event can be looked up under one key for each shape that filters of
// its source and type have: which attributes they fix, and which they only ask for.
//
// Names of attributes are compared without case, their values as text. Keys are stored: the hash never changes.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace pawl::kernel {

using json::Value;

struct EventAttribute {
  std::string name;                  // lower-case
  std::optional<std::string> value;  // none: it must be there, whatever it is

  friend bool operator==(const EventAttribute&, const EventAttribute&) = default;
};

struct EventFilter {
  std::string event;                       // the definition's name for it
  std::string source;                      // empty: any
  std::string type;                        // empty: any
  std::vector<EventAttribute> attributes;  // by name, each name once

  // Adds an attribute in its place; one that is there gets the value, where it has none. The name may have any case.
  void add(std::string_view name, std::optional<std::string> value);

  // {"event", "source", "type", "attributes": {name: value or null}}
  Value to_value() const;
  static std::optional<EventFilter> from_value(const Value& value);  // nothing where it is no filter

  friend bool operator==(const EventFilter&, const EventFilter&) = default;
};

// What filters have in common that are filed under keys made alike.
struct EventShape {
  std::string source;                // empty: any
  std::string type;                  // empty: any
  std::vector<std::string> fixed;    // names of attributes, sorted
  std::vector<std::string> present;  // sorted

  friend auto operator<=>(const EventShape&, const EventShape&) = default;
};

// 128 bits of hash over source, type, the names of all attributes and the values of those fixed.
struct EventKey {
  uint64_t high = 0;
  uint64_t low = 0;

  friend auto operator<=>(const EventKey&, const EventKey&) = default;
};

std::string to_hex(const EventKey& key);  // 32 digits

EventShape shape_of(const EventFilter& filter);
EventKey key_of(const EventFilter& filter);
// Under which a filter of this shape that the event passes is filed; nothing where no filter of the shape lets it pass.
std::optional<EventKey> key_of(const Value& event, const EventShape& shape);

bool matches(const EventFilter& filter, const Value& event);

// An attribute of a CloudEvent as text, by its lower-case name; nothing where it is absent, null, an array or an
// object.
std::optional<std::string> attribute_of(const Value& event, std::string_view name);

std::string to_lower(std::string_view name);  // ASCII

}  // namespace pawl::kernel
