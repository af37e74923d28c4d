// Data filters and merging: how data comes into a state, an action and an event's wait, and out of them.
//
// A state's filters replace its data by what they select. The filters of actions, events and errors say what is added
// to the state's data, under the last name of their path ("$.payload.greeting" adds "greeting").
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "json/value.h"
#include "lang/serverless/expression.h"
#include "lang/serverless/model.h"
#include "lang/serverless/options.h"

namespace pawl::serverless {

// --- State filters ---------------------------------------------------------------------------------------------------
// What the filter selects; `data` itself where there is no filter or it selects nothing.
Result<Value> filter_state(const std::optional<Expression>& filter, const Value& data, const Options& options);

// --- Actions ---------------------------------------------------------------------------------------------------------
// The data that an action's parameters see.
Result<Value> action_input(const ActionFilter& filter, const Value& data);
// State data with an action's result added. `name` is the key for a result that is no object and has no filter: the
// action's name, else the function's (Action::name has the right one). Error: SW_MERGE where `data` is no object.
Result<Value> add_action_result(const ActionFilter& filter, std::string_view name, const Value& data,
                                const Value& result);
// The same for the output of a sub-workflow or a branch, which has no filter.
Result<Value> add_output(std::string_view name, const Value& data, const Value& output);

// --- Events ----------------------------------------------------------------------------------------------------------
// State data with an event (a CloudEvent as JSON) added: what the filter selects in the event, else in its payload;
// without a filter the payload's members, then extension attributes that are not there yet, spelled as the definition's
// correlation spells them. Error: SW_MERGE.
Result<Value> add_event(const std::optional<Expression>& filter, const EventDefinition& definition, const Value& data,
                        const Value& event);

// --- Errors ----------------------------------------------------------------------------------------------------------
// What the expressions of retry and onError see: the state data with the error as "error", "errors", "exception" and
// "exceptions". `error` is {"name", "message", "trace"}, or null where the state ended well. Data that is no object is
// left out.
Value error_view(const Value& data, const Value& error);
// State data with the error added: what the filter selects in the view, else in the error itself; without a filter
// under "error". Error: SW_MERGE.
Result<Value> add_error(const std::optional<Expression>& filter, const Value& data, const Value& error);

// --- ForEach ---------------------------------------------------------------------------------------------------------
// The array that inputCollection selects. Error: SW_NOT_AN_ARRAY.
Result<Value> input_collection(const Expression& collection, const Value& data);
// State data with the results appended to the array at outputCollection, which is made where it is missing. Errors:
// SW_NOT_AN_ARRAY, SW_MERGE (the path leads through something that is no object).
Result<Value> add_collection(const Expression& collection, const Value& data, const Value& results);
// An iteration's element among the results, from what its actions gave, in their order: of one action its result (what
// the filter selects in it), of several an object with all of them added, of none an empty object.
Result<Value> iteration_result(const Body& body, std::span<const Value> action_results);

}  // namespace pawl::serverless
