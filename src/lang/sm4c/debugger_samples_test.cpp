// The machines of SM4C's interactive debugger: a document around each has its input.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lang/sm4c/program_test_fixture.h"

namespace pawl::sm4c {
namespace {

class DebuggerSample : public MachineTest {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(kFolder)) GTEST_SKIP() << "There is no " << kFolder;
  }

  // With the options that they were written for.
  void start_sample(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(kFolder / name).rdbuf();
    const Value document = json::parse(text.str()).value();
    load_text(json::print(*document.find("workflow")), {.waits_always = true, .exits_on_end = true});
    start(json::print(*document.find("input")));
  }

  void tell(const std::string& type, const std::string& data) {
    EXPECT_EQ(arrive(R"({"specversion":"1.0","id":"1","source":"reservationSystem","type":")" + type + R"(","data":)" +
                     data + "}"),
              1u);
  }

  static inline const std::filesystem::path kFolder = PAWL_SOURCE_DIR "/../shared/corpus/sm4c";
};

TEST_F(DebuggerSample, SaysHello) {
  start_sample("debugger-helloworld.json");
  EXPECT_EQ(output(), R"({"result":"Hello World!"})");
}

TEST_F(DebuggerSample, GivesTheFlightBackWhereThereIsNoHotel) {
  start_sample("debugger-travelbookingsaga.json");
  EXPECT_TRUE(call().starts_with(R"(callFlightReservationMicroservice({"flight":{"origin":"ATL")")) << call();
  answer("callFlightReservationMicroservice", "null");
  tell("FlightBooked", "7");
  answer("callHotelReservationMicroservice", "null");
  answer("callAutoReservationMicroservice", "null");
  tell("HotelBookingFailed", R"("full")");
  EXPECT_EQ(call(), R"(callFlightReservationUndoMicroservice({"flight":7}))");
  answer("callFlightReservationUndoMicroservice", "null");
  EXPECT_EQ(call(), R"(reportErrors({"error":"full"}))");
  answer("reportErrors", "null");
  EXPECT_TRUE(output().ends_with(R"("bookedFlight":7,"error":"full"})")) << output();
}

}  // namespace
}  // namespace pawl::sm4c
