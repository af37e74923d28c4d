// The machines as text. See definitions.h.
#pragma once

#include <string_view>

namespace pawl::sim {

inline constexpr std::string_view kSorted = R"json({
"StartAt":"Look","States":{
 "Look":{"Type":"Choice","Choices":[
   {"Variable":"$.x","NumericGreaterThan":50,"Next":"Big"},
   {"Variable":"$.x","NumericLessThanEquals":10,"Next":"Tiny"}],"Default":"Small"},
 "Big":{"Type":"Pass","Result":{"size":"big"},"ResultPath":"$.seen","Next":"Done"},
 "Small":{"Type":"Pass","Result":{"size":"small"},"ResultPath":"$.seen","Next":"Done"},
 "Tiny":{"Type":"Fail","Error":"Tiny","Cause":"It is too small."},
 "Done":{"Type":"Succeed","OutputPath":"$.seen"}}})json";

inline constexpr std::string_view kNap = R"json({
"StartAt":"Nap","States":{"Nap":{"Type":"Wait","SecondsPath":"$.wait","End":true}}})json";

inline constexpr std::string_view kChain = R"json({
"StartAt":"One","States":{
 "One":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:000000000000:function:double","TimeoutSeconds":20,
   "ResultSelector":{"x.$":"$.value"},
   "Retry":[{"ErrorEquals":["States.ALL"],"IntervalSeconds":2,"BackoffRate":1.5,"MaxDelaySeconds":60,"MaxAttempts":1000}],
   "Next":"Two"},
 "Two":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:000000000000:function:double",
   "ResultSelector":{"x.$":"$.value"},
   "Retry":[{"ErrorEquals":["States.ALL"],"IntervalSeconds":1,"BackoffRate":1,"MaxAttempts":1000}],"Next":"Three"},
 "Three":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:000000000000:function:double","TimeoutSeconds":3600,
   "ResultSelector":{"x.$":"$.value"},
   "Retry":[{"ErrorEquals":["States.ALL"],"IntervalSeconds":1,"BackoffRate":2,"MaxDelaySeconds":30,"MaxAttempts":1000}],
   "End":true}}})json";

inline constexpr std::string_view kSpread = R"json({
"StartAt":"Each","States":{"Each":{"Type":"Map","ItemsPath":"$.items","MaxConcurrency":2,"End":true,
 "ItemProcessor":{"StartAt":"Double","States":{
  "Double":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:000000000000:function:double","TimeoutSeconds":30,
    "ResultSelector":{"x.$":"$.value"},"Next":"Rest",
    "Retry":[{"ErrorEquals":["States.ALL"],"IntervalSeconds":3,"BackoffRate":1,"MaxAttempts":1000}]},
  "Rest":{"Type":"Wait","Seconds":2,"Next":"Pick"},
  "Pick":{"Type":"Pass","OutputPath":"$.x","End":true}}}}}})json";

inline constexpr std::string_view kSides = R"json({
"StartAt":"Sides","States":{"Sides":{"Type":"Parallel","End":true,"Branches":[
 {"StartAt":"Wait","States":{"Wait":{"Type":"Wait","Seconds":30,"Next":"Waited"},
   "Waited":{"Type":"Pass","Result":"waited","End":true}}},
 {"StartAt":"Double","States":{
   "Double":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:000000000000:function:double",
     "ResultSelector":{"x.$":"$.value"},"TimeoutSeconds":40,"End":true,
     "Retry":[{"ErrorEquals":["States.ALL"],"IntervalSeconds":5,"BackoffRate":1,"MaxAttempts":1000}]}}},
 {"StartAt":"Call","States":{
   "Call":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke.waitForTaskToken",
     "Parameters":{"token.$":"$$.Task.Token","x.$":"$.x"},"TimeoutSeconds":60,"HeartbeatSeconds":15,
     "ResultSelector":{"x.$":"$.value"},"End":true,
     "Catch":[{"ErrorEquals":["States.ALL"],"Next":"GaveUp"}]},
   "GaveUp":{"Type":"Pass","Result":"gave up","End":true}}}]}}})json";

