# The libraries that modules link, as imported targets that every folder sees. Their Debian packages: docs/dependencies.md.
find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(PCRE2 REQUIRED IMPORTED_TARGET libpcre2-8)
pkg_check_modules(FYAML REQUIRED IMPORTED_TARGET libfyaml)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)

# gRPC is in a shared library of its own, and what is built without it can make no gRPC calls.
pkg_check_modules(GRPC IMPORTED_TARGET grpc++ protobuf)
if(NOT GRPC_FOUND)
  message(STATUS "libgrpc++-dev is not there: functions of type rpc cannot be called.")
endif()
