#include "store/chunk_codec.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "json/parse.h"
#include "json/print.h"

namespace pawl::store {
namespace {

using json::Value;
using kernel::Fact;
using kernel::FactKind;

Value parsed(std::string_view text) { return json::parse(text).value(); }

Fact state_fact(FactKind kind, uint32_t event, Value value) {
  Fact fact;
  fact.kind = kind;
  fact.scope = ScopeId(1);
  fact.state = StateOrdinal(3);
  fact.event = EventId(event);
  fact.previous_event = EventId(event - 1);
  fact.time = Timestamp(Duration(1'600'000'000'000));
  fact.value = std::move(value);
  return fact;
}

void expect_same(const Fact& a, const Fact& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.operation_kind, b.operation_kind);
  EXPECT_EQ(a.on_chain, b.on_chain);
  EXPECT_EQ(a.scope, b.scope);
  EXPECT_EQ(a.parent, b.parent);
  EXPECT_EQ(a.state, b.state);
  EXPECT_EQ(a.next, b.next);
  EXPECT_EQ(a.operation, b.operation);
  EXPECT_EQ(a.number, b.number);
  EXPECT_EQ(a.limit, b.limit);
  EXPECT_EQ(a.event, b.event);
  EXPECT_EQ(a.previous_event, b.previous_event);
  EXPECT_EQ(a.time, b.time);
  EXPECT_EQ(a.due, b.due);
  EXPECT_EQ(json::print(a.value), json::print(b.value));
  EXPECT_EQ(json::print(a.extra), json::print(b.extra));
}

void expect_round_trip(const std::vector<Fact>& facts) {
  const std::string body = ChunkEncoder().encode(facts);
  const auto decoded = ChunkDecoder().decode(body);
  ASSERT_TRUE(decoded.has_value()) << to_string(decoded.error());
  ASSERT_EQ(decoded->size(), facts.size());
  for (size_t i = 0; i < facts.size(); ++i) expect_same((*decoded)[i], facts[i]);
}

TEST(ChunkCodec, BringsEveryFieldBack) {
  Fact fact;
  fact.kind = FactKind::kOperationEnded;
  fact.outcome = kernel::Outcome::kHeartbeatTimedOut;
  fact.operation_kind = kernel::OperationKind::kActivity;
  fact.on_chain = false;
  fact.scope = ScopeId(7);
  fact.parent = ScopeId(6);
  fact.state = StateOrdinal(5);
  fact.next = StateOrdinal(4);
  fact.operation = OperationId(UINT32_MAX);
  fact.number = 99'999'999;
  fact.limit = 1;
  fact.event = EventId(25'000);
  fact.previous_event = EventId(3);
  fact.time = Timestamp(Duration(-5));
  fact.due = Timestamp(Duration(1'700'000'000'123));
  fact.value = parsed(R"({"a":[1,2.50,-0,1e400,true,false,null,"a string longer than fourteen bytes"]})");
  fact.extra = Value::real(0.1);
  expect_round_trip({fact, Fact(), fact});
}

TEST(ChunkCodec, BringsWaitsForEventsAndPublishedEventsBack) {
  Fact wait = state_fact(FactKind::kOperationScheduled, 2, parsed(R"({"filters":[{"event":"e"}]})"));
  wait.operation_kind = kernel::OperationKind::kEvent;
  Fact published = state_fact(FactKind::kEventPublished, 3, parsed(R"({"specversion":"1.0","id":"1"})"));
  expect_round_trip({wait, published});
}

TEST(ChunkCodec, KeepsTheSpellingOfNumbers) {
  const std::string digits(1000, '7');
  expect_round_trip(
      {state_fact(FactKind::kStateEntered, 2, parsed("[1.0, 1e3, -0, 9223372036854775807, " + digits + "]"))});
}

TEST(ChunkCodec, StoresAValueThatIsPassedOnOnce) {
  const Value document = parsed(R"({"text":")" + std::string(10'000, 'x') + R"("})");
  std::vector<Fact> facts;
  for (uint32_t i = 1; i <= 10; ++i) facts.push_back(state_fact(FactKind::kStateEntered, i, document));
  EXPECT_LT(ChunkEncoder().encode(facts).size(), 10'200u);
  expect_round_trip(facts);
}

TEST(ChunkCodec, StoresAChangedObjectAsItsChange) {
  Value document =
      parsed(R"({"a":1,"b":[1,2,3],"c":{"d":"a string longer than fourteen bytes"},"e":2,"f":3,"g":4,"h":5})");
  std::vector<Fact> facts{state_fact(FactKind::kStateEntered, 2, document)};
  const size_t before = ChunkEncoder().encode(facts).size();
  facts.push_back(state_fact(FactKind::kStateExited, 3, document.with_member("e", Value::integer(7))));
  facts.push_back(state_fact(FactKind::kStateExited, 4, facts.back().value.with_member("new", Value::integer(8))));
  EXPECT_LT(ChunkEncoder().encode(facts).size(), before + 45);
  expect_round_trip(facts);
}

TEST(ChunkCodec, RefersToEarlierChunksOfTheSameExecution) {
  const Value document = parsed(R"({"text":")" + std::string(5'000, 'x') + R"("})");
  ChunkEncoder encoder;
  const std::string first = encoder.encode(std::vector{state_fact(FactKind::kStateEntered, 2, document)});
  const std::string second = encoder.encode(std::vector{state_fact(FactKind::kStateExited, 3, document)});
  EXPECT_LT(second.size(), 40u);

  ChunkDecoder decoder;
  ASSERT_TRUE(decoder.decode(first).has_value());
  const auto facts = decoder.decode(second);
  ASSERT_TRUE(facts.has_value());
  EXPECT_TRUE(facts->front().value == document);

  ChunkEncoder continued = std::move(decoder).continue_encoding();
  const std::string third = continued.encode(std::vector{state_fact(FactKind::kStateEntered, 4, facts->front().value)});
  EXPECT_LT(third.size(), 40u);
}

TEST(ChunkCodec, FindsEveryDamagedByte) {
  const std::string body =
      ChunkEncoder().encode(std::vector{state_fact(FactKind::kStateEntered, 2, parsed("[1,2,3]"))});
  for (size_t i = 0; i < body.size(); ++i) {
    std::string damaged = body;
    damaged[i] ^= 0x10;
    const auto facts = ChunkDecoder().decode(damaged);
    ASSERT_FALSE(facts.has_value()) << i;
    EXPECT_EQ(facts.error().code, "CHUNK_CHECKSUM");
  }
  for (size_t size = 0; size < body.size(); ++size)
    EXPECT_FALSE(ChunkDecoder().decode(body.substr(0, size)).has_value());
}

Value random_value(SeededRandom& random, int depth) {
  switch (random.next() % (depth > 3 ? 6 : 8)) {
    case 0:
      return Value();
    case 1:
      return Value::boolean(random.next() % 2 == 0);
    case 2:
      return Value::integer(static_cast<int64_t>(random.next()));
    case 3:
      return Value::real(random.unit());
    case 4:
      return Value::string(std::string(random.next() % 40, 'q'));
    case 5:
      return Value::number_literal(std::to_string(random.next() % 100) + ".50");
    case 6: {
      json::ArrayBuilder items;
      for (uint64_t i = random.next() % 5; i > 0; --i) items.push(random_value(random, depth + 1));
      return items.build();
    }
    default: {
      json::ObjectBuilder members;
      for (uint64_t i = random.next() % 5; i > 0; --i)
        members.set("key" + std::to_string(random.next() % 9), random_value(random, depth + 1));
      return members.build();
    }
  }
}

TEST(ChunkCodec, BringsRandomFactsBackOverManyChunks) {
  SeededRandom random(20261115);
  for (int execution = 0; execution < 50; ++execution) {
    ChunkEncoder encoder;
    ChunkDecoder decoder;
    Value carried = random_value(random, 0);
    for (int chunk = 0; chunk < 8; ++chunk) {
      std::vector<Fact> facts;
      for (uint64_t i = random.next() % 6; i > 0; --i) {
        if (random.next() % 2 == 0) carried = random_value(random, 0);
        Fact fact = state_fact(static_cast<FactKind>(1 + random.next() % 17),
                               static_cast<uint32_t>(random.next() % 1000), carried);
        if (carried.is_object()) carried = carried.with_member("k", random_value(random, 2));
        fact.due =
            random.next() % 2 == 0 ? kNever : Timestamp(Duration(static_cast<int64_t>(random.next() % 1'000'000)));
        facts.push_back(fact);
      }
      const auto decoded = decoder.decode(encoder.encode(facts));
      ASSERT_TRUE(decoded.has_value()) << to_string(decoded.error());
      ASSERT_EQ(decoded->size(), facts.size());
      for (size_t i = 0; i < facts.size(); ++i) expect_same((*decoded)[i], facts[i]);
    }
  }
}

TEST(ChunkCodec, ReadsAChunkThatBeginsAnewWithoutThoseBefore) {
  const Value document = parsed(R"({"a":"a value that is long enough to have a node"})");
  const std::vector<Fact> facts = {state_fact(FactKind::kStateEntered, 1, document)};
  ChunkEncoder encoder;
  const std::string first = encoder.encode(facts);
  const std::string second = encoder.encode(facts);
  encoder.begin_anew();
  const std::string third = encoder.encode(facts);
  const std::string fourth = encoder.encode(facts);
  EXPECT_EQ(ChunkDecoder().decode(second).error().code, "CHUNK_MALFORMED");
  ChunkDecoder decoder;
  expect_same(decoder.decode(third).value()[0], facts[0]);
  expect_same(decoder.decode(fourth).value()[0], facts[0]);
  ChunkDecoder from_the_first;
  for (const std::string& chunk : {first, second, third, fourth})
    expect_same(from_the_first.decode(chunk).value()[0], facts[0]);
}

}  // namespace
}  // namespace pawl::store
