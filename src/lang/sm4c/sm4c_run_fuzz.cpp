// Runs definitions in a world that answers at random: the first bytes of the input are the dice, the rest is the text.
//
// No definition that lint lets pass may bring the program to an assertion, and facts must rebuild what they came from.
#include <cstdint>

#include "kernel/fuzzed_run.h"
#include "lang/sm4c/lint.h"
#include "lang/sm4c/program.h"
#include "text/yaml.h"

using namespace pawl;  // NOLINT

namespace {

constexpr size_t kDiceBytes = 2;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < kDiceBytes) return 0;
  const uint64_t seed = data[0] + (uint64_t{data[1]} << 8);
  auto document = text::parse_yaml({reinterpret_cast<const char*>(data) + kDiceBytes, size - kDiceBytes});
  if (!document) return 0;
  Diagnostics diagnostics;
  const sm4c::Options options{.waits_always = seed % 2 == 1, .exits_on_end = seed % 3 == 1};
  sm4c::Definition definition = sm4c::load(*std::move(document), options, {}, diagnostics);
  if (has_errors(diagnostics)) return 0;
  const sm4c::Program program(std::move(definition.machine), options);
  kernel::FuzzedRun(program, seed).drive();
  return 0;
}
