// A thread that lends itself to the shards.
//
// A message wakes the thread of its shard, and the answer wakes the thread that asked: on a machine that has nothing
// else to do these two changes take longer than the turn between them. A thread that will soon have nothing to do can
// say so, and move the shard itself.
//
//   {
//     const Lending lending;
//     engine.request(…);      // lies in the inbox of a shard that rests, and wakes nobody
//   }
//   …                         // other requests
//   engine.help();            // soon, always: one message alone is dealt with here, anything else wakes the shard
#pragma once

namespace pawl::engine {

class Inbox;

class Lending {
 public:
  Lending();
  ~Lending();
  Lending(const Lending&) = delete;
  Lending& operator=(const Lending&) = delete;

  // For an inbox that has got its only message. Whether this thread looks after it, so that nobody is to be woken.
  static bool takes(Inbox& inbox);
  // What this thread has to look after, once; null: nothing.
  static Inbox* take_over();

 private:
  const bool was_lent_;
};

}  // namespace pawl::engine
