#include "server/catalog.h"

#include <algorithm>
#include <charconv>

#include "api/start_window.h"
#include "json/members.h"
#include "json/parse.h"
#include "json/print.h"
#include "lang/asl/context.h"
#include "lang/asl/lint.h"
#include "server/functions.h"
#include "text/diagnostics_format.h"

namespace pawl::server {

namespace {

using json::ObjectBuilder;
using json::value_at;

constexpr const char* kMachineKind = "machine";
constexpr const char* kDefinitionKind = "definition";

Value to_value(DefinitionId id) { return Value::integer(static_cast<int64_t>(id.number)); }
Value to_value(Timestamp time) { return Value::integer(time.time_since_epoch().count()); }

std::string string_at(const Value& body, std::string_view name) { return std::string(json::text_at(body, name)); }

uint64_t number_at(const Value& body, std::string_view name) {
  return static_cast<uint64_t>(json::integer_at(body, name));
}

DefinitionId id_at(const Value& body, std::string_view name) { return DefinitionId(number_at(body, name)); }

Timestamp time_at(const Value& body, std::string_view name) {
  return Timestamp(Duration(static_cast<int64_t>(number_at(body, name))));
}

Value to_body(const api::Files& files) {
  ObjectBuilder body(files.size());
  for (const auto& [path, text] : files) body.set(path, Value::string(text));
  return body.build();
}

api::Files to_files(const Value& body) {
  api::Files files;
  if (!body.is_object()) return files;
  for (const json::Member& member : body.members())
    if (member.value.is_string()) files.emplace(member.key.as_string(), member.value.as_string());
  return files;
}

Value to_value(const std::vector<std::string>& texts) {
  json::ArrayBuilder list(texts.size());
  for (const std::string& text : texts) list.push(Value::string(text));
  return list.build();
}

std::vector<std::string> to_texts(const Value& list) {
  std::vector<std::string> texts;
  if (!list.is_array()) return texts;
  for (const Value& item : list.items())
    if (item.is_string()) texts.emplace_back(item.as_string());
  return texts;
}

Value to_body(const Revision& revision) {
  ObjectBuilder body;
  body.set("id", to_value(revision.id));
  body.set("family", to_value(revision.family));
  body.set("machine", Value::string(revision.machine));
  body.set("definition", Value::string(revision.definition));
  body.set("role", Value::string(revision.role));
  body.set("settings", revision.settings);
  body.set("made", to_value(revision.made));
  body.set("express", Value::boolean(revision.express));
  if (!revision.files.empty()) body.set("files", to_body(revision.files));
  body.set("language", Value::string(revision.language));
  if (!revision.options.empty()) body.set("options", to_value(revision.options));
  return body.build();
}

bool flag_at(const Value& body, std::string_view name) {
  const Value* found = body.find(name);
  return found != nullptr && found->is_boolean() && found->as_boolean();
}

// Before there were several, nothing said it.
std::string language_at(const Value& body) {
  const std::string language = string_at(body, "language");
  return language.empty() ? std::string(api::name_of(api::Language::kAsl)) : language;
}

Revision to_revision(const Value& body) {
  return {id_at(body, "id"),
          id_at(body, "family"),
          string_at(body, "machine"),
          string_at(body, "definition"),
          string_at(body, "role"),
          value_at(body, "settings"),
          time_at(body, "made"),
          flag_at(body, "express"),
          to_files(value_at(body, "files")),
          language_at(body),
          to_texts(value_at(body, "options"))};
}

Value to_body(const PublishedVersion& version) {
  ObjectBuilder body;
  body.set("number", Value::integer(static_cast<int64_t>(version.number)));
  body.set("revision", to_value(version.revision));
  body.set("made", to_value(version.made));
  body.set("description", Value::string(version.description));
  return body.build();
}

Value to_body(const Alias& alias) {
  json::ArrayBuilder routes;
  for (const AliasRoute& route : alias.routes) {
    ObjectBuilder item(2);
    item.set("version", Value::integer(static_cast<int64_t>(route.version)));
    item.set("weight", Value::integer(route.weight));
    routes.push(item.build());
  }
  ObjectBuilder body;
  body.set("name", Value::string(alias.name));
  body.set("description", Value::string(alias.description));
  body.set("made", to_value(alias.made));
  body.set("changed", to_value(alias.changed));
  body.set("routes", routes.build());
  return body.build();
}

Alias to_alias(const Value& body) {
  Alias alias{
      string_at(body, "name"), string_at(body, "description"), time_at(body, "made"), time_at(body, "changed"), {}};
  const Value routes = value_at(body, "routes");
  if (!routes.is_array()) return alias;
  for (const Value& route : routes.items())
    alias.routes.push_back({number_at(route, "version"), static_cast<uint32_t>(number_at(route, "weight"))});
  return alias;
}

Value to_body(const Machine& machine) {
  json::ArrayBuilder aliases;
  for (const Alias& alias : machine.aliases) aliases.push(to_body(alias));
  json::ArrayBuilder versions;
  for (const PublishedVersion& version : machine.versions) versions.push(to_body(version));
  ObjectBuilder body;
  body.set("name", Value::string(machine.name));
  body.set("family", to_value(machine.family));
  body.set("current", to_value(machine.current));
  body.set("made", to_value(machine.made));
  body.set("deleted", Value::boolean(machine.deleted));
  body.set("disabled", Value::boolean(machine.disabled));
  body.set("versionsMade", Value::integer(static_cast<int64_t>(machine.versions_made)));
  body.set("versions", versions.build());
  body.set("aliases", aliases.build());
  body.set("tags", machine.tags);
  return body.build();
}

Machine to_machine(const Value& body) {
  Machine machine;
  machine.name = string_at(body, "name");
  machine.family = id_at(body, "family");
  machine.current = id_at(body, "current");
  machine.made = time_at(body, "made");
  machine.deleted = flag_at(body, "deleted");
  machine.disabled = flag_at(body, "disabled");
  machine.versions_made = number_at(body, "versionsMade");
  if (const Value tags = value_at(body, "tags"); tags.is_object()) machine.tags = tags;
  if (const Value aliases = value_at(body, "aliases"); aliases.is_array())
    for (const Value& alias : aliases.items()) machine.aliases.push_back(to_alias(alias));
  const Value versions = value_at(body, "versions");
  if (!versions.is_array()) return machine;
  for (const Value& version : versions.items())
    machine.versions.push_back({number_at(version, "number"), id_at(version, "revision"), time_at(version, "made"),
                                string_at(version, "description")});
  return machine;
}

std::unexpected<Error> damaged(const store::Document& document) {
  return fail("CATALOG_DAMAGED",
              "The " + document.kind + " '" + document.key + "' in the data directory cannot be read.",
              "Restore the data directory from a backup.");
}

std::string key_of(DefinitionId id) { return std::to_string(id.number); }

// The revision is told apart from others by its id, which must be its document's key.
Result<Revision> read_revision(const store::Document& document) {
  const auto body = json::parse(document.body);
  if (!body) return damaged(document);
  Revision revision = to_revision(*body);
  if (key_of(revision.id) != document.key || !revision.family || revision.machine.empty()) return damaged(document);
  return revision;
}

Result<Machine> read_machine(const store::Document& document) {
  const auto body = json::parse(document.body);
  if (!body) return damaged(document);
  Machine machine = to_machine(*body);
  if (key_of(machine.family) != document.key || machine.name.empty()) return damaged(document);
  return machine;
}

}  // namespace

const PublishedVersion* Machine::find_version(uint64_t number) const {
  const auto found = std::ranges::find(versions, number, &PublishedVersion::number);
  return found == versions.end() ? nullptr : &*found;
}

const Alias* Machine::find_alias(std::string_view alias) const {
  const auto found = std::ranges::find(aliases, alias, &Alias::name);
  return found == aliases.end() ? nullptr : &*found;
}

namespace {

// What AWS would say of an ASL text. Its API takes JSON only, where the rest of Pawl reads YAML too.
std::string aws_refusal_of(const Revision& revision) {
  asl::Options options;
  options.express = revision.express;
  return asl::aws_refusal(asl::lint_document(json::parse_document(revision.definition), options));
}

}  // namespace

// A text in no language is taken for ASL: whoever speaks AWS's protocol expects AWS's words.
std::expected<std::shared_ptr<const Compiled>, std::string> compile_definition(const Revision& revision) {
  if (is_function(revision)) return compile_function(revision);
  api::LoadedDefinition loaded = api::load_definition({.text = revision.definition,
                                                       .file = "",
                                                       .assignments = revision.options,
                                                       .read = api::read_from(revision.files),
                                                       .express = revision.express});
  const bool is_asl = !loaded.language || *loaded.language == api::Language::kAsl;
  if (is_asl)
    if (std::string refusal = aws_refusal_of(revision); !refusal.empty()) return std::unexpected(std::move(refusal));
  if (loaded.program == nullptr)
    return std::unexpected(is_asl ? asl::aws_refusal(loaded.diagnostics) : text::format_as_text(loaded.diagnostics));
  if (!is_asl && revision.express) return std::unexpected("Only the Amazon States Language has the type EXPRESS.");
  return std::make_shared<const Compiled>(*loaded.language, std::move(loaded.name), std::move(loaded.program),
                                          std::move(loaded.asl));
}

// Executions of an EXPRESS machine may share a name: their ARNs have the id beside it.
std::string arn_of(const Arns& arns, const Revision& revision, const std::string& given_name, ExecutionId id) {
  const std::string name = given_name.empty() ? generated_name(id) : given_name;
  return revision.express ? arns.of_express(revision.machine, name, generated_name(id))
                          : arns.of_execution(revision.machine, name);
}

Value make_context(const Arns& arns, const Revision& revision, const std::string& given_name, ExecutionId id,
                   const Value& input, Timestamp started) {
  const std::string execution = given_name.empty() ? generated_name(id) : given_name;
  const std::string execution_arn = arn_of(arns, revision, given_name, id);
  const std::string machine_arn = arns.of_machine(revision.machine);
  const asl::ContextFacts facts{execution_arn, execution, revision.role, machine_arn, revision.machine, started};
  return asl::make_context(facts, input, {});
}

Result<void> Catalog::load(const store::Store& store) {
  for (const store::Document& document : store.documents(kDefinitionKind)) {
    PAWL_TRY(Revision revision, read_revision(document));
    Change change{{}, std::move(revision)};
    apply(std::move(change));
  }
  std::map<DefinitionId, Machine> machines;  // so that of one name the newest comes last
  for (const store::Document& document : store.documents(kMachineKind)) {
    PAWL_TRY(Machine machine, read_machine(document));
    if (find_entry(machine.current) == nullptr) return damaged(document);
    machines.emplace(machine.family, std::move(machine));
  }
  for (auto& [family, machine] : machines) apply({std::move(machine), std::nullopt});
  return {};
}

std::string Catalog::family_of(DefinitionId definition) {
  const auto entry = find_entry(definition);
  return entry == nullptr ? std::string() : key_of(entry->revision->family);
}

std::shared_ptr<const Catalog::Entry> Catalog::find_entry(DefinitionId definition) const {
  const std::shared_lock lock(mutex_);
  const auto found = revisions_.find(definition);
  return found == revisions_.end() ? nullptr : found->second;
}

std::string Catalog::name_of(DefinitionId definition) {
  const auto entry = find_entry(definition);
  return entry == nullptr ? std::string() : entry->revision->machine;
}

std::optional<DefinitionId> Catalog::find_named(std::string_view name) {
  const MachinePointer machine = find_machine(name);
  if (machine == nullptr || machine->disabled) return std::nullopt;
  return machine->current;
}

Value Catalog::make_context(DefinitionId definition, ExecutionId execution, const std::string& name, const Value& input,
                            Timestamp started) {
  const auto entry = find_entry(definition);
  return entry == nullptr ? Value() : server::make_context(arns_, *entry->revision, name, execution, input, started);
}

bool Catalog::may_start(DefinitionId definition, Timestamp now) {
  const auto code = find_compiled(definition);
  if (code == nullptr) return true;  // whoever starts it is told why it cannot be
  const auto window = api::StartWindow::of(code->program->start_rule(), find_revision(definition)->made);
  return !window || window->is_open(now);
}

std::optional<Duration> Catalog::retention_of(DefinitionId definition) {
  const auto code = find_compiled(definition);
  return code == nullptr ? std::nullopt : code->retention;
}

std::shared_ptr<const Compiled> Catalog::find_compiled(DefinitionId definition) const {
  const auto entry = find_entry(definition);
  if (entry == nullptr) return nullptr;
  std::call_once(entry->compiled, [&] {
    auto compiled = compile_definition(*entry->revision);
    if (compiled) entry->code = std::move(*compiled);
  });
  return entry->code;
}

std::shared_ptr<const kernel::Program> Catalog::find_program(DefinitionId definition) const {
  const auto compiled = find_compiled(definition);
  return compiled == nullptr ? nullptr : compiled->program;
}

RevisionPointer Catalog::find_revision(DefinitionId definition) const {
  const auto entry = find_entry(definition);
  return entry == nullptr ? nullptr : entry->revision;
}

MachinePointer Catalog::find_machine(std::string_view name) const {
  const std::shared_lock lock(mutex_);
  const auto found = machines_.find(name);
  if (found == machines_.end() || found->second.back()->deleted) return nullptr;
  return found->second.back();
}

std::vector<MachinePointer> Catalog::find_generations(std::string_view name) const {
  const std::shared_lock lock(mutex_);
  const auto found = machines_.find(name);
  if (found == machines_.end()) return {};
  return {found->second.rbegin(), found->second.rend()};
}

std::vector<MachinePointer> Catalog::list_machines(std::string_view after, size_t limit) const {
  return list(after, limit, false);
}

std::vector<MachinePointer> Catalog::list_functions(std::string_view after, size_t limit) const {
  return list(after, limit, true);
}

std::vector<MachinePointer> Catalog::list(std::string_view after, size_t limit, bool functions) const {
  const std::shared_lock lock(mutex_);
  std::vector<MachinePointer> listed;
  for (auto at = machines_.upper_bound(after); at != machines_.end() && listed.size() < limit; ++at) {
    const bool is_function = at->first.starts_with(kFunctionPrefix);
    if (functions && !is_function) break;  // theirs stand together
    if (is_function == functions && !at->second.back()->deleted) listed.push_back(at->second.back());
  }
  return listed;
}

std::vector<DefinitionId> Catalog::revisions_of(DefinitionId family) const {
  const std::shared_lock lock(mutex_);
  const auto found = by_family_.find(family);
  if (found == by_family_.end()) return {};
  return {found->second.rbegin(), found->second.rend()};
}

DefinitionId Catalog::next_id() const {
  const std::shared_lock lock(mutex_);
  return last_.next();
}

std::vector<store::Document> Catalog::documents_of(const Change& change) {
  std::vector<store::Document> documents;
  if (change.revision)
    documents.push_back({kDefinitionKind, key_of(change.revision->id), json::print(to_body(*change.revision))});
  documents.push_back({kMachineKind, key_of(change.machine.family), json::print(to_body(change.machine))});
  return documents;
}

void Catalog::apply(Change change) {
  const std::lock_guard lock(mutex_);
  if (change.revision) {
    const DefinitionId id = change.revision->id;
    last_ = std::max(last_, id);
    std::vector<DefinitionId>& family = by_family_[change.revision->family];
    family.insert(std::ranges::upper_bound(family, id), id);
    auto entry = std::make_shared<Entry>();
    entry->revision = std::make_shared<const Revision>(*std::move(change.revision));
    revisions_.insert_or_assign(id, std::move(entry));
  }
  if (change.machine.name.empty()) return;
  std::vector<MachinePointer>& generations = machines_[change.machine.name];
  auto machine = std::make_shared<const Machine>(std::move(change.machine));
  if (!generations.empty() && generations.back()->family == machine->family)
    generations.back() = std::move(machine);
  else
    generations.push_back(std::move(machine));
}

}  // namespace pawl::server
