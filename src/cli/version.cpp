// `pawl version`.
#include "cli/commands.h"
#include "cli/console.h"
#include "json/print.h"

namespace pawl::cli {

int version(bool json) {
  json::ObjectBuilder object;
  object.set("name", json::Value::string("pawl"));
  object.set("version", json::Value::string(PAWL_VERSION));
  print_line(json ? json::print(object.build()) : "pawl " PAWL_VERSION);
  return finish_output(kExitOk);
}

}  // namespace pawl::cli
