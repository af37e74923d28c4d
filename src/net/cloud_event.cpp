#include "net/cloud_event.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "json/parse.h"
#include "json/print.h"
#include "json/utf8.h"
#include "net/base64.h"
#include "text/timestamp.h"

namespace pawl::net {

using json::Value;

namespace {

constexpr std::string_view kStructured = "application/cloudevents";
constexpr std::string_view kBatch = "application/cloudevents-batch";
constexpr std::string_view kPrefix = "ce-";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
  std::string lowered;
  for (const char c : text) lowered.push_back(lower(c));
  return lowered;
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool is_utf8(std::string_view text) { return json::find_invalid_utf8(text) == text.size(); }

// Without parameters and blanks.
std::string media_type_of(std::string_view content_type) {
  std::string_view type = content_type.substr(0, content_type.find(';'));
  while (!type.empty() && is_blank(type.back())) type.remove_suffix(1);
  while (!type.empty() && is_blank(type.front())) type.remove_prefix(1);
  return lower(type);
}

bool is_json(std::string_view media_type) {
  return media_type.empty() || media_type.ends_with("/json") || media_type.ends_with("+json");
}

// --- errors

std::unexpected<Error> fault(std::string_view code, std::string where, std::string what, std::string fix) {
  return std::unexpected(Error{std::string(code), std::move(where), std::move(what), std::move(fix)});
}

std::unexpected<Error> missing(const std::string& where, std::string_view name) {
  return fault("EVENT_ATTRIBUTE_MISSING", where + "/" + std::string(name),
               "An event has no '" + std::string(name) + "'.", "Give it one: CloudEvents 1.0 asks for it.");
}

std::unexpected<Error> bad_name(const std::string& where, std::string_view name) {
  return fault("EVENT_ATTRIBUTE_NAME", where, "'" + std::string(name) + "' is no name of an attribute.",
               "Use letters and digits only, each name once.");
}

std::unexpected<Error> bad_value(const std::string& where, std::string what) {
  return fault("EVENT_ATTRIBUTE_VALUE", where, std::move(what), "See the types of CloudEvents 1.0.");
}

std::unexpected<Error> too_large(const std::string& where) {
  return fault("EVENT_TOO_LARGE", where, "An event is larger than " + std::to_string(kEventBytesMax) + " bytes.",
               "Put the data elsewhere, and a reference to it into the event.");
}

std::unexpected<Error> no_json(const Error& error) {
  return fault("EVENT_JSON", error.where, "The body is no JSON: " + error.what, "Send JSON.");
}

// --- attributes

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= kAttributeNameCharactersMax && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
}

// What CloudEvents defines, in lower case; anything else as it is written.
std::string canonical(std::string_view name) {
  constexpr std::string_view kDefined[] = {"specversion", "id",   "source",          "type",       "subject",
                                           "time",        "data", "datacontenttype", "dataschema", "data_base64"};
  std::string lowered = lower(name);
  return std::ranges::find(kDefined, lowered) == std::end(kDefined) ? std::string(name) : lowered;
}

Result<void> check_data(const Value& event, const std::string& where) {
  const Value* encoded = event.find("data_base64");
  if (encoded == nullptr) return {};
  if (event.find("data") != nullptr)
    return bad_value(where + "/data_base64", "An event has both 'data' and 'data_base64'.");
  if (!encoded->is_string() || !decode_base64(encoded->as_string()))
    return bad_value(where + "/data_base64", "'data_base64' is no Base64.");
  return {};
}

Result<void> check_text(const Value& event, std::string_view name, const std::string& where) {
  const Value* value = event.find(name);
  if (value == nullptr || (value->is_string() && !value->as_string().empty())) return {};
  return bad_value(where + "/" + std::string(name), "'" + std::string(name) + "' is no text, or an empty one.");
}

Result<void> check_defined(const Value& event, const std::string& where) {
  for (const std::string_view name : {"specversion", "source", "type"})
    if (event.find(name) == nullptr) return missing(where, name);
  for (const std::string_view name :
       {"specversion", "id", "source", "type", "subject", "time", "datacontenttype", "dataschema"})
    if (auto checked = check_text(event, name, where); !checked) return checked;
  if (event.find("specversion")->as_string() != "1.0")
    return bad_value(where + "/specversion", "The event is of another version than CloudEvents 1.0.");
  const Value* time = event.find("time");
  if (time != nullptr && !text::parse_timestamp(time->as_string()))
    return bad_value(where + "/time", "'time' is no timestamp, as 2020-01-01T00:00:00Z.");
  return check_data(event, where);
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

bool may_be_attribute(const Value& value) {
  if (value.is_string()) return std::ranges::none_of(value.as_string(), is_control);
  if (value.is_boolean()) return true;
  return value.is_number() && value.as_integer().has_value();
}

}  // namespace

Result<Value> check_cloud_event(const Value& event, const MakeEventId& make_id, const std::string& where) {
  if (!event.is_object()) return fault("EVENT_JSON", where, "An event is no JSON object.", "Send an object.");
  json::ObjectBuilder read(event.size() + 1);
  std::set<std::string> names;
  for (const json::Member& member : event.members()) {
    if (member.value.is_null() && member.key != Value::string("data")) continue;  // as if it were not there
    const std::string name = canonical(member.key.as_string());
    const bool is_data = name == "data" || name == "data_base64";
    const std::string place = where + "/" + std::string(member.key.as_string());
    if ((!is_data && !is_name(name)) || !names.insert(lower(name)).second) return bad_name(place, name);
    if (!is_data && !may_be_attribute(member.value))
      return bad_value(place,
                       "An attribute is neither text without control characters, nor an integer, nor true or false.");
    read.set(name, member.value);
  }
  if (!names.contains("id")) read.set("id", Value::string(make_id()));
  Value checked = read.build();
  if (auto defined = check_defined(checked, where); !defined) return std::unexpected(defined.error());
  if (checked.json_size() > kEventBytesMax) return too_large(where);
  return checked;
}

// --- structured and batch

namespace {

Result<std::vector<Value>> read_batch(std::string_view body, const MakeEventId& make_id) {
  const auto read = json::parse(body);
  if (!read) return no_json(read.error());
  if (!read->is_array()) return fault("EVENT_JSON", "", "A batch is no JSON array.", "Send an array of events.");
  if (read->size() > kEventsInABatchMax)
    return fault("EVENT_TOO_LARGE", "", "A batch has more than " + std::to_string(kEventsInABatchMax) + " events.",
                 "Send several.");
  std::vector<Value> events;
  for (size_t i = 0; i < read->size(); ++i) {
    PAWL_TRY(Value event, check_cloud_event(read->at(i), make_id, "/" + std::to_string(i)));
    events.push_back(std::move(event));
  }
  return events;
}

Result<Value> read_structured(std::string_view body, const MakeEventId& make_id) {
  const auto read = json::parse(body);
  if (!read) return no_json(read.error());
  return check_cloud_event(*read, make_id);
}

// --- binary

int hex_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char letter = lower(c);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

// Double quotes around parts of it are taken away, and one round of percent encoding.
Result<std::string> decode_header(const std::string& name, std::string_view value) {
  std::string text;
  bool is_quoted = false;
  for (size_t i = 0; i < value.size(); ++i) {
    const bool is_escape =
        value[i] == '%' && i + 2 < value.size() && hex_of(value[i + 1]) >= 0 && hex_of(value[i + 2]) >= 0;
    if (value[i] == '"') {
      is_quoted = !is_quoted;
    } else if (is_quoted && value[i] == '\\' && i + 1 < value.size()) {
      text.push_back(value[++i]);
    } else if (is_escape) {
      text.push_back(static_cast<char>(hex_of(value[i + 1]) * 16 + hex_of(value[i + 2])));
      i += 2;
    } else {
      text.push_back(value[i]);
    }
  }
  if (!is_utf8(text)) return bad_value(name, "A header is no valid UTF-8.");
  return text;
}

Result<void> set_data(json::ObjectBuilder& event, const std::string& media_type, std::string_view body) {
  if (body.empty()) return {};
  if (is_json(media_type)) {
    const auto data = json::parse(body);
    if (!data) return no_json(data.error());
    event.set("data", *data);
  } else if (media_type.starts_with("text/") && is_utf8(body)) {
    event.set("data", Value::string(body));
  } else {
    event.set("data_base64", Value::string(encode_base64(body)));
  }
  return {};
}

Result<Value> read_binary(const HttpHeaders& headers, std::string_view body, const MakeEventId& make_id) {
  json::ObjectBuilder event;
  std::set<std::string> names;
  for (size_t i = 0; i < headers.size(); ++i) {
    const std::string header = lower(headers.name(i));
    if (!header.starts_with(kPrefix)) continue;
    const std::string name = header.substr(kPrefix.size());
    const bool is_allowed = is_name(name) && name != "datacontenttype" && name != "data" && names.insert(name).second;
    if (!is_allowed) return bad_name(header, name);
    PAWL_TRY(const std::string value, decode_header(header, headers.value(i)));
    event.set(name, Value::string(value));
  }
  const std::string_view content_type = headers.get("Content-Type");
  if (!content_type.empty() && is_utf8(content_type)) event.set("datacontenttype", Value::string(content_type));
  if (auto set = set_data(event, media_type_of(content_type), body); !set) return std::unexpected(set.error());
  return check_cloud_event(event.build(), make_id);
}

Result<std::vector<Value>> one(Result<Value> event) {
  if (!event) return std::unexpected(event.error());
  return std::vector<Value>{*std::move(event)};
}

}  // namespace

Result<std::vector<Value>> read_cloud_events(const HttpHeaders& headers, std::string_view body,
                                             const MakeEventId& make_id) {
  const std::string type = media_type_of(headers.get("Content-Type"));
  const bool is_batch = type.starts_with(kBatch);
  const bool is_structured = !is_batch && type.starts_with(kStructured);
  if (!is_batch && !is_structured) return one(read_binary(headers, body, make_id));
  const std::string_view form = std::string_view(type).substr(is_batch ? kBatch.size() : kStructured.size());
  if (!form.empty() && form != "+json")
    return fault("EVENT_MEDIA_TYPE", "Content-Type",
                 "Events in the form '" + std::string(form) + "' are not read here.",
                 "Send application/cloudevents+json.");
  return is_batch ? read_batch(body, make_id) : one(read_structured(body, make_id));
}

// --- writing

HttpEvent write_structured(const Value& event) {
  return {{{"Content-Type", "application/cloudevents+json; charset=utf-8"}}, json::print(event)};
}

namespace {

std::string encode_header(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = byte > 0x20 && byte < 0x7f && c != '"' && c != '%';
    if (is_plain) {
      encoded.push_back(c);
    } else {
      encoded += '%';
      encoded += kDigits[byte >> 4];
      encoded += kDigits[byte & 15];
    }
  }
  return encoded;
}

std::string body_of(const Value& event) {
  if (const Value* encoded = event.find("data_base64"); encoded != nullptr && encoded->is_string())
    return decode_base64(encoded->as_string()).value_or("");
  const Value* data = event.find("data");
  if (data == nullptr) return {};
  const Value* type = event.find("datacontenttype");
  const bool is_text =
      data->is_string() && type != nullptr && type->is_string() && !is_json(media_type_of(type->as_string()));
  return is_text ? std::string(data->as_string()) : json::print(*data);
}

}  // namespace

namespace {

// Whoever reads it would take its data for something else.
bool is_ambiguous(const Value& event, const std::string& media_type) {
  return media_type.starts_with(kStructured) || (event.find("data_base64") != nullptr && is_json(media_type));
}

}  // namespace

HttpEvent write_binary(const Value& event) {
  const Value* type = event.find("datacontenttype");
  const bool has_type = type != nullptr && type->is_string();
  if (is_ambiguous(event, has_type ? media_type_of(type->as_string()) : "")) return write_structured(event);
  HttpEvent written;
  written.body = body_of(event);
  if (has_type || !written.body.empty())
    written.headers.emplace_back("Content-Type", has_type ? std::string(type->as_string()) : "application/json");
  for (const json::Member& member : event.members()) {
    const std::string name = lower(member.key.as_string());
    if (name == "data" || name == "data_base64" || name == "datacontenttype" || !is_name(name)) continue;
    const std::string text =
        member.value.is_string() ? std::string(member.value.as_string()) : json::print(member.value);
    written.headers.emplace_back(std::string(kPrefix) + name, encode_header(text));
  }
  return written;
}

}  // namespace pawl::net
