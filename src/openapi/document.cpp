// Finds an operation in a document, and reads what its call needs.
#include <algorithm>
#include <array>
#include <optional>

#include "json/members.h"
#include "json/pointer.h"
#include "openapi/operation.h"
#include "text/percent.h"
#include "text/suggest.h"

namespace pawl::openapi {

namespace {

constexpr std::array<std::string_view, 7> kMethods = {"get", "put", "post", "delete", "options", "head", "patch"};
constexpr std::string_view kFormType = "application/x-www-form-urlencoded";

bool flag_in(const Value& object, std::string_view name, bool otherwise) {
  const Value* found = object.find(name);
  return found != nullptr && found->is_boolean() ? found->as_boolean() : otherwise;
}

std::unexpected<Error> invalid(std::string what, std::string where) {
  return fail("OPENAPI_INVALID", std::move(what), "Correct the document.", std::move(where));
}

std::unexpected<Error> no_server(std::string what, std::string where) {
  return fail("OPENAPI_NO_SERVER", std::move(what), "Write the whole URL, https://…, into the document.",
              std::move(where));
}

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& c : upper)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return upper;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

bool is_header_name(std::string_view name) {
  constexpr std::string_view kSigns = "!#$%&'*+-.^_`|~";
  return !name.empty() && std::ranges::all_of(name, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || kSigns.contains(c);
  });
}

// What OpenAPI says to pass over: these are made from the bodies and from who calls.
bool is_made_elsewhere(const Parameter& parameter) {
  const std::string name = lower_case(parameter.name);
  return parameter.in == Location::kHeader && (name == "accept" || name == "content-type" || name == "authorization");
}

// How a body of this type is written; kNone: not at all.
BodyForm form_of(std::string_view media_type) {
  const std::string type = lower_case(media_type.substr(0, media_type.find(';')));
  if (type == "application/json" || type == "*/*" || type == "application/*" || type.ends_with("+json"))
    return BodyForm::kJson;
  if (type == kFormType) return BodyForm::kForm;
  return type.starts_with("text/") ? BodyForm::kText : BodyForm::kNone;
}

// Replaces each {name} of a text by what `find` gives for it.
template <typename Find>
Result<std::string> filled_in(std::string_view text, Find find) {
  std::string result;
  while (!text.empty()) {
    const size_t open = text.find('{');
    result += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const size_t close = text.find('}', open);
    if (close == std::string_view::npos) return invalid("A { has no }.", {});
    PAWL_TRY(const std::string replacement, find(text.substr(open + 1, close - open - 1)));
    result += replacement;
    text.remove_prefix(close + 1);
  }
  return result;
}

struct Found {
  const Value* item = nullptr;       // of the path
  const Value* operation = nullptr;  // null: there is none
  std::string_view path;
  std::string_view method;

  std::string pointer() const { return json::child_pointer(json::child_pointer("/paths", path), method); }
};

// Reads one document for one operation. Lives as long as the call; the document must outlive it.
class Reader {
 public:
  Reader(const Value& root, std::string_view base)
      : root_(root), base_(base), is_swagger_(json::text_at(root, "swagger").starts_with("2.")) {}

  Result<Operation> read(std::string_view id) {
    if (!is_swagger_ && !json::text_at(root_, "openapi").starts_with("3."))
      return invalid("The document says neither \"openapi\": \"3.…\" nor \"swagger\": \"2.0\".", {});
    PAWL_TRY(found_, find(id));
    where_ = found_.pointer();
    operation_.id = id;
    operation_.method = upper_case(found_.method);
    PAWL_TRY(const std::string server, is_swagger_ ? swagger_server() : server_url());
    operation_.url = server + std::string(found_.path);
    for (const Value* holder : {found_.item, found_.operation})
      if (auto read = read_parameters(*holder); !read) return std::unexpected(std::move(read).error());
    if (auto read = read_request_body(); !read) return std::unexpected(std::move(read).error());
    if (auto checked = check_path(server.size()); !checked) return std::unexpected(std::move(checked).error());
    return std::move(operation_);
  }

 private:
  // Follows $ref, within the document and not for ever.
  Result<const Value*> resolve(const Value& value) const {
    const Value* at = &value;
    for (size_t step = 0; step < kReferencesMax; ++step) {
      const Value* reference = at->find("$ref");
      if (reference == nullptr || !reference->is_string()) return at;
      const std::string_view uri = reference->as_string();
      const auto pointer = uri.starts_with("#/") ? text::percent_decode(uri.substr(1)) : std::nullopt;
      at = pointer ? json::find_pointer(root_, *pointer) : nullptr;
      if (at == nullptr)
        return fail("OPENAPI_REFERENCE", "The reference '" + std::string(uri) + "' leads nowhere in the document.",
                    "Refer to a part of the same document: #/components/….", where_);
    }
    return fail("OPENAPI_REFERENCE", "References lead from one to the next without an end.", "Break the circle.",
                where_);
  }

