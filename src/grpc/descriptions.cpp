#include "grpc/descriptions.h"

#include <vector>

#include <google/protobuf/compiler/importer.h>
#include <google/protobuf/descriptor_database.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

namespace pawl::grpc {

namespace pb = google::protobuf;

namespace {

// The files as the compiler of protobuf asks for them.
class FileTree final : public pb::compiler::SourceTree {
 public:
  explicit FileTree(const ProtoFiles& files) : files_(files) {}

  pb::io::ZeroCopyInputStream* Open(const std::string& path) override {
    const auto found = files_.find(path);
    if (found == files_.end()) return nullptr;
    return new pb::io::ArrayInputStream(found->second.data(), static_cast<int>(found->second.size()));
  }
  std::string GetLastErrorMessage() override { return "The file was not given with the definition."; }

 private:
  ProtoFiles files_;
};

class Complaints final : public pb::compiler::MultiFileErrorCollector, public pb::DescriptorPool::ErrorCollector {
 public:
  void AddError(const std::string& file, int line, int column, const std::string& message) override {
    const std::string place =
        line < 0 ? file : file + ":" + std::to_string(line + 1) + ":" + std::to_string(column + 1);
    add(place, message);
  }
  void AddError(const std::string& file, const std::string& element, const pb::Message*, ErrorLocation,
                const std::string& message) override {
    add(file + " " + element, message);
  }
  const std::string& text() const { return text_; }

 private:
  void add(const std::string& place, const std::string& message) {
    text_ += (text_.empty() ? "" : " ") + place + ": " + message;
  }
  std::string text_;
};

const pb::ServiceDescriptor* find_service(const pb::FileDescriptor& file, const std::string& name) {
  for (int i = 0; i < file.service_count(); ++i)
    if (file.service(i)->full_name() == name || file.service(i)->name() == name) return file.service(i);
  return nullptr;
}

}  // namespace

// google/protobuf/*.proto are not given: they are linked in.
struct Method::World {
  explicit World(const ProtoFiles& files) : tree(files), given(&tree), all(&given, &linked), pool(&all, &complaints) {
    given.RecordErrorsTo(&complaints);
  }
  Complaints complaints;
  FileTree tree;
  pb::compiler::SourceTreeDescriptorDatabase given;
  pb::DescriptorPoolDatabase linked{*pb::DescriptorPool::generated_pool()};
  pb::MergedDescriptorDatabase all;
  pb::DescriptorPool pool;
  pb::DynamicMessageFactory factory{&pool};
};

Method::Method(std::unique_ptr<World> world, const pb::MethodDescriptor& method)
    : world_(std::move(world)), method_(method), path_("/" + method.service()->full_name() + "/" + method.name()) {}

Method::~Method() = default;

FoundMethod Method::find(const ProtoFiles& files, const MethodName& name) {
  auto world = std::make_unique<World>(files);
  const pb::FileDescriptor* file = world->pool.FindFileByName(name.proto);
  if (file == nullptr) return "The file cannot be read. " + world->complaints.text();
  const pb::ServiceDescriptor* service = find_service(*file, name.service);
  if (service == nullptr) return name.proto + " has no service '" + name.service + "'.";
  const pb::MethodDescriptor* method = service->FindMethodByName(name.method);
  if (method == nullptr) return "The service '" + name.service + "' has no method '" + name.method + "'.";
  if (method->client_streaming() || method->server_streaming())
    return "The method '" + name.method + "' streams; only calls with one message in and one out can be made.";
  return std::shared_ptr<Method>(new Method(std::move(world), *method));
}

// The factory may be asked by several threads at once.
std::unique_ptr<pb::Message> Method::make_input() const {
  return std::unique_ptr<pb::Message>(world_->factory.GetPrototype(method_.input_type())->New());
}

std::unique_ptr<pb::Message> Method::make_output() const {
  return std::unique_ptr<pb::Message>(world_->factory.GetPrototype(method_.output_type())->New());
}

namespace {

// With its length before each part, so that no two lists of parts have one key.
void add_part(std::string& key, std::string_view part) { key += std::to_string(part.size()) + ":" + std::string(part); }

std::string key_of(const ProtoFiles& files, const MethodName& name) {
  std::string key;
  for (const std::string* part : {&name.proto, &name.service, &name.method}) add_part(key, *part);
  for (const auto& [path, text] : files) {
    add_part(key, path);
    add_part(key, text);
  }
  return key;
}

}  // namespace

FoundMethod Methods::find(const ProtoFiles& files, const MethodName& name) {
  const std::string key = key_of(files, name);
  const std::lock_guard lock(mutex_);
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  FoundMethod found = Method::find(files, name);
  if (known_.size() >= kMethodsMax) known_.clear();
  if (const auto* method = std::get_if<std::shared_ptr<Method>>(&found)) known_.emplace(key, *method);
  return found;
}

}  // namespace pawl::grpc
