#include "server/signer.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "net/hmac.h"

namespace pawl::server {

namespace {

constexpr size_t kKeyBytes = 32;
constexpr size_t kSignatureBytes = 16;  // of the digest: enough against guessing, and tokens stay short
constexpr std::string_view kHexDigits = "0123456789abcdef";

std::string to_hex(std::string_view bytes) {
  std::string out;
  out.reserve(2 * bytes.size());
  for (const unsigned char byte : bytes) {
    out += kHexDigits[byte >> 4];
    out += kHexDigits[byte & 15];
  }
  return out;
}

std::unexpected<Error> unwritable(const std::string& path) {
  return fail("SERVE_KEY_UNWRITABLE",
              "The key of the data directory cannot be written: " + std::string(std::strerror(errno)) + ".",
              "Check the directory's owner and the space on the disk.", path);
}

// Written beside its place and moved there, so that no crash leaves half a key.
Result<void> write_key(const std::string& key, const std::string& directory, const std::string& path) {
  const std::string draft = path + ".new";
  const int file = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return unwritable(draft);
  const bool written = ::write(file, key.data(), key.size()) == static_cast<ssize_t>(key.size()) && ::fsync(file) == 0;
  ::close(file);
  if (!written || ::rename(draft.c_str(), path.c_str()) != 0) return unwritable(path);
  const int folder = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool synced = folder >= 0 && ::fsync(folder) == 0;
  if (folder >= 0) ::close(folder);
  if (!synced) return unwritable(path);
  return {};
}

std::string key_path(const std::string& directory) { return directory + "/key"; }

}  // namespace

Result<Signer> Signer::open(const std::string& directory) {
  const std::string path = key_path(directory);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0 && errno == ENOENT) {
    std::string key = net::random_secret(kKeyBytes);
    if (auto written = write_key(key, directory, path); !written) return std::unexpected(written.error());
    return Signer(std::move(key));
  }
  std::array<char, kKeyBytes + 1> bytes{};
  const ssize_t size = file < 0 ? -1 : ::read(file, bytes.data(), bytes.size());
  if (file >= 0) ::close(file);
  if (size != static_cast<ssize_t>(kKeyBytes))
    return fail("SERVE_KEY_UNREADABLE", "The key of the data directory cannot be read, or is damaged.",
                "Restore the file from a backup: without it, tasks that wait for their tokens cannot be answered.",
                path);
  return Signer(std::string(bytes.data(), kKeyBytes));
}

Result<void> Signer::copy_key(const std::string& from, const std::string& to) {
  PAWL_TRY(const Signer signer, open(from));
  return write_key(signer.key_, to, key_path(to));
}

std::string Signer::signature_of(std::string_view purpose, std::string_view text) const {
  const std::string digest = net::hmac_sha256(key_, std::string(purpose) + '\0' + std::string(text));
  return to_hex(std::string_view(digest).substr(0, kSignatureBytes));
}

std::string Signer::sign(std::string_view purpose, std::string_view text) const {
  return std::string(text) + "." + signature_of(purpose, text);
}

std::optional<std::string> Signer::verify(std::string_view purpose, std::string_view token) const {
  const size_t dot = token.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view text = token.substr(0, dot);
  if (!net::equal_in_constant_time(token.substr(dot + 1), signature_of(purpose, text))) return std::nullopt;
  return std::string(text);
}

}  // namespace pawl::server
