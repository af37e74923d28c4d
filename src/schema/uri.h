// What a schema needs of URIs (RFC 3986): references that are resolved, and fragments. For schema/ only.
#pragma once

#include <string>
#include <string_view>

namespace pawl::schema::internal {

// The reference as seen from a base, which may be relative or empty itself.
std::string resolve_uri(std::string_view base, std::string_view reference);

// What stands before the first '#', and what behind it; no fragment and an empty one are the same.
std::string_view without_fragment(std::string_view uri);
std::string_view fragment_of(std::string_view uri);

}  // namespace pawl::schema::internal
