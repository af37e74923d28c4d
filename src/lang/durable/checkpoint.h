// Records what a checkpoint says: facts of the ledger, and of what its entries wait for.
#pragma once

#include "kernel/turn.h"
#include "lang/durable/update.h"

namespace pawl::functions {

void record(const Update& update, kernel::Turn& turn);
void append_checkpoint(uint32_t next_sequence, Value client, Value digest, kernel::Turn& turn);

}  // namespace pawl::functions
