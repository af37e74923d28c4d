// A server for as long as some work takes, or until a signal ends it.
#pragma once

#include <functional>
#include <stop_token>

#include "cli/commands.h"
#include "server/server.h"

namespace pawl::cli {

// Called when the server listens; ends when it is asked to stop.
using ServerWork = std::function<void(const server::Server& server, const std::stop_token& stop)>;

// The exit code of the command.
int serve_while(const ServeOptions& options, const ServerWork& work);

}  // namespace pawl::cli
