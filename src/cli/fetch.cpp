#include "cli/fetch.h"

#include <algorithm>

#include "cli/console.h"
#include "cli/files.h"
#include "net/http_client.h"
#include "net/url.h"

namespace pawl::cli {

namespace {

std::string header_of(const net::HttpResponse& response, std::string_view name) {
  const auto found = std::ranges::find(response.headers, name, [](const auto& header) { return header.first; });
  return found == response.headers.end() ? std::string() : found->second;
}

// Where an answer sends on to: a whole URL, or a path on the same host. Empty: nowhere.
std::string next_url(const std::string& url, const net::HttpResponse& response) {
  if (response.status < 301 || response.status > 308) return {};
  const std::string place = header_of(response, "location");
  if (net::is_http_url(place)) return place;
  if (!place.starts_with('/') || place.starts_with("//")) return {};
  return url.substr(0, url.find('/', url.find("://") + 3)) + place;
}

Result<std::string> fetch(std::string url) {
  for (int redirects = 0; redirects <= kRedirectsMax; ++redirects) {
    net::HttpRequest request;
    request.method = "GET";
    request.url = url;
    request.headers = {{"Accept", "application/json, application/yaml, text/yaml, */*;q=0.5"}};
    request.timeout = request.connect_timeout = kFetchTimeout;
    request.body_bytes_max = kDefinitionBytesMax;
    PAWL_TRY(net::HttpResponse response, net::send(request));
    if (response.status == 200) return std::move(response.body);
    url = next_url(url, response);
    if (url.empty())
      return fail("DOCUMENT_NOT_FETCHED", "The answer is " + std::to_string(response.status) + ".",
                  "Check the URL, or save the document beside the definition.");
  }
  return fail("DOCUMENT_NOT_FETCHED", "One answer leads to the next without an end.",
              "Save the document beside the definition.");
}

}  // namespace

Result<std::string> fetch_document(const std::string& url) {
  auto text = fetch(url);
  if (!text) complain("pawl: warning: " + url + " cannot be fetched: " + text.error().what + "\n");
  return text;
}

}  // namespace pawl::cli