  Result<Found> find(std::string_view id) const {
    const Value* paths = root_.find("paths");
    if (paths == nullptr || !paths->is_object()) return invalid("The document has no \"paths\".", {});
    std::vector<std::string_view> ids;
    for (const json::Member& member : paths->members()) {
      PAWL_TRY(const Value* const item, resolve(member.value));
      for (const std::string_view method : kMethods) {
        const Value* operation = item->find(method);
        if (operation == nullptr || !operation->is_object()) continue;
        ids.push_back(json::text_at(*operation, "operationId"));
        if (!id.empty() && ids.back() == id) return Found{item, operation, member.key.as_string(), method};
      }
    }
    const std::string_view near = text::nearest(id, ids);
    return fail("OPENAPI_UNKNOWN_OPERATION",
                "The document has no operation with the operationId '" + std::string(id) + "'.",
                near.empty() ? "Write the operationId of one." : "Did you mean '" + std::string(near) + "'?");
  }

  // --- servers

  static bool is_absolute(std::string_view url) {
    const size_t scheme = url.starts_with("https://") ? 8 : url.starts_with("http://") ? 7 : 0;
    return scheme > 0 && url.size() > scheme && url[scheme] != '/' && url.find_first_of("?# ") == url.npos;
  }

  static std::string without_slash(std::string url) {
    while (url.ends_with('/')) url.pop_back();
    return url;
  }

  static Result<std::string> url_of(const Value& server) {
    const Value* variables = server.find("variables");
    return filled_in(json::text_at(server, "url"), [&](std::string_view name) -> Result<std::string> {
      const Value* variable = variables == nullptr ? nullptr : variables->find(name);
      const Value* given = variable == nullptr ? nullptr : variable->find("default");
      if (given != nullptr && given->is_string()) return std::string(given->as_string());
      if (given != nullptr && given->is_number()) return given->number_text();
      return no_server("The server's variable '" + std::string(name) + "' has no default.", "/servers");
    });
  }

  std::string_view base_origin() const { return base_.substr(0, base_.find_first_of("/?#", base_.find("://") + 3)); }

  // A server's URL as seen from the document's own; itself where it is whole, or the document is a file.
  std::string from_base(std::string url) const {
    if (base_.empty() || is_absolute(url)) return url;
    if (url.empty() || url.starts_with('/')) return std::string(base_origin()) + url;
    while (url.starts_with("./")) url.erase(0, 2);
    const std::string_view path = base_.substr(0, base_.find_first_of("?#"));
    const std::string_view folder = path.substr(0, std::max(path.rfind('/'), base_origin().size()));
    return url.starts_with("..") ? url : std::string(folder) + "/" + url;
  }

  // The first one that is a whole URL, of the operation, else of its path, else of the document; without any, where the
  // document came from.
  Result<std::string> server_url() const {
    for (const Value* holder : {found_.operation, found_.item, &root_}) {
      const Value* servers = holder->find("servers");
      if (servers == nullptr || !servers->is_array() || servers->size() == 0) continue;
      for (const Value& server : servers->items()) {
        auto url = url_of(server);
        if (!url) return url;
        const std::string whole = from_base(*std::move(url));
        if (is_absolute(whole)) return without_slash(whole);
      }
      return no_server("No server of the document has a whole URL, and a file has none that it could be relative to.",
                       "/servers");
    }
    if (!base_.empty()) return std::string(base_origin());
    return no_server("The document names no server.", where_);
  }

  bool offers_scheme(std::string_view scheme) const {
    const Value* own = found_.operation->find("schemes");
    const Value* schemes = own != nullptr ? own : root_.find("schemes");
    if (schemes == nullptr || !schemes->is_array())
      return base_.empty() ? scheme == "https" : base_.starts_with(std::string(scheme) + "://");
    return std::ranges::any_of(schemes->items(),
                               [&](const Value& item) { return item.is_string() && item.as_string() == scheme; });
  }