inline constexpr std::string_view kDesk = R"json({
"StartAt":"Ask","States":{
 "Ask":{"Type":"Task","Resource":"arn:aws:states:us-east-1:000000000000:activity:desk","TimeoutSeconds":300,
   "HeartbeatSeconds":20,"ResultSelector":{"x.$":"$.value"},"End":true,
   "Retry":[{"ErrorEquals":["States.Timeout","States.HeartbeatTimeout"],"IntervalSeconds":1,"MaxAttempts":2}],
   "Catch":[{"ErrorEquals":["States.ALL"],"Next":"GaveUp"}]},
 "GaveUp":{"Type":"Pass","Result":"gave up","End":true}}})json";

inline constexpr std::string_view kBrittle = R"json({
"StartAt":"Try","States":{
 "Try":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:000000000000:function:double","TimeoutSeconds":10,
   "ResultSelector":{"x.$":"$.value"},"End":true}}})json";

inline constexpr std::string_view kHurry = R"json({
"TimeoutSeconds":100,"StartAt":"Rest","States":{
 "Rest":{"Type":"Wait","Seconds":30,"Next":"Try"},
 "Try":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:000000000000:function:double",
   "ResultSelector":{"x.$":"$.value"},"Next":"RestAgain",
   "Retry":[{"ErrorEquals":["States.ALL"],"IntervalSeconds":5,"MaxAttempts":1000}]},
 "RestAgain":{"Type":"Wait","Seconds":30,"End":true}}})json";

inline constexpr std::string_view kRounds = R"json({
"StartAt":"Count","States":{
 "Count":{"Type":"Pass","Parameters":{"n.$":"States.MathAdd($.n, 1)","x.$":"$.x"},"Next":"Enough"},
 "Enough":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericGreaterThanEquals":4,"Next":"Done"}],"Default":"Rest"},
 "Rest":{"Type":"Wait","Seconds":600,"Next":"Count"},
 "Done":{"Type":"Succeed"}}})json";

inline constexpr std::string_view kLong = R"json({
"StartAt":"Count","States":{
 "Count":{"Type":"Pass","Parameters":{"n.$":"States.MathAdd($.n, 1)"},"Next":"Enough"},
 "Enough":{"Type":"Choice","Choices":[{"Variable":"$.n","NumericGreaterThanEquals":1100,"Next":"Done"}],"Default":"Count"},
 "Done":{"Type":"Succeed"}}})json";

inline constexpr std::string_view kRace = R"json({
"StartAt":"Race","States":{
 "Race":{"Type":"Parallel","Next":"Lost","Catch":[{"ErrorEquals":["Worker.Broken"],"Next":"Caught"}],"Branches":[
  {"StartAt":"Break","States":{"Break":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:000000000000:function:break",
    "End":true}}},
  {"StartAt":"Never","States":{"Never":{"Type":"Task","Resource":"arn:aws:lambda:us-east-1:000000000000:function:never",
    "End":true}}},
  {"StartAt":"Ask","States":{"Ask":{"Type":"Task","Resource":"arn:aws:states:us-east-1:000000000000:activity:desk",
    "ResultPath":null,"Next":"Sleep"},"Sleep":{"Type":"Wait","Seconds":86400,"End":true}}},
  {"StartAt":"Each","States":{"Each":{"Type":"Map","ItemsPath":"$.items","End":true,"ItemProcessor":{
    "StartAt":"Call","States":{"Call":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke.waitForTaskToken",
      "Parameters":{"token.$":"$$.Task.Token"},"ResultPath":null,"Next":"Hold"},
      "Hold":{"Type":"Wait","Seconds":86400,"End":true}}}}}}]},
 "Lost":{"Type":"Fail","Error":"Lost"},
 "Caught":{"Type":"Pass","Result":"caught","End":true}}})json";

inline constexpr std::string_view kToken = R"json({
"StartAt":"Call","States":{
 "Call":{"Type":"Task","Resource":"arn:aws:states:::sqs:sendMessage.waitForTaskToken",
   "Parameters":{"token.$":"$$.Task.Token","x.$":"$.x"},"ResultSelector":{"x.$":"$.value"},"End":true}}})json";

}  // namespace pawl::sim
