#include "cli/client_output.h"

#include "cli/commands.h"
#include "cli/console.h"
#include "json/print.h"

namespace pawl::cli {

using json::Value;

int conclude(const Result<Value>& answer, bool json) {
  if (!answer) {
    report(answer.error(), json);
    return kExitRefused;
  }
  print_value(*answer);
  return finish_output(kExitOk);
}

int conclude_list(const Result<void>& printed, bool json) {
  if (!printed) report(printed.error(), json);
  return finish_output(printed ? kExitOk : kExitRefused);
}

Result<void> print_pages(const Client& client, std::string_view operation, const Value& request, const char* items) {
  Value page_request = request;
  for (;;) {
    PAWL_TRY(const Value page, client.call(operation, page_request));
    const Value* list = page.find(items);
    if (list != nullptr && list->is_array())
      for (const Value& item : list->items()) print_line(json::print(item));
    const Value* next = page.find("nextToken");
    if (next == nullptr) return {};
    page_request = request.with_member("nextToken", *next);
  }
}

}  // namespace pawl::cli
