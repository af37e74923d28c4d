#include "grpc/module.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <google/protobuf/util/json_util.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include "grpc/descriptions.h"

namespace pawl::grpc {

namespace pb = google::protobuf;

namespace {

constexpr size_t kChannelsMax = 1000;  // that are kept; further ones are made for one call

std::string to_text(const Bytes& bytes) { return {bytes.data, bytes.size}; }
Bytes to_bytes(const std::string& text) { return {text.data(), text.size()}; }

void tell(const Call& call, EndKind kind, uint32_t code, const std::string& text) {
  const End end{kind, code, to_bytes(text)};
  call.done(call.context, &end);
}

::grpc::ByteBuffer to_buffer(const pb::Message& message) {
  const ::grpc::Slice slice(message.SerializeAsString());
  return ::grpc::ByteBuffer(&slice, 1);
}

bool read_buffer(const ::grpc::ByteBuffer& buffer, pb::Message& message) {
  std::vector<::grpc::Slice> slices;
  if (!buffer.Dump(&slices).ok()) return false;
  std::string bytes;
  for (const ::grpc::Slice& slice : slices) bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  return message.ParseFromString(bytes);
}

// Numbers, texts and lists are there where they have their default too: a workflow asks for them by name.
std::string to_json(const pb::Message& message, std::string& json) {
  pb::util::JsonPrintOptions options;
  options.always_print_primitive_fields = true;
  const auto status = pb::util::MessageToJsonString(message, &json, options);
  return status.ok() ? "" : status.ToString();
}

// One call, from start() until its end was told.
struct UnderWay {
  Call call{};  // its id, its context and how its end is told; the rest is gone when start() has returned
  std::shared_ptr<Method> method;
  std::shared_ptr<::grpc::GenericStub> stub;
  ::grpc::ClientContext context;
  ::grpc::ByteBuffer request;
  ::grpc::ByteBuffer answer;
};

void tell_answer(const UnderWay& under_way) {
  const auto message = under_way.method->make_output();
  std::string json;
  if (!read_buffer(under_way.answer, *message))
    return tell(under_way.call, EndKind::kRefused, ::grpc::StatusCode::INTERNAL,
                "The answer is no message of the type that the description says.");
  const std::string fault = to_json(*message, json);
  if (fault.empty()) return tell(under_way.call, EndKind::kSucceeded, 0, json);
  tell(under_way.call, EndKind::kRefused, ::grpc::StatusCode::INTERNAL, fault);
}

std::shared_ptr<::grpc::ChannelCredentials> make_credentials(bool is_tls) {
  if (!is_tls) return ::grpc::InsecureChannelCredentials();
  ::grpc::SslCredentialsOptions options;
  if (const char* file = std::getenv("SSL_CERT_FILE")) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    options.pem_root_certs = text.str();
  }
  return ::grpc::SslCredentials(options);
}

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

// Connections, by whom they are to. They stay until the process ends: gRPC 1.51 may abort where the last channel that
// takes callbacks goes while a thread of its own still ends. Any thread may call.
class Channels {
 public:
  static Channels& of_process() {
    static Channels& channels = *new Channels;
    return channels;
  }

  std::shared_ptr<::grpc::Channel> find(const Call& call) {
    const std::string key =
        (call.is_tls != 0 ? "grpcs://" : "grpc://") + to_text(call.address) + " " + std::to_string(call.answer_bytes);
    const std::lock_guard lock(mutex_);
    if (const auto known = channels_.find(key); known != channels_.end()) return known->second;
    auto channel = make(call);
    if (channels_.size() < kChannelsMax) channels_.emplace(key, channel);
    return channel;
  }

 private:
  static std::shared_ptr<::grpc::Channel> make(const Call& call) {
    ::grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(static_cast<int>(call.answer_bytes));
    return ::grpc::CreateCustomChannel(to_text(call.address), make_credentials(call.is_tls != 0), arguments);
  }

