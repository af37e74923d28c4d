// What the fields of a request must be, as a table, and the errors of those that are not.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "json/value.h"
#include "net/http_server_message.h"
#include "server/refusal.h"

namespace pawl::server {

using json::Value;

enum class FieldKind : uint8_t { kText, kInteger, kFlag, kObject, kList };

struct Field {
  std::string_view name;
  FieldKind kind = FieldKind::kText;
  bool required = false;
  int64_t min = 0;  // of a text: its characters; of a list: its items; of an integer: its value
  int64_t max = std::numeric_limits<int64_t>::max();
  std::string_view values = {};  // "STANDARD, EXPRESS": what the text may be; empty: anything
};

// The fields that many operations have.
inline constexpr Field kMaxResults{"maxResults", FieldKind::kInteger, false, 0, 1000};
inline constexpr Field kNextToken{"nextToken", FieldKind::kText, false, 1, 1024};

inline constexpr size_t kArnCharactersMax = 256;

// A request whose fields are what the table says. null counts as absent.
class Request {
 public:
  // Refusals: SerializationException for a wrong type, ValidationException for anything else; it names every field at
  // fault.
  static Outcome<Request> read(Value body, std::span<const Field> fields);

  const Value& body() const { return body_; }
  // Who asks; null where nobody can go away.
  const std::shared_ptr<net::HttpServerClient>& client() const { return client_; }
  void set_client(std::shared_ptr<net::HttpServerClient> client) { client_ = std::move(client); }
  bool has(std::string_view name) const { return find(name) != nullptr; }
  const Value* find(std::string_view name) const;  // null where absent
  std::string text(std::string_view name) const;   // empty where absent
  int64_t integer(std::string_view name, int64_t otherwise) const;
  bool flag(std::string_view name, bool otherwise) const;

 private:
  explicit Request(Value body) : body_(std::move(body)) {}
  Value body_;
  std::shared_ptr<net::HttpServerClient> client_;
};

}  // namespace pawl::server