  Result<std::string> swagger_server() const {
    const std::string_view scheme = offers_scheme("https") ? "https" : offers_scheme("http") ? "http" : "";
    const std::string_view own = json::text_at(root_, "host");
    const std::string_view host = own.empty() && !base_.empty() ? base_origin().substr(base_.find("://") + 3) : own;
    const std::string base = without_slash(std::string(json::text_at(root_, "basePath")));
    const std::string url = std::string(scheme) + "://" + std::string(host) + base;
    const bool is_good = !scheme.empty() && !host.empty() && (base.empty() || base[0] == '/') && is_absolute(url);
    if (!is_good) return no_server("The document has no host that is reached by https or http.", "/host");
    return url;
  }

  // --- parameters

  Result<void> read_parameters(const Value& holder) {
    const Value* list = holder.find("parameters");
    if (list == nullptr) return {};
    if (!list->is_array()) return invalid("\"parameters\" must be an array.", where_);
    for (const Value& item : list->items()) {
      PAWL_TRY(const Value* const given, resolve(item));
      if (is_swagger_ && json::text_at(*given, "in") == "body") {
        read_swagger_body(*given);
        continue;
      }
      PAWL_TRY(Parameter parameter, read_parameter(*given));
      if (!is_made_elsewhere(parameter)) add(std::move(parameter));
    }
    if (operation_.parameters.size() > kParametersMax)
      return invalid("The operation has more than " + std::to_string(kParametersMax) + " parameters.", where_);
    return {};
  }

  // Of the path's and the operation's, the operation's counts.
  void add(Parameter parameter) {
    const auto same = std::ranges::find_if(operation_.parameters, [&](const Parameter& other) {
      return other.name == parameter.name && other.in == parameter.in;
    });
    if (same != operation_.parameters.end())
      *same = std::move(parameter);
    else
      operation_.parameters.push_back(std::move(parameter));
  }

  Result<Parameter> read_parameter(const Value& given) const {
    Parameter parameter;
    parameter.name = json::text_at(given, "name");
    const auto in = location_of(json::text_at(given, "in"));
    if (parameter.name.empty() || !in) return invalid("A parameter has no name, or an unknown \"in\".", where_);
    parameter.in = *in;
    if (*in == Location::kHeader && !is_header_name(parameter.name))
      return invalid("'" + parameter.name + "' is no name of a header.", where_);
    parameter.required = *in == Location::kPath || flag_in(given, "required", false);
    parameter.allows_reserved = *in == Location::kQuery && flag_in(given, "allowReserved", false);
    if (is_swagger_) {
      read_collection_format(given, parameter);
      return parameter;
    }
    PAWL_TRY(parameter.style, style_of(given, *in));
    parameter.explode = flag_in(given, "explode", parameter.style == Style::kForm);
    return parameter;
  }

  std::optional<Location> location_of(std::string_view in) const {
    if (in == "path") return Location::kPath;
    if (in == "query") return Location::kQuery;
    if (in == "header") return Location::kHeader;
    if (in == "cookie" && !is_swagger_) return Location::kCookie;
    if (in == "formData" && is_swagger_) return Location::kFormField;
    return std::nullopt;
  }

  Result<Style> style_of(const Value& given, Location in) const {
    if (given.find("content") != nullptr) return Style::kJson;
    const bool is_in_path = in == Location::kPath;
    const bool is_in_query = in == Location::kQuery;
    const std::string_view style = json::text_at(given, "style");
    if (style.empty()) return is_in_path || in == Location::kHeader ? Style::kSimple : Style::kForm;
    if (style == "simple" && (is_in_path || in == Location::kHeader)) return Style::kSimple;
    if (style == "label" && is_in_path) return Style::kLabel;
    if (style == "matrix" && is_in_path) return Style::kMatrix;
    if (style == "form" && (is_in_query || in == Location::kCookie)) return Style::kForm;
    if (style == "spaceDelimited" && is_in_query) return Style::kSpaceDelimited;
    if (style == "pipeDelimited" && is_in_query) return Style::kPipeDelimited;
    if (style == "deepObject" && is_in_query) return Style::kDeepObject;
    return invalid("A parameter has the style '" + std::string(style) + "', which there is none of where it stands.",
                   where_);
  }

  // Swagger 2.0's way to say what a style is.
  static void read_collection_format(const Value& given, Parameter& parameter) {
    const std::string_view format = json::text_at(given, "collectionFormat");
    const bool has_name = parameter.in == Location::kQuery || parameter.in == Location::kFormField;
    parameter.explode = has_name && format == "multi";
    parameter.style = has_name ? Style::kForm : Style::kSimple;
    if (has_name && format == "ssv") parameter.style = Style::kSpaceDelimited;
    if (has_name && format == "tsv") parameter.style = Style::kTabDelimited;
    if (has_name && format == "pipes") parameter.style = Style::kPipeDelimited;
  }

