// Texts that the server hands out and gets back: task tokens, page tokens. Each is signed with the data directory's
// key, so that one which was altered, or comes from elsewhere, is known as such.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace pawl::server {

// Immutable: any thread may use it.
class Signer {
 public:
  explicit Signer(std::string key) : key_(std::move(key)) {}

  // Reads the file `key` of the data directory, or makes it, readable by its owner only.
  // Errors: SERVE_KEY_UNREADABLE, SERVE_KEY_UNWRITABLE.
  static Result<Signer> open(const std::string& directory);

  // Puts the key of one data directory into another. Errors: as for open().
  static Result<void> copy_key(const std::string& from, const std::string& to);

  // `purpose` keeps a token of one kind from being taken for another. The result has letters, digits, '-', '_' and '.'.
  std::string sign(std::string_view purpose, std::string_view text) const;
  // The text; nothing where the signature is not ours.
  std::optional<std::string> verify(std::string_view purpose, std::string_view token) const;

 private:
  std::string signature_of(std::string_view purpose, std::string_view text) const;

  std::string key_;
};

}  // namespace pawl::server
