#include "connect/grpc_calls.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include <dlfcn.h>

#include "connect/answers.h"
#include "grpc/module.h"
#include "json/members.h"
#include "json/parse.h"
#include "json/print.h"

namespace pawl::connect {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTlsScheme = "grpcs://";
constexpr std::string_view kPlainScheme = "grpc://";
constexpr uint32_t kDeadlineExceeded = 4;
constexpr uint32_t kResourceExhausted = 8;

// By the numbers of the statuses.
constexpr std::array<std::string_view, 17> kStatusNames = {
    "OK",        "CANCELLED",       "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS",  "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",    "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED",
};

std::string error_of(uint32_t status) {
  const std::string_view name = status < kStatusNames.size() ? kStatusNames[status] : "UNKNOWN";
  const bool is_permission = name == "PERMISSION_DENIED" || name == "UNAUTHENTICATED";
  return is_permission ? "States.Permissions" : "Grpc." + std::string(name);
}

grpc::Bytes to_bytes(std::string_view text) { return {text.data(), text.size()}; }

// What a call needs to be answered; lives until it was.
struct Pending {
  std::shared_ptr<const TaskTarget> target;
  TaskRequest request;
  size_t bytes_max;
  AnswerTask answer;
};

TaskAnswer answer_of(const Pending& pending, const grpc::End& end) {
  const std::string_view text(end.text.data, end.text.size);
  switch (end.kind) {
    case grpc::EndKind::kSucceeded:
      if (text.size() > pending.bytes_max) return too_large(pending.request);
      return json_answer(*pending.target, "The answer of " + pending.request.resource, text);
    case grpc::EndKind::kRefused:
      if (end.code == kDeadlineExceeded) return TaskAnswer::timed_out();
      if (end.code == kResourceExhausted && text.contains("larger than max")) return too_large(pending.request);
      return failure(*pending.target, error_of(end.code), presentable(text));
    case grpc::EndKind::kUnfit:
      return failure(*pending.target, "States.TaskFailed", pending.request.resource + ": " + presentable(text));
  }
  return failure(*pending.target, "States.TaskFailed", pending.request.resource);
}

Error not_described(const std::string& resource) {
  return {"GRPC_NOT_DESCRIBED", resource, "No .proto file of the definition describes the method.",
          "Call it by a function of type rpc, whose .proto file is beside the definition."};
}

void take_end(void* context, const grpc::End* end) {
  const std::unique_ptr<Pending> pending(static_cast<Pending*>(context));
  pending->answer(answer_of(*pending, *end));
}

std::vector<std::string> places() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  return {(folder / grpc::kFileName).string(),
          (folder.parent_path() / "lib" / "pawl" / grpc::kFileName).lexically_normal().string()};
}

}  // namespace

bool is_grpc_method(const Value& endpoint) { return endpoint.is_object() && endpoint.find("grpc") != nullptr; }

// The library stays loaded until the process ends: its threads may.
class GrpcCalls::Module {
 public:
  static Result<std::unique_ptr<Module>> load() {
    std::string why;
    for (const std::string& place : places()) {
      void* library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
      void* entry = library == nullptr ? nullptr : ::dlsym(library, grpc::kEntryName);
      if (entry == nullptr) {
        why += (why.empty() ? "" : "; ") + std::string(::dlerror());
        continue;
      }
      const auto* interface = reinterpret_cast<const grpc::Interface* (*)()>(entry)();
      if (interface->version == grpc::kInterfaceVersion) return std::unique_ptr<Module>(new Module(*interface));
      why += place + " is of another version";
    }
    return fail("GRPC_NOT_INSTALLED", "What makes gRPC calls cannot be loaded: " + why + ".",
                "Put pawl-grpc.so beside the pawl command, and install libgrpc++1.51.");
  }
  ~Module() { interface_.close(calls_); }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  void start(const grpc::Call& call) { interface_.start(calls_, &call); }
  void cancel(uint64_t id) { interface_.cancel(calls_, id); }

 private:
  explicit Module(const grpc::Interface& interface) : interface_(interface), calls_(interface.open()) {}

  const grpc::Interface& interface_;
  void* calls_;
};

GrpcCalls::GrpcCalls() = default;
GrpcCalls::~GrpcCalls() = default;

Result<GrpcCalls::Module*> GrpcCalls::module() {
  const std::lock_guard lock(mutex_);
  if (module_ == nullptr) {
    auto loaded = Module::load();
    if (!loaded) return std::unexpected(loaded.error());
    module_ = *std::move(loaded);
  }
  return module_.get();
}

void GrpcCalls::start(const TaskRequest& request, const std::shared_ptr<const TaskTarget>& target,
                      size_t answer_bytes_max, AnswerTask answer) {
  const auto loaded = module();
  if (!loaded) return answer(failure(*target, "States.Runtime", to_string(loaded.error())));
  if (!is_grpc_method(request.endpoint))
    return answer(failure(*target, "States.Runtime", to_string(not_described(request.resource))));
  const Value& method = *request.endpoint.find("grpc");
  std::vector<grpc::NamedBytes> files;
  if (const Value* given = method.find("files"); given != nullptr && given->is_object())
    for (const json::Member& member : given->members())
      files.push_back({to_bytes(member.key.as_string()), to_bytes(member.value.as_string())});
  std::vector<grpc::NamedBytes> metadata = {{to_bytes("idempotency-key"), to_bytes(request.idempotency_key)}};
  for (const auto& [name, value] : target->headers) metadata.push_back({to_bytes(name), to_bytes(value.text)});
  const std::string input = json::print(request.input);
  const std::string& address = target->grpc->text;
  const bool is_tls = address.starts_with(kTlsScheme);
  const auto timeout = timeout_of(*target, request);
  const grpc::Call call = {
      .id = request.task.number,
      .address = to_bytes(std::string_view(address).substr(is_tls ? kTlsScheme.size() : kPlainScheme.size())),
      .is_tls = is_tls ? 1u : 0u,
      .files = {files.data(), files.size()},
      .proto = to_bytes(json::text_at(method, "proto")),
      .service = to_bytes(json::text_at(method, "service")),
      .method = to_bytes(json::text_at(method, "method")),
      .input = to_bytes(input),
      .metadata = {metadata.data(), metadata.size()},
      .timeout_ms = timeout ? std::max<int64_t>(timeout->count(), 1) : 0,
      .answer_bytes = answer_bytes_max,
      .context = new Pending{target, request, answer_bytes_max, std::move(answer)},
      .done = take_end,
  };
  (*loaded)->start(call);
}

void GrpcCalls::cancel(engine::TaskId task) {
  const std::lock_guard lock(mutex_);
  if (module_ != nullptr) module_->cancel(task.number);
}

}  // namespace pawl::connect
