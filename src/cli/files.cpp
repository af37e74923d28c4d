#include "cli/files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/fetch.h"
#include "json/parse.h"
#include "net/url.h"

namespace pawl::cli {

namespace {

// Closes what it opened; standard input stays open.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : number_(path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)), owned_(path != "-") {}
  ~OpenFile() {
    if (owned_ && number_ >= 0) ::close(number_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int get() const { return number_; }

 private:
  int number_;
  bool owned_;
};

std::unexpected<Error> unreadable(const std::string& path, const char* why) {
  return fail("FILE_UNREADABLE", "The file cannot be read: " + std::string(why) + ".",
              "Check its name and your rights to it.", path);
}

std::unexpected<Error> too_large(const std::string& path, size_t bytes_max) {
  return fail("FILE_TOO_LARGE", "The file has more than " + std::to_string(bytes_max) + " bytes.",
              "Give a smaller file.", path);
}

Result<std::string> read_up_to(int file, const std::string& path, size_t bytes_max) {
  constexpr size_t kChunkBytes = 1 << 18;
  std::string text;
  for (;;) {
    const size_t before = text.size();
    text.resize(before + std::min(kChunkBytes, bytes_max + 1 - before));
    const ssize_t n = ::read(file, text.data() + before, text.size() - before);
    text.resize(before + static_cast<size_t>(std::max<ssize_t>(n, 0)));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return unreadable(path, std::strerror(errno));
    if (n == 0) return text;
    if (text.size() > bytes_max) return too_large(path, bytes_max);
  }
}

std::unexpected<Error> input_too_large(const std::string& where, size_t bytes_max) {
  return fail("INPUT_TOO_LARGE",
              "The input has more than " + std::to_string(bytes_max) + " bytes (States.DataLimitExceeded).",
              "Give less, or raise --max-payload.", where);
}

Result<std::string> input_text(const std::string& argument, size_t bytes_max, const std::string& where) {
  if (argument == "-" || argument.starts_with('@')) {
    auto text = read_file(argument == "-" ? argument : argument.substr(1), bytes_max);
    if (!text && text.error().code == "FILE_TOO_LARGE") return input_too_large(where, bytes_max);
    return text;
  }
  if (argument.size() > bytes_max) return input_too_large(where, bytes_max);
  return argument;
}

}  // namespace

Result<std::string> read_file(const std::string& path, size_t bytes_max) {
  const std::string name = path == "-" ? "standard input" : path;
  const OpenFile file(path);
  if (file.get() < 0) return unreadable(name, std::strerror(errno));
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) return unreadable(name, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) return unreadable(name, "it is a folder");
  if (S_ISREG(status.st_mode) && static_cast<size_t>(status.st_size) > bytes_max) return too_large(name, bytes_max);
  return read_up_to(file.get(), name, bytes_max);
}

bool may_be_definition(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  return extension == ".json" || extension == ".yaml" || extension == ".yml";
}

std::function<Result<std::string>(std::string_view path)> read_beside(const std::string& definition,
                                                                      Elsewhere elsewhere) {
  const std::filesystem::path folder = std::filesystem::path(definition).parent_path();
  return [folder, elsewhere](std::string_view given) -> Result<std::string> {
    if (elsewhere == Elsewhere::kFetch && net::is_http_url(given)) return fetch_document(std::string(given));
    const std::string_view path =
        given.starts_with("file:") ? given.substr(given.starts_with("file://") ? 7 : 5) : given;
    if (path.contains("://"))
      return fail("FILE_NOT_LOCAL", "Definitions refer to local files only.",
                  "Put the file beside the definition, and refer to it by its name.", std::string(given));
    return read_file((folder / path).string(), kDefinitionBytesMax);
  };
}

Result<Input> read_input(const std::optional<std::string>& argument, size_t bytes_max, const std::string& option) {
  if (!argument) return Input{};
  std::string where = option;
  if (*argument == "-") where = "standard input";
  if (argument->starts_with('@')) where = argument->substr(1);
  Input input;
  PAWL_TRY(input.text, input_text(*argument, bytes_max, where));
  auto parsed = json::parse(input.text);
  if (!parsed) {
    Error error = parsed.error();
    error.where = where + ":" + error.where;
    return std::unexpected(std::move(error));
  }
  input.value = std::move(*parsed);
  return input;
}

}  // namespace pawl::cli
