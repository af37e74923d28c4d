// The facts of an execution as server-sent events, as they become durable.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/engine.h"
#include "net/http_server.h"
#include "server/catalog.h"

namespace pawl::server {

struct FactStreamRequest {
  uint64_t after = 0;      // the client has the facts up to this one
  bool as_events = false;  // in the shape of AWS's history, as far as they show in it
  std::shared_ptr<const Compiled> code;
  json::Value qualifiers;  // the version and the alias that the execution was started by
};

// Answers with one event a fact, whose id is the fact's number, and an event "end" after the execution's end; with 204,
// which tells a browser not to come back, where the execution has ended and the client has everything.
//
// Facts are read when the client has taken those before: a slow client holds up nobody, and nothing piles up for it. A
// notice of the engine only wakes the stream.
void open_fact_stream(engine::Engine& engine, const store::ExecutionRow& row, FactStreamRequest request,
                      net::Respond respond);

}  // namespace pawl::server
