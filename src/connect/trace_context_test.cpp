#include "connect/trace_context.h"

#include <gtest/gtest.h>

namespace pawl::connect {
namespace {

constexpr const char* kParent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";

using engine::TaskRequest;
using json::Value;

TaskRequest request_of(std::string key, uint32_t attempt = 0) {
  TaskRequest request;
  request.idempotency_key = std::move(key);
  request.attempt = attempt;
  return request;
}

std::string trace_in(const std::string& header) { return header.substr(3, 32); }
std::string span_in(const std::string& header) { return header.substr(36, 16); }

TEST(TraceContext, IsTheSameForEachCallOfOneAttempt) {
  const std::string header = trace_parent_of(request_of("8192-3"), "seed");
  EXPECT_TRUE(is_trace_parent(header)) << header;
  EXPECT_EQ(trace_parent_of(request_of("8192-3"), "seed"), header);
}

TEST(TraceContext, IsOneTraceAnExecutionAndOneSpanAnAttempt) {
  const std::string first = trace_parent_of(request_of("8192-3"), "seed");
  const std::string retry = trace_parent_of(request_of("8192-3", 1), "seed");
  const std::string other = trace_parent_of(request_of("8192-4"), "seed");
  EXPECT_EQ(trace_in(first), trace_in(retry));
  EXPECT_EQ(trace_in(first), trace_in(other));
  EXPECT_NE(span_in(first), span_in(retry));
  EXPECT_NE(span_in(first), span_in(other));
  EXPECT_NE(trace_in(first), trace_in(trace_parent_of(request_of("8193-3"), "seed")));
  EXPECT_NE(trace_in(first), trace_in(trace_parent_of(request_of("8192-3"), "another data directory")));
}

TEST(TraceContext, ContinuesTheTraceOfTheStart) {
  TaskRequest request = request_of("8192-3");
  json::ObjectBuilder labels;
  labels.set(kTraceParent, Value::string(kParent));
  request.labels = labels.build();
  const std::string header = trace_parent_of(request, "seed");
  EXPECT_EQ(trace_in(header), "4bf92f3577b34da6a3ce929d0e0e4736");
  EXPECT_NE(span_in(header), "00f067aa0ba902b7");
  EXPECT_TRUE(header.ends_with("-00")) << "the flags are the starter's";
}

TEST(TraceContext, ContinuesNothingThatIsNoTraceParent) {
  EXPECT_TRUE(is_trace_parent(kParent));
  for (const char* wrong : {"", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
                            "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00",
                            "00-00000000000000000000000000000000-00f067aa0ba902b7-00",
                            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-00",
                            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-00",
                            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0\n"})
    EXPECT_FALSE(is_trace_parent(wrong)) << wrong;
}

TEST(TraceContext, UnderstandsTheHeaderOfXRay) {
  EXPECT_EQ(trace_parent_of_xray("Root=1-67891233-abcdef012345678912345678;Parent=463ac35c9f6413ad;Sampled=1"),
            "00-67891233abcdef012345678912345678-463ac35c9f6413ad-01");
  EXPECT_TRUE(trace_parent_of_xray("Root=1-67891233-abcdef012345678912345678"));
  for (const char* wrong : {"", "Root=", "Root=1-67891233", "Root=2-67891233-abcdef012345678912345678",
                            "Root=1-67891233-abcdef012345678912345678;Parent=x", "Self=1-67891233"})
    EXPECT_FALSE(trace_parent_of_xray(wrong)) << wrong;
}

TEST(TraceContext, IsAddedWhereNobodySaidAnother) {
  using Headers = std::vector<std::pair<std::string, std::string>>;
  Headers headers;
  add_trace_context(headers, request_of("8192-3"), "seed");
  EXPECT_EQ(headers, (Headers{{"traceparent", trace_parent_of(request_of("8192-3"), "seed")}}));
  const Headers own = {{"TraceParent", kParent}};
  headers = own;
  add_trace_context(headers, request_of("8192-3"), "seed");
  EXPECT_EQ(headers, own);
}

}  // namespace
}  // namespace pawl::connect
