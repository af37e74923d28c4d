// The chunk format. Numbers are LEB128 varints; signed ones zigzag; fixed ones little-endian.
//
//   chunk   := crc32c:4 bytes (of all that follows)  version:1 byte  count:varint  fact*
//              version 1: values may refer to those of the chunks before; version 2: the numbers of values begin anew
//   fact    := kind:1 byte  present:varint  field*         one field for each bit of `present`, from the lowest
//   value   := tag:1 byte …                                (payload_table.h)
//
//   bit  field
//   0    outcome            1 byte
//   1    operation kind     1 byte
//   2    off the chain      nothing: the bit is all
//   3    scope              varint
//   4    parent             varint
//   5    state              varint
//   6    next               varint
//   7    operation          varint
//   8    number             varint
//   9    limit              varint
//   10   event              zigzag of the difference to the last event + 1
//   11   previous event     zigzag of event - previous event
//   12   time               zigzag of the difference to the last fact's
//   13   due                zigzag of the difference to the fact's time
//   14   value              value
//   15   extra              value
//
// An absent field has the value that Fact gives it; an absent time is that of the fact before. The differences begin at
// 0 with each chunk. The meaning of a kind never changes; a reader stops at a version or a kind that it does not know.
#include "store/chunk_codec.h"

#include <cstring>
#include <utility>

#include "base/assert.h"
#include "base/crc32c.h"
#include "store/payload_table.h"
#include "store/wire.h"

namespace pawl::store {

using kernel::Fact;
using kernel::FactKind;

namespace {

constexpr uint8_t kVersion = 1;
constexpr uint8_t kVersionAnew = 2;
constexpr size_t kChecksumBytes = sizeof(uint32_t);

enum Field : uint32_t {
  kOutcome = 1 << 0,
  kOperationKind = 1 << 1,
  kOffChain = 1 << 2,
  kScope = 1 << 3,
  kParent = 1 << 4,
  kState = 1 << 5,
  kNext = 1 << 6,
  kOperation = 1 << 7,
  kNumber = 1 << 8,
  kLimit = 1 << 9,
  kEvent = 1 << 10,
  kPreviousEvent = 1 << 11,
  kTime = 1 << 12,
  kDue = 1 << 13,
  kValue = 1 << 14,
  kExtra = 1 << 15,
};
constexpr uint32_t kAllFields = (1 << 16) - 1;

// What differences are counted from.
struct Running {
  int64_t event = 0;
  int64_t time = 0;
};

int64_t ms(Timestamp time) { return time.time_since_epoch().count(); }
Timestamp from_ms(int64_t count) { return Timestamp(Duration(count)); }

// Sums and differences that a damaged chunk could make overflow are made in unsigned numbers.
int64_t add(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b)); }
int64_t subtract(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}

uint32_t fields_of(const Fact& fact, const Running& running) {
  const Fact plain;
  uint32_t present = 0;
  const auto mark = [&](bool differs, Field field) { present |= differs ? uint32_t{field} : 0u; };
  mark(fact.outcome != plain.outcome, kOutcome);
  mark(fact.operation_kind != plain.operation_kind, kOperationKind);
  mark(!fact.on_chain, kOffChain);
  mark(bool(fact.scope), kScope);
  mark(bool(fact.parent), kParent);
  mark(bool(fact.state), kState);
  mark(bool(fact.next), kNext);
  mark(bool(fact.operation), kOperation);
  mark(fact.number != 0, kNumber);
  mark(fact.limit != 0, kLimit);
  mark(bool(fact.event), kEvent);
  mark(bool(fact.previous_event), kPreviousEvent);
  mark(ms(fact.time) != running.time, kTime);
  mark(fact.due != kNever, kDue);
  mark(!fact.value.is_null(), kValue);
  mark(!fact.extra.is_null(), kExtra);
  return present;
}

void write_fact(const Fact& fact, Running& running, PayloadTable& payloads, ByteWriter& out) {
  const uint32_t present = fields_of(fact, running);
  out.byte(static_cast<uint8_t>(fact.kind));
  out.varint(present);
  if (present & kOutcome) out.byte(static_cast<uint8_t>(fact.outcome));
  if (present & kOperationKind) out.byte(static_cast<uint8_t>(fact.operation_kind));
  if (present & kScope) out.varint(fact.scope.number);
  if (present & kParent) out.varint(fact.parent.number);
  if (present & kState) out.varint(fact.state.number);
  if (present & kNext) out.varint(fact.next.number);
  if (present & kOperation) out.varint(fact.operation.number);
  if (present & kNumber) out.varint(fact.number);
  if (present & kLimit) out.varint(fact.limit);
  if (present & kEvent) {
    out.zigzag(fact.event.number - (running.event + 1));
    running.event = fact.event.number;
  }
  if (present & kPreviousEvent) out.zigzag(int64_t{fact.event.number} - fact.previous_event.number);
  if (present & kTime) out.zigzag(subtract(ms(fact.time), running.time));
  running.time = ms(fact.time);
  if (present & kDue) out.zigzag(subtract(ms(fact.due), running.time));
  if (present & kValue) payloads.write(fact.value, out);
  if (present & kExtra) payloads.write(fact.extra, out);
}

