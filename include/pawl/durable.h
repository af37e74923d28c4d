// Durable functions in C++: code that runs for a year, through crashes and restarts, on AWS Lambda and on Pawl.
//
//   #include <pawl/durable.h>
//   namespace durable = pawl::durable;
//
//   durable::Task<std::string> greet(durable::Context& ctx, std::string name) {
//     const std::string text = co_await ctx.step("compose", [&] { return "Hello, " + name; });
//     co_await ctx.wait("cool-off", 24h);
//     co_await ctx.step("send", [&] { send(text); });
//     co_return text;
//   }
//   int main() { return durable::serve("greet", greet); }
//
// The function is run again from its beginning whenever it goes on; operations that have ended give what they gave. The
// guide with the rules that follow from that is docs/durable-functions.md. For tests: pawl/durable_testing.h. To invoke
// functions and to answer callbacks from other programs: pawl/durable_client.h.
#pragma once

#include "pawl/durable/batch.h"
#include "pawl/durable/context.h"
#include "pawl/durable/errors.h"
#include "pawl/durable/future.h"
#include "pawl/durable/handler.h"
#include "pawl/durable/json.h"
#include "pawl/durable/log.h"
#include "pawl/durable/options.h"
#include "pawl/durable/serdes.h"
#include "pawl/durable/service.h"
#include "pawl/durable/task.h"
#include "pawl/durable/types.h"
