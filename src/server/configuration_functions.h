// The key `functions` of the configuration: which functions a server has, and the commands that run their code.
#pragma once

#include "server/configuration.h"

namespace pawl::server {

// {NAME: {command, …}, …}
Result<void> read_functions(const ConfigurationField& field, Configuration& out);

}  // namespace pawl::server
