// The bytes of a connection, with and without TLS.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string_view>

#include "sdk/http_connection.h"

namespace pawl::durable::detail {

// All calls throw HttpError, at the deadline too.
class Transport {
 public:
  using Deadline = HttpConnection::Deadline;

  virtual ~Transport() = default;
  virtual void write(std::string_view bytes, Deadline deadline) = 0;
  // At least one byte, or 0 at the end of the stream.
  virtual std::size_t read(std::span<char> into, Deadline deadline) = 0;
};

// Certificates are checked against AWS_CA_BUNDLE where set, else the system's.
std::unique_ptr<Transport> connect_to(const Endpoint& endpoint, Transport::Deadline deadline);

}  // namespace pawl::durable::detail