  // --- bodies

  void read_swagger_body(const Value& given) {
    operation_.body.form = BodyForm::kJson;
    operation_.body.argument = json::text_at(given, "name");
    operation_.body.required = flag_in(given, "required", false);
  }

  Result<void> read_request_body() {
    if (is_swagger_) return finish_swagger_body();
    const Value* given = found_.operation->find("requestBody");
    if (given == nullptr) return {};
    PAWL_TRY(const Value* const body, resolve(*given));
    const Value* content = body->find("content");
    if (content == nullptr || !content->is_object() || content->size() == 0)
      return invalid("The operation's \"requestBody\" has no \"content\".", where_);
    std::vector<std::string_view> types;
    for (const json::Member& member : content->members()) types.push_back(member.key.as_string());
    operation_.body.required = flag_in(*body, "required", false);
    return choose_type(types);
  }

  // JSON where the operation takes it, else a form, else text.
  Result<void> choose_type(const std::vector<std::string_view>& types) {
    for (const BodyForm form : {BodyForm::kJson, BodyForm::kForm, BodyForm::kText})
      for (const std::string_view type : types)
        if (form_of(type) == form) {
          operation_.body.form = form;
          operation_.body.content_type = type.contains('*') ? "application/json" : type;
          return {};
        }
    return fail("OPENAPI_UNSUPPORTED",
                "The operation takes a body of the type '" + std::string(types.front()) + "' only.",
                "Use an operation that takes JSON, a form in the URL's encoding, or text.", where_);
  }

  Result<void> finish_swagger_body() {
    Body& body = operation_.body;
    const bool has_fields = std::ranges::any_of(
        operation_.parameters, [](const Parameter& parameter) { return parameter.in == Location::kFormField; });
    if (!has_fields && body.form == BodyForm::kNone) return {};
    const Value* own = found_.operation->find("consumes");
    const Value* consumes = own != nullptr ? own : root_.find("consumes");
    std::vector<std::string_view> types;
    if (consumes != nullptr && consumes->is_array())
      for (const Value& type : consumes->items())
        if (type.is_string()) types.push_back(type.as_string());
    if (has_fields) return finish_swagger_form(types);
    if (types.empty()) types.push_back("application/json");
    return choose_type(types);
  }

  Result<void> finish_swagger_form(const std::vector<std::string_view>& types) {
    const bool takes_form = types.empty() || std::ranges::any_of(types, [](std::string_view type) {
                              return form_of(type) == BodyForm::kForm;
                            });
    if (!takes_form)
      return fail("OPENAPI_UNSUPPORTED", "The operation takes its fields as '" + std::string(types.front()) + "' only.",
                  "Use an operation that takes JSON, or a form in the URL's encoding.", where_);
    operation_.body = {
        .form = BodyForm::kForm, .content_type = std::string(kFormType), .argument = {}, .takes_rest = false};
    return {};
  }

  // --- the path

  // Every {name} has a parameter, and every parameter of the path a {name}.
  Result<void> check_path(size_t server_size) const {
    const std::string_view path = std::string_view(operation_.url).substr(server_size);
    if (!path.starts_with('/') || path.find_first_of("?# ") != path.npos)
      return invalid("The path '" + std::string(path) + "' does not begin with /, or has a query.", where_);
    std::vector<std::string_view> names;
    const auto checked = filled_in(path, [&](std::string_view name) -> Result<std::string> {
      names.push_back(name);
      return std::string();
    });
    if (!checked) return invalid(checked.error().what, where_);
    for (const std::string_view name : names)
      if (!is_in_path(name)) return invalid("No parameter of the path is called '" + std::string(name) + "'.", where_);
    for (const Parameter& parameter : operation_.parameters)
      if (parameter.in == Location::kPath && std::ranges::find(names, parameter.name) == names.end())
        return invalid("The path has no place for its parameter '" + parameter.name + "'.", where_);
    return {};
  }

  bool is_in_path(std::string_view name) const {
    return std::ranges::any_of(operation_.parameters, [&](const Parameter& parameter) {
      return parameter.in == Location::kPath && parameter.name == name;
    });
  }

  const Value& root_;
  std::string_view base_;
  bool is_swagger_;
  Found found_;
  std::string where_;  // the operation's pointer
  Operation operation_;
};

}  // namespace

Result<Operation> find_operation(const Value& document, std::string_view operation_id, std::string_view base) {
  return Reader(document, base).read(operation_id);
}

}  // namespace pawl::openapi
