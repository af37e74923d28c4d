#include "kernel/ledger.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace pawl::kernel {
namespace {

class LedgerTest : public testing::Test {
 protected:
  void open(const std::string& id, EntryType type, const std::string& parent = "") {
    json::ObjectBuilder entry(3);
    entry.set("id", Value::string(id));
    entry.set("type", Value::integer(static_cast<int64_t>(type)));
    if (!parent.empty()) entry.set("parent", Value::string(parent));
    change(entry.build(), EntryStatus::kStarted);
  }
  void close(const std::string& id) { change(Value::string(id), EntryStatus::kSucceeded); }
  void change(Value entry, EntryStatus status) {
    Fact fact;
    fact.kind = FactKind::kEntryChanged;
    fact.value = std::move(entry);
    fact.number = static_cast<uint32_t>(status);
    ledger.change(fact);
  }

  Ledger ledger;
};

TEST_F(LedgerTest, DropsWhatLiesBelowAContextThatClosed) {
  open("c", EntryType::kContext);
  open("inner", EntryType::kContext, "c");
  open("w", EntryType::kWait, "inner");
  ledger.wait_for(Value::string("w"), OperationId(7));
  open("other", EntryType::kStep);
  close("c");
  EXPECT_EQ(ledger.find("inner"), nullptr);
  EXPECT_EQ(ledger.find("w"), nullptr);
  EXPECT_EQ(ledger.find_waiting(OperationId(7)), nullptr);
  EXPECT_EQ(ledger.take_abandoned(), std::vector{OperationId(7)});
  EXPECT_NE(ledger.find("c"), nullptr);
  EXPECT_NE(ledger.find("other"), nullptr);
}

TEST_F(LedgerTest, DropsContextsThatLieInEachOtherHoweverDeep) {
  constexpr int kDeep = 300'000;
  open("0", EntryType::kContext);
  for (int i = 1; i < kDeep; ++i) open(std::to_string(i), EntryType::kContext, std::to_string(i - 1));
  close("0");
  EXPECT_EQ(ledger.find("1"), nullptr);
  EXPECT_EQ(ledger.find(std::to_string(kDeep - 1)), nullptr);
}

TEST_F(LedgerTest, IsRestoredAsItWas) {
  open("c", EntryType::kContext);
  open("w", EntryType::kWait, "c");
  ledger.wait_for(Value::string("w"), OperationId(7));
  const auto restored = Ledger::restore(ledger.dump());
  ASSERT_NE(restored, nullptr);
  EXPECT_EQ(restored->dump(), ledger.dump());
  EXPECT_NE(restored->find_waiting(OperationId(7)), nullptr);
}

TEST_F(LedgerTest, IsNotRestoredFromWhatIsDamaged) {
  open("c", EntryType::kContext);
  open("w", EntryType::kWait, "c");
  const std::string dumped = json::print(ledger.dump());
  const auto restores = [&](std::string_view part, std::string_view with) {
    std::string damaged = dumped;
    const size_t place = damaged.find(part);
    EXPECT_NE(place, std::string::npos) << part << " in " << dumped;
    damaged.replace(place, part.size(), with);
    return Ledger::restore(json::parse(damaged).value()) != nullptr;
  };
  EXPECT_TRUE(restores("[1]]", "[1]]"));
  EXPECT_FALSE(restores("[1]]", "[2]]")) << "a child that is not there";
  EXPECT_FALSE(restores("[1]]", "[-1]]"));
  EXPECT_FALSE(restores("[1]]", "[\"w\"]]"));
  EXPECT_FALSE(restores("\"c\",1,", "\"c\",0,")) << "a type that there is not";
  EXPECT_FALSE(restores("\"c\",1,", "\"c\",7,"));
  EXPECT_FALSE(restores("\"c\",1,1,", "\"c\",1,9,")) << "a status that there is not";
}

}  // namespace
}  // namespace pawl::kernel
