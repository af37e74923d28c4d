#include "net/cloud_event.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"
#include "net/base64.h"

namespace pawl::net {
namespace {

std::string make_id() { return "made"; }

Result<std::vector<json::Value>> read(std::string_view type, std::string_view body) {
  HttpHeaders headers;
  headers.add("Content-Type", type);
  return read_cloud_events(headers, body, make_id);
}

Result<std::vector<json::Value>> structured(std::string_view body) {
  return read("application/cloudevents+json; charset=utf-8", body);
}

std::string code_of(std::string_view body) {
  const auto events = structured(body);
  return events ? "" : events.error().code + " " + events.error().where;
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

Result<std::vector<json::Value>> binary(const Pairs& pairs, std::string_view body) {
  HttpHeaders headers;
  for (const auto& [name, value] : pairs) headers.add(name, value);
  return read_cloud_events(headers, body, make_id);
}

Pairs headers_with(Pairs more) {
  Pairs pairs{{"CE-SpecVersion", "1.0"}, {"ce-id", "1"}, {"ce-source", "s"}, {"ce-type", "t"}};
  pairs.insert(pairs.end(), more.begin(), more.end());
  return pairs;
}

TEST(CloudEvent, IsReadInStructuredMode) {
  const auto events =
      structured(R"({"specversion":"1.0","id":"1","source":"s","Type":"t","patientId":"p","data":{"a":1}})");
  ASSERT_TRUE(events.has_value()) << events.error().what;
  EXPECT_EQ(json::print(events->at(0)),
            R"({"specversion":"1.0","id":"1","source":"s","type":"t","patientId":"p","data":{"a":1}})");
}

TEST(CloudEvent, GetsAnIdWhereItHasNone) {
  const auto events = structured(R"({"specversion":"1.0","source":"s","type":"t","id":null})");
  ASSERT_TRUE(events.has_value());
  EXPECT_EQ(*events->at(0).find("id"), json::Value::string("made"));
}

TEST(CloudEvent, IsRefusedWithoutWhatItMustHave) {
  EXPECT_EQ(code_of(R"({"id":"1","source":"s","type":"t"})"), "EVENT_ATTRIBUTE_MISSING /specversion");
  EXPECT_EQ(code_of(R"({"specversion":"1.0","id":"1","type":"t"})"), "EVENT_ATTRIBUTE_MISSING /source");
  EXPECT_EQ(code_of(R"({"specversion":"1.0","id":"1","source":"s","type":null})"), "EVENT_ATTRIBUTE_MISSING /type");
}

TEST(CloudEvent, IsRefusedWithAttributesThatAreNone) {
  const std::string begin = R"({"specversion":"1.0","id":"1","source":"s","type":"t",)";
  EXPECT_EQ(code_of(begin + R"("patient-id":"p"})"), "EVENT_ATTRIBUTE_NAME /patient-id");
  EXPECT_EQ(code_of(begin + R"("":"p"})"), "EVENT_ATTRIBUTE_NAME /");
  EXPECT_EQ(code_of(begin + R"("toy":"p","Toy":"q"})"), "EVENT_ATTRIBUTE_NAME /Toy");
  EXPECT_EQ(code_of(begin + R"("toy":{}})"), "EVENT_ATTRIBUTE_VALUE /toy");
  EXPECT_EQ(code_of(begin + R"("toy":1.5})"), "EVENT_ATTRIBUTE_VALUE /toy");
  EXPECT_EQ(code_of(begin + R"("toy":"a\nb"})"), "EVENT_ATTRIBUTE_VALUE /toy");
  EXPECT_EQ(code_of(begin + R"("subject":""})"), "EVENT_ATTRIBUTE_VALUE /subject");
  EXPECT_EQ(code_of(begin + R"("time":"yesterday"})"), "EVENT_ATTRIBUTE_VALUE /time");
  EXPECT_EQ(code_of(begin + R"("data":1,"data_base64":"aGk="})"), "EVENT_ATTRIBUTE_VALUE /data_base64");
  EXPECT_EQ(code_of(begin + R"("data_base64":"a"})"), "EVENT_ATTRIBUTE_VALUE /data_base64");
  EXPECT_EQ(code_of(R"({"specversion":"0.3","id":"1","source":"s","type":"t"})"), "EVENT_ATTRIBUTE_VALUE /specversion");
  EXPECT_EQ(code_of(R"({"specversion":"1.0","id":1,"source":"s","type":"t"})"), "EVENT_ATTRIBUTE_VALUE /id");
}

TEST(CloudEvent, IsRefusedWhereItIsNoJsonObject) {
  EXPECT_EQ(code_of("{"), "EVENT_JSON 1:2");
  EXPECT_EQ(code_of("[]"), "EVENT_JSON ");
  EXPECT_EQ(read("application/cloudevents+avro", "x").error().code, "EVENT_MEDIA_TYPE");
}

TEST(CloudEvent, IsRefusedWhereItIsTooLarge) {
  const std::string data(kEventBytesMax, 'x');
  EXPECT_EQ(code_of(R"({"specversion":"1.0","id":"1","source":"s","type":"t","data":")" + data + "\"}"),
            "EVENT_TOO_LARGE ");
}

TEST(CloudEvent, IsOneOfABatch) {
  const auto events = read(
      "Application/CloudEvents-Batch+JSON",
      R"([{"specversion":"1.0","id":"1","source":"s","type":"t"},{"specversion":"1.0","id":"2","source":"s","type":"t"}])");
  ASSERT_TRUE(events.has_value());
  EXPECT_EQ(events->size(), 2u);
  const auto bad =
      read("application/cloudevents-batch+json",
           R"([{"specversion":"1.0","id":"1","source":"s","type":"t"},{"specversion":"1.0","id":"2","type":"t"}])");
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().where, "/1/source");
  EXPECT_EQ(read("application/cloudevents-batch+json", "{}").error().code, "EVENT_JSON");
  EXPECT_TRUE(read("application/cloudevents-batch+json", "[]").value().empty());
}

TEST(CloudEvent, IsReadInBinaryMode) {
  const auto events =
      binary(headers_with({{"ce-toy", "%C3%A4 \"a \\\" b\""}, {"Content-Type", "application/json"}}), R"({"a":1})");
  ASSERT_TRUE(events.has_value()) << events.error().what;
  EXPECT_EQ(
      json::print(events->at(0)),
      R"({"specversion":"1.0","id":"1","source":"s","type":"t","toy":"ä a \" b","datacontenttype":"application/json","data":{"a":1}})");
}

