// MD5, for the ids of operations only: they are named as AWS's JavaScript and Go SDKs name them.
#pragma once

#include <string>
#include <string_view>

namespace pawl::durable::detail {

// The first 16 hexadecimal digits of the digest.
std::string md5_prefix(std::string_view text);

}  // namespace pawl::durable::detail