  std::mutex mutex_;  // guards the one below
  std::map<std::string, std::shared_ptr<::grpc::Channel>> channels_;
};

// Calls under way, and the descriptions that they share. Any thread may call.
class Calls {
 public:
  ~Calls() {
    std::unique_lock lock(mutex_);
    for (const auto& [id, under_way] : under_way_) under_way->context.TryCancel();
    ended_.wait(lock, [&] { return under_way_.empty() && telling_ == 0; });
  }

  void start(const Call& call) {
    ProtoFiles files;
    for (size_t i = 0; i < call.files.count; ++i)
      files[to_text(call.files.items[i].name)] = to_text(call.files.items[i].value);
    const auto found = methods_.find(files, {to_text(call.proto), to_text(call.service), to_text(call.method)});
    if (const auto* fault = std::get_if<std::string>(&found)) return tell(call, EndKind::kUnfit, 0, *fault);
    auto under_way = std::make_shared<UnderWay>();
    under_way->call = call;
    under_way->method = std::get<std::shared_ptr<Method>>(found);
    const auto input = under_way->method->make_input();
    const auto read = pb::util::JsonStringToMessage(to_text(call.input), input.get());
    if (!read.ok()) return tell(call, EndKind::kUnfit, 0, "The input does not fit: " + std::string(read.message()));
    under_way->request = to_buffer(*input);
    send(call, std::move(under_way));
  }

  void cancel(uint64_t id) {
    const std::lock_guard lock(mutex_);
    const auto found = under_way_.find(id);
    if (found != under_way_.end()) found->second->context.TryCancel();
  }

 private:
  void send(const Call& call, std::shared_ptr<UnderWay> under_way) {
    for (size_t i = 0; i < call.metadata.count; ++i)
      under_way->context.AddMetadata(lower_case(to_text(call.metadata.items[i].name)),
                                     to_text(call.metadata.items[i].value));
    if (call.timeout_ms > 0)
      under_way->context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(call.timeout_ms));
    under_way->stub = std::make_shared<::grpc::GenericStub>(Channels::of_process().find(call));
    {
      const std::lock_guard lock(mutex_);
      under_way_[call.id] = under_way;
    }
    UnderWay& sent = *under_way;
    sent.stub->UnaryCall(&sent.context, sent.method->path(), ::grpc::StubOptions(), &sent.request, &sent.answer,
                         [this, under_way](const ::grpc::Status& status) { end(*under_way, status); });
  }

  // Only what is still under way may be cancelled; whoever closes waits for what is being told.
  void end(const UnderWay& under_way, const ::grpc::Status& status) {
    {
      const std::lock_guard lock(mutex_);
      ++telling_;
      under_way_.erase(under_way.call.id);
    }
    if (status.ok())
      tell_answer(under_way);
    else
      tell(under_way.call, EndKind::kRefused, static_cast<uint32_t>(status.error_code()), status.error_message());
    const std::lock_guard lock(mutex_);
    --telling_;
    ended_.notify_all();
  }

  Methods methods_;
  std::mutex mutex_;  // guards those below
  std::condition_variable ended_;
  std::map<uint64_t, std::shared_ptr<UnderWay>> under_way_;
  size_t telling_ = 0;
};

constexpr Interface kInterface = {
    .version = kInterfaceVersion,
    .open = []() -> void* { return new Calls; },
    .start = [](void* calls, const Call* call) { static_cast<Calls*>(calls)->start(*call); },
    .cancel = [](void* calls, uint64_t id) { static_cast<Calls*>(calls)->cancel(id); },
    .close = [](void* calls) { delete static_cast<Calls*>(calls); },
};

}  // namespace

}  // namespace pawl::grpc

extern "C" __attribute__((visibility("default"))) const pawl::grpc::Interface* pawl_grpc_interface() {
  return &pawl::grpc::kInterface;
}