template <typename Enum>
Enum read_enum(ByteReader& in, Enum last) {
  const uint8_t number = in.byte();
  if (number == 0 || number > static_cast<uint8_t>(last)) in.fail();
  return static_cast<Enum>(number);
}

EventId read_event(ByteReader& in, int64_t number) {
  if (number < 0 || number > UINT32_MAX) return EventId(in.fail());
  return EventId(static_cast<uint32_t>(number));
}

Fact read_fact(FactKind kind, Running& running, PayloadTable& payloads, ByteReader& in) {
  Fact fact;
  fact.kind = kind;
  const uint64_t present = in.varint();
  if (present > kAllFields) in.fail();
  if (present & kOutcome) fact.outcome = read_enum(in, kernel::Outcome::kAborted);
  if (present & kOperationKind) fact.operation_kind = read_enum(in, kernel::OperationKind::kPromise);
  fact.on_chain = (present & kOffChain) == 0;
  if (present & kScope) fact.scope = ScopeId(in.varint32());
  if (present & kParent) fact.parent = ScopeId(in.varint32());
  if (present & kState) fact.state = StateOrdinal(in.varint32());
  if (present & kNext) fact.next = StateOrdinal(in.varint32());
  if (present & kOperation) fact.operation = OperationId(in.varint32());
  if (present & kNumber) fact.number = in.varint32();
  if (present & kLimit) fact.limit = in.varint32();
  if (present & kEvent) {
    running.event = add(add(running.event, 1), in.zigzag());
    fact.event = read_event(in, running.event);
  }
  if (present & kPreviousEvent) fact.previous_event = read_event(in, subtract(fact.event.number, in.zigzag()));
  if (present & kTime) running.time = add(running.time, in.zigzag());
  fact.time = from_ms(running.time);
  if (present & kDue) fact.due = from_ms(add(running.time, in.zigzag()));
  if (present & kValue) fact.value = payloads.read(in);
  if (present & kExtra) fact.extra = payloads.read(in);
  return fact;
}

Result<std::vector<Fact>> malformed() {
  return fail("CHUNK_MALFORMED", "A chunk of facts does not follow its grammar.",
              "Restore the data directory from a backup.");
}

}  // namespace

ChunkEncoder::ChunkEncoder() : payloads_(std::make_unique<PayloadTable>()) {}
ChunkEncoder::~ChunkEncoder() = default;
ChunkEncoder::ChunkEncoder(ChunkEncoder&&) noexcept = default;
ChunkEncoder& ChunkEncoder::operator=(ChunkEncoder&&) noexcept = default;

std::string ChunkEncoder::encode(std::span<const Fact> facts) {
  ByteWriter out;
  out.bytes().resize(kChecksumBytes);
  out.byte(std::exchange(begins_anew_, false) ? kVersionAnew : kVersion);
  out.varint(facts.size());
  Running running;
  for (const Fact& fact : facts) write_fact(fact, running, *payloads_, out);
  std::string body = std::move(out.bytes());
  const uint32_t checksum = crc32c(std::string_view(body).substr(kChecksumBytes));
  std::memcpy(body.data(), &checksum, sizeof checksum);
  return body;
}

void ChunkEncoder::begin_anew() {
  payloads_ = std::make_unique<PayloadTable>();
  begins_anew_ = true;
}

ChunkDecoder::ChunkDecoder() : payloads_(std::make_unique<PayloadTable>()) {}
ChunkDecoder::~ChunkDecoder() = default;

Result<std::vector<Fact>> ChunkDecoder::decode(std::string_view body) {
  uint32_t checksum = 0;
  if (body.size() < kChecksumBytes) return malformed();
  std::memcpy(&checksum, body.data(), sizeof checksum);
  body.remove_prefix(kChecksumBytes);
  if (crc32c(body) != checksum)
    return fail("CHUNK_CHECKSUM", "A chunk of facts is damaged: its checksum does not fit.",
                "Restore the data directory from a backup.");
  ByteReader in(body);
  const uint8_t version = in.byte();
  if (version == kVersionAnew) payloads_ = std::make_unique<PayloadTable>();
  if (version != kVersion && version != kVersionAnew)
    return fail("CHUNK_VERSION",
                "A chunk has format version " + std::to_string(version) + ", which this version does not read.",
                "Run the version of Pawl that wrote it, or a later one.");
  const uint64_t count = in.varint();
  if (count > in.left()) return malformed();
  std::vector<Fact> facts;
  facts.reserve(count);
  Running running;
  for (uint64_t i = 0; i < count; ++i) {
    const uint8_t kind = in.byte();
    const bool is_known = kernel::name_of(static_cast<FactKind>(kind)) != "unknown";
    if (in.ok() && !is_known)
      return fail("CHUNK_UNKNOWN_FACT",
                  "A chunk holds a fact of kind " + std::to_string(kind) + ", which this version does not know.",
                  "Run the version of Pawl that wrote it, or a later one.");
    facts.push_back(read_fact(static_cast<FactKind>(kind), running, *payloads_, in));
    if (!in.ok()) return malformed();
  }
  if (!in.at_end()) return malformed();
  return facts;
}

ChunkEncoder ChunkDecoder::continue_encoding() && {
  ChunkEncoder encoder;
  encoder.payloads_ = std::move(payloads_);
  return encoder;
}

}  // namespace pawl::store
