// Data directories of earlier versions (tests/upgrade) are opened, brought forward, and fold to what they always did.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "json/parse.h"
#include "json/print.h"
#include "kernel/execution.h"
#include "store/chunk_codec.h"
#include "store/sqlite/sqlite_store.h"

namespace pawl::engine {
namespace {

namespace fs = std::filesystem;
using json::Value;

constexpr size_t kExecutionsMax = 1'000;

Value number(uint64_t value) { return Value::integer(static_cast<int64_t>(value)); }
Value time_value(Timestamp time) { return Value::integer(time.time_since_epoch().count()); }

Value fold(const store::Store& store, ExecutionId id, store::ChunkId head) {
  kernel::Execution execution;
  store::ChunkDecoder decoder;
  const auto chunks = store.load_chunks(id, head).value();
  for (const store::Chunk& chunk : chunks) {
    const auto facts = decoder.decode(chunk.body).value();
    for (const kernel::Fact& fact : facts) execution.evolve(fact);
  }
  return execution.dump();
}

// All that is known of an execution, as one line of JSON.
Value describe(const store::Store& store, const store::ExecutionRow& row) {
  const auto live = store.find_live(row.id);
  json::ObjectBuilder out;
  out.set("id", number(row.id.number));
  out.set("definition", number(row.definition.number));
  out.set("status", number(static_cast<uint64_t>(row.status)));
  out.set("name", Value::string(row.name));
  out.set("started", time_value(row.started));
  out.set("closed", time_value(row.closed));
  if (live) out.set("wake", time_value(live->wake));
  if (live) out.set("attention", Value::boolean(live->attention));
  out.set("state", fold(store, row.id, live ? live->head : row.head));
  return out.build();
}

std::string describe_all(const store::Store& store) {
  std::string text;
  store::ListFilter filter;
  filter.limit = kExecutionsMax;
  for (const store::ExecutionRow& row : store.list_executions(filter)) text += json::print(describe(store, row)) + "\n";
  return text;
}

// Whether `now` says all that `then` said, and the same. Later versions may have more to say.
bool covers(const Value& now, const Value& then) {
  if (then.is_object()) {
    for (const json::Member& member : then.members()) {
      const Value* found = now.find(member.key.as_string());
      if (found == nullptr || !covers(*found, member.value)) return false;
    }
    return now.is_object();
  }
  if (!then.is_array()) return now == then;
  if (!now.is_array() || now.size() != then.size()) return false;
  for (size_t i = 0; i < then.size(); ++i)
    if (!covers(now.items()[i], then.items()[i])) return false;
  return true;
}

std::vector<Value> read_lines(const std::string& text) {
  std::vector<Value> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(json::parse(line).value());
  return lines;
}

class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "pawl_upgrade_XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Folder() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

class UpgradeTest : public testing::TestWithParam<std::string> {};

TEST_P(UpgradeTest, FoldsToWhatItAlwaysDid) {
  const fs::path kept = fs::path(PAWL_SOURCE_DIR) / "tests/upgrade" / GetParam();
  const Folder copy;
  fs::copy_file(kept / "pawl.db", copy.path() / "pawl.db");
  const auto store = store::SqliteStore::open(copy.path().string());
  ASSERT_TRUE(store.has_value()) << to_string(store.error());
  const std::string now = describe_all(**store);
  std::ifstream file(kept / "expected.jsonl");
  if (!file) {
    const fs::path written = fs::temp_directory_path() / ("expected-" + GetParam() + ".jsonl");
    std::ofstream(written) << now;
    FAIL() << "there is no expected.jsonl; what the database folds to is in " << written;
  }
  const std::string then((std::istreambuf_iterator<char>(file)), {});
  const auto lines_now = read_lines(now);
  const auto lines_then = read_lines(then);
  ASSERT_EQ(lines_now.size(), lines_then.size());
  for (size_t i = 0; i < lines_then.size(); ++i)
    EXPECT_TRUE(covers(lines_now[i], lines_then[i]))
        << "was: " << json::print(lines_then[i]) << "\nis:  " << json::print(lines_now[i]);
}

std::vector<std::string> kept_versions() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(PAWL_SOURCE_DIR) / "tests/upgrade"))
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Kept, UpgradeTest, testing::ValuesIn(kept_versions()),
                         [](const testing::TestParamInfo<std::string>& version) { return version.param; });

}  // namespace
}  // namespace pawl::engine
