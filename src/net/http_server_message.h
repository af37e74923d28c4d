// What the HTTP server hands over and takes back: the headers, a request, its answer, and the answer's head as bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pawl::net {

// The headers of a request, in the order they came, all texts in one block so that a request costs few allocations.
// Names are compared without regard to case. Views stay valid until the next add().
class HttpHeaders {
 public:
  void add(std::string_view name, std::string_view value);

  size_t size() const { return entries_.size(); }
  std::string_view name(size_t index) const { return text(entries_[index].begin, entries_[index].name_size); }
  std::string_view value(size_t index) const {
    const Entry& entry = entries_[index];
    return text(entry.begin + entry.name_size, entry.value_size);
  }

  std::optional<std::string_view> find(std::string_view name) const;  // the first of them
  std::string_view get(std::string_view name) const { return find(name).value_or(std::string_view()); }
  bool contains(std::string_view name) const { return find(name).has_value(); }

 private:
  struct Entry {
    uint32_t begin = 0;
    uint32_t name_size = 0;
    uint32_t value_size = 0;
  };
  std::string_view text(uint32_t begin, uint32_t size) const { return std::string_view(bytes_).substr(begin, size); }

  std::string bytes_;
  std::vector<Entry> entries_;
};

// The other side of a request, for whoever answers it late.
class HttpServerClient {
 public:
  virtual ~HttpServerClient() = default;
  // Calls `gone`, on the server's thread, where the client closes the connection before it has the answer, or has done
  // so. From any thread; a second call replaces the first. One that has sent more after its request is not watched.
  virtual void when_gone(std::function<void()> gone) = 0;
};

struct HttpServerRequest {
  std::string method;   // as it came: "POST"
  std::string target;   // path and query, as they came
  HttpHeaders headers;  // without the trailers of a chunked body
  std::string body;
  std::string peer;  // the address of the other side, without its port
  std::shared_ptr<HttpServerClient> client;
};

// Hands over the next piece of a body, or nothing where that was all: exactly once, now or later, from any thread. An
// empty piece writes nothing, and the source is asked again. One that is destroyed unused cuts the body off.
using SendPiece = std::move_only_function<void(std::optional<std::string>)>;

// A body that is made while it is sent. Called by the connection's thread, which must not be blocked. It is destroyed,
// by that thread too, when the body has ended, the client has gone or the server ends.
class HttpBodySource {
 public:
  virtual ~HttpBodySource() = default;
  // The client has taken the piece before: a slow one is not asked for, so that nothing piles up.
  virtual void next(SendPiece send) = 0;
  // What to write where no piece has come for a while, so that both sides notice when the other has gone; empty:
  // nothing.
  virtual std::string pulse() { return {}; }
};

struct HttpServerResponse {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;  // Date, Content-Type, Content-Length, Connection are made
  std::string body;
  std::string content_type = "application/json";     // empty: no such header
  std::unique_ptr<HttpBodySource> source = nullptr;  // of the body, in place of `body`
};

bool equals_ignoring_case(std::string_view a, std::string_view b);

// The answer that the server gives itself: {"message": …}. The message is a fixed text without quotes.
HttpServerResponse error_answer(int status, std::string_view message);

// Whether an answer may have a body and says its length.
bool status_has_body(int status);

// How the connection goes on after the answer, as its head says it.
struct HeadOptions {
  bool keep_alive = true;
  bool is_http_1_0 = false;  // keeps connections only where it says so
  std::string_view date;     // of the Date header
};

// Appends everything before the body. A header that has a line break or another control character in it, or a name that
// is none, is left out: it could begin another answer.
void append_head(std::string& out, const HttpServerResponse& response, const HeadOptions& options);

// "Sun, 06 Nov 1994 08:49:37 GMT"
std::string http_date(int64_t seconds_since_1970);

}  // namespace pawl::net
