// How an operation of the protocol says no.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace pawl::server {

// AWS's name of the error and its message.
struct Refusal {
  std::string type;
  std::string message;
  int status = 400;
  bool is_overload = false;  // the client should come back a little later

  friend bool operator==(const Refusal&, const Refusal&) = default;
};

template <typename T>
using Outcome = std::expected<T, Refusal>;

[[nodiscard]] inline std::unexpected<Refusal> refuse(std::string_view type, std::string message) {
  return std::unexpected(Refusal{std::string(type), std::move(message)});
}

// "Invalid Name: 'a b'": a title and what it is about.
[[nodiscard]] inline std::unexpected<Refusal> refuse_about(std::string_view type, std::string_view title,
                                                           std::string_view what) {
  return refuse(type, std::string(title) + ": '" + std::string(what) + "'");
}

}  // namespace pawl::server
