#include "net/url.h"

#include <gtest/gtest.h>

namespace pawl::net {
namespace {

TEST(ParseUrl, GivesTheParts) {
  const auto url = parse_url("http://example.org:8080/a/b?c=d#e");
  ASSERT_TRUE(url);
  EXPECT_FALSE(url->secure);
  EXPECT_EQ(url->host, "example.org");
  EXPECT_EQ(url->port, 8080);
  EXPECT_EQ(url->target, "/a/b?c=d");
  EXPECT_EQ(url->host_header, "example.org:8080");
  EXPECT_FALSE(url->is_address);
}

TEST(ParseUrl, KnowsThePortsOfItsSchemes) {
  EXPECT_EQ(parse_url("http://h")->port, 80);
  EXPECT_EQ(parse_url("https://h")->port, 443);
  EXPECT_TRUE(parse_url("https://h")->secure);
}

TEST(ParseUrl, TakesAQueryWithoutAPath) { EXPECT_EQ(parse_url("http://h?x=1")->target, "/?x=1"); }

TEST(ParseUrl, TakesAddresses) {
  EXPECT_TRUE(parse_url("http://127.0.0.1/")->is_address);
  const auto url = parse_url("http://[::1]:81/x");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->host, "::1");
  EXPECT_EQ(url->port, 81);
  EXPECT_EQ(url->host_header, "[::1]:81");
  EXPECT_TRUE(url->is_address);
}

TEST(ParseUrl, RefusesWhatIsNoHttpUrl) {
  for (const char* text : {"", "ftp://h/", "http://", "http:///x", "http://h:0/", "http://h:65536/", "http://h:/",
                           "http://h:x/", "http://[::1", "http://[zz]/", "http://[::1]x/", "http://h i/",
                           "http://h/\r\nHost: evil", "http://h\xC3\xA4/", "http://h<>/", "http:/h", "HTTP//h"})
    EXPECT_EQ(parse_url(text).error().code, "HTTP_BAD_URL") << text;
}

TEST(ParseUrl, RefusesCredentials) {
  const auto url = parse_url("http://user:secret@h/");
  ASSERT_FALSE(url);
  EXPECT_EQ(url.error().code, "HTTP_BAD_URL");
  EXPECT_EQ(url.error().what.find("secret"), std::string::npos);
}

TEST(ParseUrl, RefusesAMegabyte) { EXPECT_FALSE(parse_url("http://h/" + std::string(1 << 20, 'a'))); }

}  // namespace
}  // namespace pawl::net
