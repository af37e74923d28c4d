#include "schema/uri.h"

#include <vector>

namespace pawl::schema::internal {

namespace {

// The parts of a URI without its fragment, each with the characters that set it apart.
struct Parts {
  std::string_view scheme;     // "http:"
  std::string_view authority;  // "//host"
  std::string_view path;
  std::string_view query;  // "?a=b"
};

bool is_scheme(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool is_other = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
    if (!is_letter && (i == 0 || !is_other)) return false;
  }
  return !text.empty();
}

Parts split(std::string_view uri) {
  Parts parts;
  const size_t colon = uri.find(':');
  if (colon != std::string_view::npos && is_scheme(uri.substr(0, colon))) {
    parts.scheme = uri.substr(0, colon + 1);
    uri.remove_prefix(colon + 1);
  }
  const size_t question = uri.find('?');
  if (question != std::string_view::npos) {
    parts.query = uri.substr(question);
    uri = uri.substr(0, question);
  }
  if (uri.starts_with("//")) {
    const size_t slash = uri.find('/', 2);
    parts.authority = uri.substr(0, slash);
    uri.remove_prefix(parts.authority.size());
  }
  parts.path = uri;
  return parts;
}

void remove_last_segment(std::string& path) {
  const size_t slash = path.rfind('/');
  path.erase(slash == std::string::npos ? 0 : slash);
}

// "/a/b/../c" -> "/a/c", as in section 5.2.4.
std::string without_dot_segments(std::string_view input) {
  std::string output;
  while (!input.empty()) {
    if (input.starts_with("../")) {
      input.remove_prefix(3);
    } else if (input.starts_with("./") || input.starts_with("/./")) {
      input.remove_prefix(2);
    } else if (input == "/." || input == ".") {
      input = input.starts_with('/') ? "/" : "";
    } else if (input.starts_with("/../") || input == "/..") {
      input = input == "/.." ? std::string_view("/") : input.substr(3);
      remove_last_segment(output);
    } else if (input == "..") {
      input = {};
    } else {
      const size_t next = input.find('/', 1);
      output += input.substr(0, next);
      input.remove_prefix(next == std::string_view::npos ? input.size() : next);
    }
  }
  return output;
}

std::string merge(const Parts& base, std::string_view path) {
  if (!base.authority.empty() && base.path.empty()) return "/" + std::string(path);
  const size_t slash = base.path.rfind('/');
  return std::string(slash == std::string_view::npos ? std::string_view() : base.path.substr(0, slash + 1)) +
         std::string(path);
}

std::string join(std::string_view scheme, std::string_view authority, std::string_view path, std::string_view query) {
  std::string uri(scheme);
  uri += authority;
  uri += path;
  uri += query;
  return uri;
}

// Of two paths in a folder: section 5.2.4 knows absolute ones only, and would lead out of "a/../b" into "/b".
std::string relative_path(std::string_view merged) {
  std::vector<std::string_view> segments;
  while (!merged.empty()) {
    const size_t slash = merged.find('/');
    const std::string_view segment = merged.substr(0, slash);
    merged.remove_prefix(slash == std::string_view::npos ? merged.size() : slash + 1);
    if (segment == "..") {
      if (segments.empty() || segments.back() == "..")
        segments.push_back(segment);
      else
        segments.pop_back();
    } else if (segment != "." && !segment.empty()) {
      segments.push_back(segment);
    }
  }
  std::string path;
  for (const std::string_view segment : segments) path.append(path.empty() ? "" : "/").append(segment);
  return path;
}

std::string resolve_parts(const Parts& base, const Parts& reference) {
  if (!reference.scheme.empty()) return join(reference.scheme, reference.authority, reference.path, reference.query);
  if (!reference.authority.empty())
    return join(base.scheme, reference.authority, without_dot_segments(reference.path), reference.query);
  if (reference.path.empty())
    return join(base.scheme, base.authority, base.path, reference.query.empty() ? base.query : reference.query);
  if (reference.path.starts_with('/'))
    return join(base.scheme, base.authority, without_dot_segments(reference.path), reference.query);
  const std::string merged = merge(base, reference.path);
  const bool is_relative = base.scheme.empty() && base.authority.empty() && !merged.starts_with('/');
  return join(base.scheme, base.authority, is_relative ? relative_path(merged) : without_dot_segments(merged),
              reference.query);
}

}  // namespace

std::string resolve_uri(std::string_view base, std::string_view reference) {
  std::string uri = resolve_parts(split(without_fragment(base)), split(without_fragment(reference)));
  const std::string_view fragment = fragment_of(reference);
  if (!fragment.empty()) {
    uri += '#';
    uri += fragment;
  }
  return uri;
}

std::string_view without_fragment(std::string_view uri) { return uri.substr(0, uri.find('#')); }

std::string_view fragment_of(std::string_view uri) {
  const size_t hash = uri.find('#');
  return hash == std::string_view::npos ? std::string_view() : uri.substr(hash + 1);
}

}  // namespace pawl::schema::internal
