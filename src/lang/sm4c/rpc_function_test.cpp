// Functions that are methods of gRPC services: what lint says of them, and what their calls carry.
#include <gtest/gtest.h>

#include "lang/sm4c/lint.h"
#include "lang/sm4c/program_test_fixture.h"
#include "lang/sm4c/proto_outline.h"

namespace pawl::sm4c {
namespace {

constexpr const char* kDepot = R"(syntax = "proto3"; // service Comment { rpc Pack
/* service Comment { rpc Pack } */
package shop;
import "google/protobuf/timestamp.proto";
import public "common/address.proto";
option note = "service Text { rpc Pack }";
message PackRequest { string service = 1; message Inner { string rpc = 1; } }
service Depot {
  option deprecated = true;
  rpc Pack(PackRequest) returns (Parcel) { option idempotency_level = IDEMPOTENT; }
  rpc Unpack(stream Parcel) returns (PackRequest);
}
)";

const Files kFiles = {{"depot.proto", kDepot},
                      {"common/address.proto", "import 'common/street.proto'; import 'depot.proto';"},
                      {"common/street.proto", "message Street {}"}};

std::string machine_with(const std::string& operation) {
  return R"({"name": "m", "version": "1", "functions": [{"name": "f", "type": "rpc", "operation": ")" + operation +
         R"("}], "states": [{"name": "S", "start": true,
    "enterAction": {"type": "invokeFunction", "functionName": "f", "waitForCompletion": true}}]})";
}

std::string findings(const std::string& operation) {
  std::string lines;
  for (const Diagnostic& diagnostic : lint_text(machine_with(operation), "", {}, kFiles))
    lines += diagnostic.code + " " + diagnostic.pointer + " " + diagnostic.cause;
  return lines;
}

TEST(ProtoOutline, HasImportsServicesAndMethods) {
  const ProtoOutline outline = outline_of_proto(kDepot);
  EXPECT_EQ(outline.imports, std::vector<std::string>{"common/address.proto"});
  ASSERT_EQ(outline.services.size(), 1u);
  EXPECT_EQ(outline.services[0].full_name, "shop.Depot");
  EXPECT_EQ(outline.services[0].methods, (std::vector<std::string>{"Pack", "Unpack"}));
  EXPECT_EQ(outline.services[0].streaming, std::vector<std::string>{"Unpack"});
}

TEST(ProtoOutline, EndsOnAnyText) {
  for (const char* text : {"", "service", "service {", "service A { rpc B(stream", "import", "import \"", "/*", "\"\\",
                           "}}}} service A { rpc B"})
    EXPECT_LE(outline_of_proto(text).services.size(), 1u) << text;
}

TEST(RpcFunctions, AreMethodsOfAFileBesideTheDefinition) {
  EXPECT_EQ(findings("depot.proto#Depot/Pack"), "");
  EXPECT_EQ(findings("depot.proto#shop.Depot/Pack"), "");
  EXPECT_EQ(findings("shop.proto#Depot/Pack"),
            "SM4C_REFERENCE /functions/0/operation There is no file \"shop.proto\" to read.");
}

TEST(RpcFunctions, NameAServiceAndAMethodOfTheFile) {
  EXPECT_EQ(findings("depot.proto#Depot/Send"),
            "SM4C_OPERATION /functions/0/operation The file has no method \"Depot/Send\".");
  EXPECT_EQ(findings("depot.proto#Comment/Pack"),
            "SM4C_OPERATION /functions/0/operation The file has no method \"Comment/Pack\".");
  for (const char* operation : {"depot.proto", "depot.proto#Depot", "#Depot/Pack", "depot.proto#/Pack", "a/b#"})
    EXPECT_TRUE(findings(operation).starts_with("SM4C_OPERATION")) << operation;
}

TEST(RpcFunctions, AreMethodsWithOneMessageInAndOneOut) {
  EXPECT_EQ(
      findings("depot.proto#Depot/Unpack"),
      "SM4C_OPERATION /functions/0/operation The method \"Unpack\" streams; only calls with one message in and one "
      "out can be made.");
  const ProtoOutline outline =
      outline_of_proto("service S { rpc A(stream) returns (R); rpc B(R) returns (stream R) {} rpc C(R) returns (R); }");
  EXPECT_EQ(outline.services[0].streaming, std::vector<std::string>{"B"});
}

TEST(RpcFunctions, NeedWhatTheirFilesImport) {
  const Value root = json::parse(machine_with("depot.proto#Depot/Pack")).value();
  EXPECT_EQ(referred_files(root), std::vector<std::string>{"depot.proto"});
  EXPECT_EQ(referred_files(root, kFiles),
            (std::vector<std::string>{"depot.proto", "common/address.proto", "common/street.proto"}));
}

class RpcCalls : public MachineTest {};

TEST_F(RpcCalls, CarryTheDescriptionOfTheirMethod) {
  files = kFiles;
  load_text(machine_with("depot.proto#Depot/Pack"));
  start();
  const kernel::Call call = program().call_of(execution(), execution().open_operations().begin()->second);
  EXPECT_EQ(call.resource, "grpc:depot.proto#Depot/Pack");
  const Value* described = call.endpoint.find("grpc");
  ASSERT_NE(described, nullptr);
  EXPECT_EQ(described->find("service")->as_string(), "Depot");
  EXPECT_EQ(described->find("files")->size(), 3u);
}

}  // namespace
}  // namespace pawl::sm4c
