#include "net/sigv4.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pawl::net {
namespace {

using namespace std::chrono_literals;

const SigV4Key kKey{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"};
const std::string kDate = "20150830T123600Z";
const Timestamp kNow = std::chrono::sys_days(std::chrono::year(2015) / 8 / 30) + 12h + 36min;

struct Signed {
  std::string method = "POST";
  std::string target = "/";
  HttpHeaders headers;
  std::string body;

  SigV4Request request() const { return {method, target, headers, body}; }
};

Signed unsigned_request(std::string method = "POST", std::string target = "/", std::string body = "") {
  Signed request{std::move(method), std::move(target), {}, std::move(body)};
  request.headers.add("Host", "example.amazonaws.com");
  request.headers.add("X-Amz-Date", kDate);
  return request;
}

Signed signed_request(std::string body = "{}") {
  Signed request = unsigned_request("POST", "/", std::move(body));
  request.headers.add("X-Amz-Target", "AWSStepFunctions.StartExecution");
  request.headers.add("Authorization", sign_sigv4(request.request(), kKey, "us-east-1", "states"));
  return request;
}

// A request with these headers; a signature is not made.
Signed request_with(const std::vector<std::pair<std::string, std::string>>& headers, std::string body = "{}") {
  Signed request{"POST", "/", {}, std::move(body)};
  for (const auto& [name, value] : headers) request.headers.add(name, value);
  return request;
}

std::string header_of(const Signed& request) { return std::string(request.headers.get("Authorization")); }

SigV4Policy policy() {
  SigV4Policy result;
  result.secret_of = [](std::string_view id) {
    return id == kKey.access_key_id ? std::optional(kKey.secret) : std::nullopt;
  };
  return result;
}

std::string code_of(const Signed& request, const SigV4Policy& by = policy(), Timestamp now = kNow) {
  const auto verified = verify_sigv4(request.request(), by, now);
  return verified ? "verified " + *verified : verified.error().code;
}

// From AWS's published test suite for Signature Version 4.
struct Vector {
  std::string name;
  std::string method;
  std::string target;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::string signed_headers;
  std::string signature;
};

const std::string kUnreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const std::vector<Vector> kVectors = {
    {"get-vanilla",
     "GET",
     "/",
     {},
     "",
     "host;x-amz-date",
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
    {"get-vanilla-query-order-key-case",
     "GET",
     "/?Param2=value2&Param1=value1",
     {},
     "",
     "host;x-amz-date",
     "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"},
    {"get-vanilla-query-unreserved",
     "GET",
     "/?" + kUnreserved + "=" + kUnreserved,
     {},
     "",
     "host;x-amz-date",
     "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"},
    {"get-vanilla-utf8-query",
     "GET",
     "/?\u1234=bar",
     {},
     "",
     "host;x-amz-date",
     "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"},
    {"get-vanilla-utf8-query, encoded",
     "GET",
     "/?%E1%88%B4=bar",
     {},
     "",
     "host;x-amz-date",
     "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"},
    {"get-unreserved",
     "GET",
     "/" + kUnreserved,
     {},
     "",
     "host;x-amz-date",
     "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"},
    {"get-utf8",
     "GET",
     "/\u1234",
     {},
     "",
     "host;x-amz-date",
     "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"},
    {"get-space",
     "GET",
     "/example space/",
     {},
     "",
     "host;x-amz-date",
     "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"},
    {"get-relative",
     "GET",
     "/example/..",
     {},
     "",
     "host;x-amz-date",
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
    {"get-slash",
     "GET",
     "//",
     {},
     "",
     "host;x-amz-date",
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
    {"get-slash-dot-slash",
     "GET",
     "/./",
     {},
     "",
     "host;x-amz-date",
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"},
    {"get-slash-pointless-dot",
     "GET",
     "/./example",
     {},
     "",
     "host;x-amz-date",
     "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5"},
    {"get-header-key-duplicate",
     "GET",
     "/",
     {{"My-Header1", "value2"}, {"My-Header1", "value2"}, {"My-Header1", "value1"}},
     "",
     "host;my-header1;x-amz-date",
     "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"},
    {"get-header-value-trim",
     "GET",
     "/",
     {{"My-Header1", " value1"}, {"My-Header2", " \"a   b   c\""}},
     "",
     "host;my-header1;my-header2;x-amz-date",
     "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"},
    {"post-vanilla",
     "POST",
     "/",
     {},
     "",
     "host;x-amz-date",
     "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"},
    {"post-vanilla-query",
     "POST",
     "/?Param1=value1",
     {},
     "",
     "host;x-amz-date",
     "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"},
    {"post-x-www-form-urlencoded",
     "POST",
     "/",
     {{"Content-Type", "application/x-www-form-urlencoded"}},
     "Param1=value1",
     "content-type;host;x-amz-date",
     "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"},
};

Signed request_of(const Vector& vector) {
  Signed request = unsigned_request(vector.method, vector.target, vector.body);
  for (const auto& [name, value] : vector.headers) request.headers.add(name, value);
  return request;
}
std::string authorization_of(const Vector& vector) {
  return "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=" +
         vector.signed_headers + ", Signature=" + vector.signature;
}

TEST(SignSigV4, GivesThePublishedSignatures) {
  for (const Vector& vector : kVectors)
    EXPECT_EQ(sign_sigv4(request_of(vector).request(), kKey, "us-east-1", "service"), authorization_of(vector))
        << vector.name;
}

TEST(SignSigV4, HashesThePublishedCanonicalRequest) {
  EXPECT_EQ(sigv4_canonical_request(unsigned_request("GET").request(), {"host", "x-amz-date"}),
            "GET\n/\n\nhost:example.amazonaws.com\nx-amz-date:20150830T123600Z\n\nhost;x-amz-date\n"
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(SignSigV4, WritesDatesAsAwsDoes) { EXPECT_EQ(format_sigv4_date(kNow + 999ms), kDate); }

TEST(VerifySigV4, AcceptsThePublishedSignatures) {
  for (const Vector& vector : kVectors) {
    Signed request = request_of(vector);
    request.headers.add("authorization", authorization_of(vector));
    EXPECT_EQ(code_of(request), "verified AKIDEXAMPLE") << vector.name;
  }
}

// Three requests that an AWS SDK for JavaScript 3 sent to a server on the loopback address, with the secret "fake".
struct Recorded {
  const char* invocation;
  const char* content_sha256;
  const char* signature;
  const char* body;
};
constexpr Recorded kRecorded[] = {
    {"9050409e-7960-4593-91fd-16c79f00bdbf", "ccae209c2fee2776181d7e88276719c7899a90834d466aaf69103b3c963490e6",
     "f4cdf1247d68108b86091128e7c7c257388f4f6ac11942083084fba9458ad603",
     R"({"CheckpointToken":"eyJhIjoiNTBjYTJmNjM1OGNjNjdlMmQzNWY4NGFkYWU2ZjJhMjIiLCJpIjoiNjI3NWU5YzMtMWZiYS00NDZhLTliY2ItYWFlNGJmMDlhMjE5IiwicyI6MH0=",)"
     R"("Updates":[{"Id":"c4ca4238a0b92382","Type":"STEP","Action":"START","Name":"one","SubType":"Step"},)"
     R"({"Id":"c4ca4238a0b92382","Type":"STEP","Action":"SUCCEED","Name":"one","SubType":"Step","Payload":"21"}],)"
     R"("ClientToken":"1eb913ae-dd90-4d7c-8c08-e337caa6d3fe"})"},
    {"d8a963da-3aab-48b0-8316-c7100af8288b", "d3bc742210f25a51dab7a6cf90f481f27a3595919bca70c0137bac7936e3221f",
     "cdfc652d00991ed09def1b4d20b34d6cc76a7a320901ce51b72728f499bceb76",
     R"({"CheckpointToken":"eyJhIjoiNTBjYTJmNjM1OGNjNjdlMmQzNWY4NGFkYWU2ZjJhMjIiLCJpIjoiNjI3NWU5YzMtMWZiYS00NDZhLTliY2ItYWFlNGJmMDlhMjE5IiwicyI6MX0=",)"
     R"("Updates":[{"Id":"c81e728d9d4c2f63","Type":"STEP","Action":"START","Name":"two","SubType":"Step"},)"
     R"({"Id":"c81e728d9d4c2f63","Type":"STEP","Action":"SUCCEED","Name":"two","SubType":"Step","Payload":"42"}],)"
     R"("ClientToken":"43e261b9-55d6-4906-95b3-b1c279e884a7"})"},
    {"9af3a48c-4c37-49b6-9ca9-cbc92488da4a", "2a2eefc42ae03e6b8d3cec850cf2e8394ca61552b4621df0d9c1be36d2fbb4a9",
     "1de3e3ef5038ffc125ec04e01b157c17387c42ca737d23cffd7fd6568bab3e2d",
     R"({"CheckpointToken":"eyJhIjoiNTBjYTJmNjM1OGNjNjdlMmQzNWY4NGFkYWU2ZjJhMjIiLCJpIjoiNjI3NWU5YzMtMWZiYS00NDZhLTliY2ItYWFlNGJmMDlhMjE5IiwicyI6Mn0=",)"
     R"("Updates":[{"Id":"eccbc87e4b5ce2fe","Type":"STEP","Action":"START","Name":"three","SubType":"Step"},)"
     R"({"Id":"eccbc87e4b5ce2fe","Type":"STEP","Action":"SUCCEED","Name":"three","SubType":"Step",)"
     R"("Payload":"{\"a\":21,\"b\":42,\"sum\":63}"}],"ClientToken":"97567f9c-100a-48e3-a45b-b89864752e29"})"},
};

Signed request_of(const Recorded& recorded) {
  const std::string arn = "arn%3Aaws%3Alambda%3Aus-east-1%3A123456789012%3Afunction%3Athree-steps%3A%24LATEST";
  Signed request = request_with(
      {{"content-type", "application/json"},
       {"content-length", std::to_string(std::string_view(recorded.body).size())},
       {"x-amz-user-agent", "aws-sdk-js/3.1161.0 aws-durable-execution-sdk-js/2.4.0"},
       {"host", "127.0.0.1:42563"},
       {"amz-sdk-invocation-id", recorded.invocation},
       {"amz-sdk-request", "attempt=1; max=3"},
       {"x-amz-date", "20261115T184923Z"},
       {"x-amz-content-sha256", recorded.content_sha256},
       {"authorization",
        "AWS4-HMAC-SHA256 Credential=AKIAFAKE/20261115/us-east-1/lambda/aws4_request, "
        "SignedHeaders=amz-sdk-invocation-id;amz-sdk-request;content-length;content-type;host;x-amz-content-sha256;"
        "x-amz-date;x-amz-user-agent, Signature=" +
            std::string(recorded.signature)},
       {"connection", "keep-alive"}},
      recorded.body);
  request.target = "/2025-12-01/durable-executions/" + arn +
                   "%2Fdurable-execution%2Forder-42%2F9aad44b4-9ec4-473c-902f-c6a1d613b548/checkpoint";
  return request;
}

TEST(VerifySigV4, AcceptsRequestsOfAnAwsSdk) {
  SigV4Policy fake;
  fake.secret_of = [](std::string_view) { return std::optional<std::string>("fake"); };
  const Timestamp then = std::chrono::sys_days(std::chrono::year(2026) / 11 / 15) + 18h + 49min + 23s;
  for (const Recorded& recorded : kRecorded) {
    Signed request = request_of(recorded);
    EXPECT_EQ(code_of(request, fake, then), "verified AKIAFAKE") << recorded.invocation;
    request.body += " ";
    EXPECT_EQ(code_of(request, fake, then), "SIGV4_MISMATCH") << recorded.invocation;
  }
}

TEST(VerifySigV4, NoticesAnyChangeOfTheRequest) {
  EXPECT_EQ(code_of(signed_request()), "verified AKIDEXAMPLE");
  Signed changed = signed_request();
  changed.body = "{} ";
  EXPECT_EQ(code_of(changed), "SIGV4_MISMATCH");
  changed = signed_request();
  changed.method = "PUT";
  EXPECT_EQ(code_of(changed), "SIGV4_MISMATCH");
  changed = signed_request();
  changed.target = "/?a=b";
  EXPECT_EQ(code_of(changed), "SIGV4_MISMATCH");
  changed = signed_request();
  changed.headers.add("X-Amz-Target", "AWSStepFunctions.StopExecution");
  EXPECT_EQ(code_of(changed), "SIGV4_MISMATCH");
  EXPECT_EQ(code_of(request_with({{"Host", "example.amazonaws.com"},
                                  {"X-Amz-Date", kDate},
                                  {"X-Amz-Target", "Other"},
                                  {"Authorization", header_of(signed_request())}})),
            "SIGV4_MISMATCH");
}

TEST(VerifySigV4, RefusesAnotherSecretAndUnknownKeys) {
  SigV4Policy other = policy();
  other.secret_of = [](std::string_view) { return std::optional<std::string>("other"); };
  EXPECT_EQ(code_of(signed_request(), other), "SIGV4_MISMATCH");
  other.secret_of = [](std::string_view) { return std::optional<std::string>(); };
  EXPECT_EQ(code_of(signed_request(), other), "SIGV4_UNKNOWN_KEY");
}

TEST(VerifySigV4, RefusesRequestsWithoutASignature) { EXPECT_EQ(code_of(unsigned_request()), "SIGV4_MISSING"); }

TEST(VerifySigV4, BoundsTheAgeOfASignatureInBothDirections) {
  EXPECT_EQ(code_of(signed_request(), policy(), kNow + 5min), "verified AKIDEXAMPLE");
  EXPECT_EQ(code_of(signed_request(), policy(), kNow - 5min), "verified AKIDEXAMPLE");
  EXPECT_EQ(code_of(signed_request(), policy(), kNow + 5min + 1ms), "SIGV4_EXPIRED");
  EXPECT_EQ(code_of(signed_request(), policy(), kNow - 5min - 1ms), "SIGV4_EXPIRED");
}

TEST(VerifySigV4, RefusesOtherRegionsAndServicesWhereTheyAreNamed) {
  SigV4Policy narrow = policy();
  narrow.region = "us-east-1";
  narrow.services = {"lambda", "states"};
  EXPECT_EQ(code_of(signed_request(), narrow), "verified AKIDEXAMPLE");
  narrow.services = {"lambda"};
  EXPECT_EQ(code_of(signed_request(), narrow), "SIGV4_SCOPE");
  narrow.services = {};
  narrow.region = "eu-west-1";
  EXPECT_EQ(code_of(signed_request(), narrow), "SIGV4_SCOPE");
}

TEST(VerifySigV4, WantsTheHeadersThatDecideSigned) {
  Signed request = signed_request();
  request.headers.add("X-Amz-Security-Token", "added on the way");
  EXPECT_EQ(code_of(request), "SIGV4_MALFORMED");
  const std::string begin =
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/states/aws4_request, SignedHeaders=";
  const std::string end = ", Signature=" + std::string(64, 'a');
  const auto with = [&](const std::string& names) {
    return code_of(request_with({{"Host", "x"}, {"X-Amz-Date", kDate}, {"Authorization", begin + names + end}}));
  };
  EXPECT_EQ(with("host;x-amz-date"), "SIGV4_MISMATCH");
  EXPECT_EQ(with("host"), "SIGV4_MALFORMED");
  EXPECT_EQ(with("x-amz-date"), "SIGV4_MALFORMED");
  EXPECT_EQ(with("content-type;host;x-amz-date"), "SIGV4_MALFORMED");
}

TEST(VerifySigV4, RefusesDatesThatAreNone) {
  for (const char* date : {"", "20150830", "20150830T123600", "20150830T123600X", "20151330T123600Z",
                           "20150230T123600Z", "20150830T243600Z", "2015083OT123600Z", "20150831T123600Z"})
    EXPECT_EQ(code_of(request_with({{"Host", "example.amazonaws.com"},
                                    {"X-Amz-Date", date},
                                    {"X-Amz-Target", "AWSStepFunctions.StartExecution"},
                                    {"Authorization", header_of(signed_request())}})),
              "SIGV4_MALFORMED")
        << date;
}

TEST(VerifySigV4, SaysNeitherSecretNorSignature) {
  Signed request = signed_request();
  request.body = "changed";
  const auto refused = verify_sigv4(request.request(), policy(), kNow);
  const std::string text = to_string(refused.error());
  EXPECT_THAT(text, testing::Not(testing::HasSubstr(kKey.secret)));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr(header_of(request).substr(header_of(request).size() - 64))));
}

TEST(ParseSigV4Authorization, GivesItsParts) {
  const auto parsed = parse_sigv4_authorization(authorization_of(kVectors[0]));
  ASSERT_TRUE(parsed) << to_string(parsed.error());
  EXPECT_EQ(*parsed,
            (SigV4Authorization{
                "AKIDEXAMPLE", "20150830", "us-east-1", "service", {"host", "x-amz-date"}, kVectors[0].signature}));
}

TEST(ParseSigV4Authorization, TakesPartsInAnyOrderAndWithoutBlanks) {
  const std::string signature = "Signature=" + kVectors[0].signature;
  EXPECT_TRUE(parse_sigv4_authorization("AWS4-HMAC-SHA256 " + signature +
                                        ",SignedHeaders=host,Credential=A/20150830/r/s/aws4_request"));
}

TEST(ParseSigV4Authorization, RefusesWhatIsMalformed) {
  const std::string credential = "Credential=A/20150830/r/s/aws4_request";
  const std::string signature = "Signature=" + std::string(64, 'a');
  const auto refuses = [](const std::string& header) {
    const auto parsed = parse_sigv4_authorization(header);
    EXPECT_EQ(parsed ? "accepted" : parsed.error().code, "SIGV4_MALFORMED") << header;
  };
  const std::string begin = "AWS4-HMAC-SHA256 ";
  EXPECT_TRUE(parse_sigv4_authorization(begin + credential + ", SignedHeaders=host, " + signature));
  for (const char* header :
       {"", "Bearer abc", "AWS4-HMAC-SHA256", "AWS4-HMAC-SHA256 ", "AWS4-HMAC-SHA256,", "AWS4-HMAC-SHA256 ="})
    refuses(header);
  refuses(begin + credential + ", SignedHeaders=host");
  refuses(begin + credential + ", " + credential + ", SignedHeaders=host, " + signature);
  refuses(begin + credential + ", SignedHeaders=host, " + signature + ", Extra=1");
  refuses(begin + credential + ", SignedHeaders=host, Signature=" + std::string(63, 'a'));
  refuses(begin + credential + ", SignedHeaders=host, Signature=" + std::string(64, 'G'));
  for (const char* names : {"", "Host", "x;host", "host;host", "host;"})
    refuses(begin + credential + ", SignedHeaders=" + names + ", " + signature);
  for (const char* scope : {"", "A", "A/20150830/r/s", "A/20150830/r/s/other", "A/2015083/r/s/aws4_request",
                            "/20150830/r/s/aws4_request", "A/20150830/r/s/aws4_request/more"})
    refuses(begin + "Credential=" + scope + ", SignedHeaders=host, " + signature);
}

}  // namespace
}  // namespace pawl::net
