// Many HTTP requests at a time, on connections that stay open, without a thread for each.
#pragma once

#include <functional>
#include <memory>

#include "base/ids.h"
#include "net/http_client.h"

namespace pawl::net {

using CallId = Id<struct CallTag, uint64_t>;  // given by the caller

inline constexpr size_t kConnectionsToAHostMax = 128;                      // further calls wait for their turn
inline constexpr Duration kIdleConnectionTime = std::chrono::seconds(30);  // then it is closed

// Lifecycle: the first call makes the thread; the destructor ends what is out, without an answer, and joins. Errors are
// those of send(), whose checks of certificates these calls make too.
//
// Concurrency: any thread may call. `done` is called on the client's own thread, once, and must not block.
//
// A request that a kept connection lost before the first byte of an answer is sent again, once, on a new one: a server
// may close a connection at the moment it is used. So a request may arrive twice; send() is for what must not.
class HttpCalls {
 public:
  using Done = std::move_only_function<void(Result<HttpResponse>)>;

  HttpCalls();
  ~HttpCalls();
  HttpCalls(const HttpCalls&) = delete;
  HttpCalls& operator=(const HttpCalls&) = delete;

  // The request's time counts from when it has its turn.
  void start(CallId id, HttpRequest request, Done done);
  // Ends it without an answer. Nothing where it has ended, or is not known.
  void cancel(CallId id);

 private:
  class Client;
  std::unique_ptr<Client> client_;
};

}  // namespace pawl::net
