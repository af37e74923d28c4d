// What calls to endpoints and commands have in common: how their texts become answers.
#pragma once

#include <string>
#include <string_view>

#include "connect/mapped_tasks.h"

namespace pawl::connect {

inline constexpr size_t kCauseTextBytesMax = 4096;  // of a body or of standard error in a Cause

// The bytes with U+FFFD for each that is not UTF-8.
std::string utf8_text(std::string_view bytes);

// Valid UTF-8 of a bounded size, without the blanks around it: what may stand in a Cause.
std::string presentable(std::string_view bytes);

// A failure of the task, with the target's secrets struck from its cause.
TaskAnswer failure(const TaskTarget& target, std::string_view error, const std::string& cause);

// The text that came back, as JSON; none (blank) is null. `source` begins the cause where it is not JSON.
TaskAnswer json_answer(const TaskTarget& target, const std::string& source, std::string_view text);

// What an answer with a status outside of 2xx means; `source` begins the cause: "GET https://…".
TaskAnswer refusal(const TaskTarget& target, const std::string& source, const net::HttpResponse& response);

// What it means that no answer came.
TaskAnswer no_answer(const TaskTarget& target, const TaskRequest& request, const std::string& source,
                     const Error& error);

TaskAnswer too_large(const TaskRequest& request);

// The shorter of the target's timeout and the state's.
std::optional<Duration> timeout_of(const TaskTarget& target, const TaskRequest& request);

}  // namespace pawl::connect