TEST(CloudEvent, HasItsBytesInBase64WhereTheyAreNoText) {
  const auto image = binary(headers_with({{"Content-Type", "image/png"}}), "\x89PNG");
  EXPECT_EQ(*image.value().at(0).find("data_base64"), json::Value::string("iVBORw=="));
  const auto text = binary(headers_with({{"Content-Type", "text/plain"}}), "hi");
  EXPECT_EQ(*text.value().at(0).find("data"), json::Value::string("hi"));
  EXPECT_EQ(binary(headers_with({}), "").value().at(0).find("data"), nullptr);
}

TEST(CloudEvent, IsRefusedInBinaryModeWithBadHeaders) {
  EXPECT_EQ(binary(headers_with({{"ce-datacontenttype", "a/b"}}), "").error().code, "EVENT_ATTRIBUTE_NAME");
  EXPECT_EQ(binary(headers_with({{"ce-a_b", "c"}}), "").error().code, "EVENT_ATTRIBUTE_NAME");
  EXPECT_EQ(binary(headers_with({{"ce-id", "2"}}), "").error().code, "EVENT_ATTRIBUTE_NAME");
  EXPECT_EQ(binary(headers_with({{"ce-toy", "%FF"}}), "").error().code, "EVENT_ATTRIBUTE_VALUE");
  EXPECT_EQ(binary(headers_with({{"Content-Type", "application/json"}}), "{").error().code, "EVENT_JSON");
  EXPECT_EQ(binary({{"ce-id", "1"}}, "").error().code, "EVENT_ATTRIBUTE_MISSING");
}

TEST(CloudEvent, IsTheSameWhenItWasWrittenInBinaryMode) {
  const json::Value event =
      json::parse(
          R"({"specversion":"1.0","id":"1","source":"/ä b","type":"t","toyId":"100 %","n":7,"datacontenttype":"application/json","data":{"a":[1]}})")
          .value();
  const HttpEvent written = write_binary(event);
  const auto again = binary(written.headers, written.body);
  ASSERT_TRUE(again.has_value()) << again.error().what;
  EXPECT_EQ(*again->at(0).find("source"), json::Value::string("/ä b"));
  EXPECT_EQ(*again->at(0).find("toyid"), json::Value::string("100 %"));
  EXPECT_EQ(*again->at(0).find("data"), *event.find("data"));
}

TEST(Base64, GivesBackWhatItEncoded) {
  for (const std::string text : {"", "a", "ab", "abc", "abcd", "\x01\xff\x80"})
    EXPECT_EQ(decode_base64(encode_base64(text)), text);
  for (const std::string text : {"a", "ab=c", "====", "a===", "a b=", "YQ=a"})
    EXPECT_FALSE(decode_base64(text)) << text;
}

}  // namespace
}  // namespace pawl::net
