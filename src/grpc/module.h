// What pawl-grpc.so is asked for: unary calls of gRPC methods, with JSON in and out.
//
// gRPC and protobuf bring more than fifty shared libraries. They are in a shared library of their own, which is loaded
// when the first call needs it (connect/grpc_calls.h), so that a process without such calls is as small and starts as
// fast as before. The border is plain C: both sides may be built with different settings.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pawl::grpc {

inline constexpr uint32_t kInterfaceVersion = 1;
inline constexpr const char* kEntryName = "pawl_grpc_interface";
inline constexpr const char* kFileName = "pawl-grpc.so";

// Bytes that stay where they are during a call of a function here; nothing ends them.
struct Bytes {
  const char* data;
  size_t size;
};

struct NamedBytes {
  Bytes name;
  Bytes value;
};

struct List {
  const NamedBytes* items;
  size_t count;
};

enum class EndKind : uint32_t {
  kSucceeded,  // text: the answer as JSON
  kRefused,    // by the server, or on the way there; code: the number of the status, text: its message
  kUnfit,      // nothing was sent: the description is wrong, or the input does not fit it; text: why
};

struct End {
  EndKind kind;
  uint32_t code;
  Bytes text;
};

struct Call {
  uint64_t id;      // names it for cancel()
  Bytes address;    // host:port
  uint32_t is_tls;  // checked against the system's authorities, or those in the file that SSL_CERT_FILE names
  List files;       // .proto files by the path that imports name them by
  Bytes proto;      // the one that has the service
  Bytes service;    // its name, with the package or without
  Bytes method;
  Bytes input;          // JSON
  List metadata;        // names in any case
  int64_t timeout_ms;   // 0: none
  size_t answer_bytes;  // that a message may have at most
  void* context;
  void (*done)(void* context, const End* end);  // called once, from any thread, perhaps before start() returns
};

// All functions may be called from any thread.
struct Interface {
  uint32_t version;
  void* (*open)();
  void (*start)(void* calls, const Call* call);
  void (*cancel)(void* calls, uint64_t id);
  void (*close)(void* calls);  // cancels what is under way, and waits for it
};

}  // namespace pawl::grpc
