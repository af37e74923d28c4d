// Documents that definitions refer to by an http(s) URL.
#pragma once

#include <string>

#include "base/result.h"
#include "base/time.h"

namespace pawl::cli {

inline constexpr Duration kFetchTimeout = std::chrono::seconds(10);
inline constexpr int kRedirectsMax = 5;

// The text at a URL; says on stderr where there is none to be had. Errors: those of net::send, DOCUMENT_NOT_FETCHED.
Result<std::string> fetch_document(const std::string& url);

}  // namespace pawl::cli
