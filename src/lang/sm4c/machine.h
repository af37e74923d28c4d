// What runs beside the states of a machine: the mailbox, the timeout, and calls that are not waited for.
//
// A machine that needs none of them runs its states in the root scope. Any other is a node of its own in the root
// scope, whose join has the mailbox, the timekeeper and the states as its first children, and a child for each call.
#pragma once

#include <optional>
#include <vector>

#include "lang/sm4c/frame.h"

namespace pawl::sm4c {

inline constexpr size_t kMailEventsMax = 1000;  // then the mailbox takes no more in until something is taken out
inline constexpr size_t kMailBytesMax = 1 << 20;
inline constexpr size_t kCompanyMax = 1'000'000;  // children of a machine: its history is full before

// Whether anything runs beside the states.
bool has_company(const StateMachine& machine);

// The scope that the states run in; none where it is closed.
std::optional<ScopeId> states_scope(const Frame& frame);

// The machine's data as far as the states have come.
Value data_so_far(const Frame& frame);

// The events that came and were not taken, oldest first.
Value mail(const Frame& frame);
// Takes events out, by their places in mail().
void take_mail(const Frame& frame, const std::vector<size_t>& places);

// Makes a call that nobody waits for.
void call_detached(const Frame& frame, StateOrdinal node, Value input);

}  // namespace pawl::sm4c
