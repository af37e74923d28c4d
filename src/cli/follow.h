// `pawl history --follow`: an execution's events as they happen, from the server's stream.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "cli/commands.h"

namespace pawl::cli {

int follow_history(const ClientOptions& options);

// One server-sent event.
struct StreamEvent {
  std::string id;
  std::string type;  // empty: none
  std::string data;
};

// Takes the bytes of a stream as they come, in any pieces, and gives its events. Comments are passed over.
class EventReader {
 public:
  explicit EventReader(std::function<void(const StreamEvent&)> on_event) : on_event_(std::move(on_event)) {}
  void feed(std::string_view bytes);

 private:
  void take_line(std::string_view line);

  std::function<void(const StreamEvent&)> on_event_;
  std::string unread_;  // a line that has not come as a whole
  StreamEvent event_;
};

// A text as one part of a URL's path.
std::string as_path_part(std::string_view text);

}  // namespace pawl::cli
