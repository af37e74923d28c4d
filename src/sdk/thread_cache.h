// Threads for the bodies of steps: made when wanted, kept for the next.
#pragma once

#include <functional>

namespace pawl::durable::detail {

// Runs the job on another thread, at once. How many run at a time is the callers' to bound. The job throws nothing.
void run_on_thread(std::function<void()> job);

}  // namespace pawl::durable::detail
