// The rules of the state types and of the machines, each in a file of its own.
#pragma once

#include <string_view>
#include <unordered_map>

#include "lang/asl/lint/context.h"
#include "lang/asl/model.h"

namespace pawl::asl {

// choices.cpp: the rules of a Choice.
void check_choices(const State& state, const Place& place, Context& context);

// errors.cpp: Retry and Catch.
void check_retry_and_catch(const State& state, const Place& place, Context& context);

// tasks.cpp: Resource, timeouts, Credentials.
void check_task(const State& state, const Place& place, Context& context);

// maps.cpp: a Map's label, reader, batcher, writer and processor.
void check_map(const State& state, const Place& place, Context& context);

// flow.cpp: where states go to. The names are those of the whole definition, with the machine that holds each.
using StateNames = std::unordered_map<std::string_view, const Machine*>;
void check_next_or_end(const State& state, const Place& place, Context& context);
void check_flow(const Machine& machine, const StateNames& names, Context& context);
StateNames check_names(const Machine& machine, Context& context);

// unsupported.cpp: what Pawl cannot run yet.
void check_unsupported(const Machine& machine, Context& context);

// The language of a state: its own, else its machine's. Anything but "JSONata" counts as JSONPath.
Language language_of(const Value& source, Language inherited);

}  // namespace pawl::asl
