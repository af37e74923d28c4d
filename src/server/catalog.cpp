#include "server/catalog.h"

#include <algorithm>
#include <charconv>

#include "api/machine.h"
#include "json/parse.h"
#include "json/print.h"
#include "lang/asl/lint.h"

namespace pawl::server {

namespace {

using json::ObjectBuilder;

constexpr const char* kMachineKind = "machine";
constexpr const char* kDefinitionKind = "definition";

Value to_value(DefinitionId id) { return Value::integer(static_cast<int64_t>(id.number)); }
Value to_value(Timestamp time) { return Value::integer(time.time_since_epoch().count()); }

std::string text_at(const Value& body, std::string_view name) {
  const Value* found = body.find(name);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

uint64_t number_at(const Value& body, std::string_view name) {
  const Value* found = body.find(name);
  return found != nullptr && found->is_number() ? static_cast<uint64_t>(found->as_integer().value_or(0)) : 0;
}

DefinitionId id_at(const Value& body, std::string_view name) { return DefinitionId(number_at(body, name)); }

Timestamp time_at(const Value& body, std::string_view name) {
  return Timestamp(Duration(static_cast<int64_t>(number_at(body, name))));
}

Value value_at(const Value& body, std::string_view name) {
  const Value* found = body.find(name);
  return found == nullptr ? Value() : *found;
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
  return body.build();
}

bool flag_at(const Value& body, std::string_view name) {
  const Value* found = body.find(name);
  return found != nullptr && found->is_boolean() && found->as_boolean();
}

Revision to_revision(const Value& body) {
  return {id_at(body, "id"),     id_at(body, "family"),      text_at(body, "machine"), text_at(body, "definition"),
          text_at(body, "role"), value_at(body, "settings"), time_at(body, "made"),    flag_at(body, "express")};
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
  Alias alias{text_at(body, "name"), text_at(body, "description"), time_at(body, "made"), time_at(body, "changed"), {}};
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
  machine.name = text_at(body, "name");
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
                                text_at(version, "description")});
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

std::expected<std::shared_ptr<const asl::Program>, std::string> compile_definition(std::string_view text,
                                                                                   bool express) {
  asl::Options options;
  options.express = express;
  // The API takes JSON only, where the rest of Pawl reads YAML too.
  const Diagnostics findings = asl::lint_document(json::parse_document(text), options);
  if (has_errors(findings)) return std::unexpected(asl::aws_refusal(findings));
  api::LoadedMachine loaded = api::load_machine(text, "", options);
  if (loaded.program == nullptr) return std::unexpected(asl::aws_refusal(loaded.diagnostics));
  return std::shared_ptr<const asl::Program>(std::move(loaded.program));
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

std::shared_ptr<const asl::Program> Catalog::find_program(DefinitionId definition) const {
  const auto entry = find_entry(definition);
  if (entry == nullptr) return nullptr;
  std::call_once(entry->compiled, [&] {
    auto compiled = compile_definition(entry->revision->definition, entry->revision->express);
    if (compiled) entry->program = std::move(*compiled);
  });
  return entry->program;
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
  const std::shared_lock lock(mutex_);
  std::vector<MachinePointer> listed;
  for (auto at = machines_.upper_bound(after); at != machines_.end() && listed.size() < limit; ++at)
    if (!at->second.back()->deleted) listed.push_back(at->second.back());
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
