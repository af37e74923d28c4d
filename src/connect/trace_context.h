// W3C Trace Context: the headers that let a task's own traces be found beside its execution.
//
// The trace is that of the request which started the execution, where it brought one, and else one that follows from
// the execution; the span follows from the task and its attempt. So both stay the same when a task is called again.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/task.h"

namespace pawl::connect {

// The label of an execution's start that continues a trace, and the header of a request.
inline constexpr std::string_view kTraceParent = "traceparent";

// Whether the text is a traceparent that can be continued: 00-TRACE-SPAN-FLAGS, neither id all zeros.
bool is_trace_parent(std::string_view text);

// The same as the header of AWS X-Ray has it: "Root=1-67891233-abcdef012345678912345678;Parent=…;Sampled=1".
std::optional<std::string> trace_parent_of_xray(std::string_view header);

// What the header of a task's request says. `seed` tells the executions of one data directory from those of others.
std::string trace_parent_of(const engine::TaskRequest& request, std::string_view seed);

// Adds the headers, where whoever set the task up did not say them.
void add_trace_context(std::vector<std::pair<std::string, std::string>>& headers, const engine::TaskRequest& request,
                       std::string_view seed);

}  // namespace pawl::connect
