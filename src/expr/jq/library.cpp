#include "expr/jq/library.h"

#include <map>
#include <memory>

#include "base/assert.h"
#include "expr/jq/parser.h"

namespace pawl::jq::internal {

namespace {

// A definition sees all others, and itself. Names that begin with _ are not for programs.
constexpr std::string_view kText = R"jq(
def map(f): [.[] | f];
def select(f): if f then . else empty end;
def values: if . == null then empty else . end;
def nulls: if . == null then . else empty end;
def booleans: if type == "boolean" then . else empty end;
def numbers: if type == "number" then . else empty end;
def strings: if type == "string" then . else empty end;
def arrays: if type == "array" then . else empty end;
def objects: if type == "object" then . else empty end;
def iterables: if type | . == "array" or . == "object" then . else empty end;
def scalars: if type | . == "array" or . == "object" then empty else . end;
def finites: if type == "number" and (isinfinite or isnan | not) then . else empty end;
def normals: if isnormal then . else empty end;

def recurse(f): def r: ., (f | r); r;
def recurse(f; cond): def r: ., (f | select(cond) | r); r;
def recurse: def r: ., (.[]? | r); r;
def recurse_down: recurse;
def while(cond; update): def w: if cond then ., (update | w) else empty end; w;
def until(cond; update): def u: if cond then . else update | u end; u;
def repeat(f): def r: f, r; r;
def walk(f): def w: if type == "object" then map_values(w) elif type == "array" then map(w) else . end | f; w;
def map_values(f): .[] |= f;
def with_entries(f): to_entries | [.[] | f] | from_entries;

def first(f): label $done | (f | ., break $done);
def first: .[0];
def last(f): reduce f as $item (null; $item);
def last: .[-1];
def isempty(f): label $done | ((f | false, break $done), true);
def limit($count; f):
  if $count > 0 then
    label $done | foreach f as $item (0; . + 1; $item, if . >= $count then break $done else empty end)
  elif $count == 0 then empty
  else f end;
def skip($count; f):
  if $count > 0 then foreach f as $item ($count; . - 1; if . < 0 then $item else empty end)
  elif $count == 0 then f
  else error("Invalid arguments to skip: count must not be negative") end;
def nth($index): .[$index];
def nth($index; f):
  if $index < 0 then error("nth doesn't support negative indices")
  else last(limit($index + 1; f)) end;
def in(object): . as $key | object | has($key);
def inside(whole): . as $part | whole | contains($part);
def any: label $done | ((.[] | if . then true, break $done else empty end), false);
def all: label $done | ((.[] | if . then empty else false, break $done end), true);
def any(f): label $done | ((.[] | f | if . then true, break $done else empty end), false);
def all(f): label $done | ((.[] | f | if . then empty else false, break $done end), true);
def any(source; cond): label $done | ((source | cond | if . then true, break $done else empty end), false);
def all(source; cond): label $done | ((source | cond | if . then empty else false, break $done end), true);
def isfinite: type == "number" and (isinfinite | not);
def abs: if . < 0 then -. else . end;
def isvalid(f): try (f | true) catch false;
def add(f): reduce f as $item (null; . + $item);
def JOIN($index; key): [.[] | [., $index[key]]];
def JOIN($index; source; key): source | [., $index[key]];
def JOIN($index; source; key; joined): source | [., $index[key]] | joined;
def IN(source): any(source == .; .);
def IN(source; wanted): any(source == wanted; .);
def INDEX(source; key): reduce source as $row ({}; .[$row | key | tostring] = $row);
def INDEX(key): INDEX(.[]; key);
def combinations:
  if length == 0 then [] else .[0][] as $first | (.[1:] | combinations) as $rest | [$first] + $rest end;
def combinations(count): . as $items | [range(count) | $items] | combinations;
def ascii: [.] | implode;
def todate: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;
def todateiso8601: todate;
def fromdate: fromdateiso8601;
def date: todate;
def dateadd($unit; $count): . + $count;
def datesub($unit; $count): . - $count;

def paths: path(..) | select(length > 0);
def paths(cond): path(.. | select(cond)) | select(length > 0);
def leaf_paths: paths(scalars);
def del(f): delpaths([path(f)]);
def toarray: if type == "array" then . else [.] end;
def pick(f): . as $whole | reduce path(f) as $path (null; setpath($path; $whole | getpath($path)));
def tostream:
  path(def r: (.[]? | r), .; r) as $path
  | getpath($path)
  | reduce path(.[]?) as $inner ([$path, .]; [$path + $inner]);
def fromstream(source):
  {whole: null, ended: false} as $start
  | foreach source as $event ($start;
      if .ended then $start else . end
      | if $event | length == 2
        then .ended = ($event[0] | length == 0) | .whole = (.whole | setpath($event[0]; $event[1]))
        else .ended = ($event[0] | length == 1) end;
      if .ended then .whole else empty end);
def truncate_stream(source):
  . as $depth | null | source | . as $event
  | if ($event[0] | length) > $depth then [$event[0][$depth:]] + $event[1:] else empty end;

def sort_by(f): _sort_by([.[] | [f]]);
def group_by(f): _group_by([.[] | [f]]);
def unique_by(f): _unique_by([.[] | [f]]);
def min_by(f): _min_by([.[] | [f]]);
def max_by(f): _max_by([.[] | [f]]);

def _pattern($given):
  $given | type as $type
  | if $type == "string" then [., null]
    elif $type == "array" and length > 0 then [.[0], .[1]]
    else error($type + " not a string or array") end;
def match($given): _pattern($given) as [$pattern, $flags] | _match($pattern; $flags)[];
def match($pattern; $flags): _match($pattern; $flags)[];
def test($given): _pattern($given) as [$pattern, $flags] | _test($pattern; $flags);
def test($pattern; $flags): _test($pattern; $flags);
def capture($given): match($given) | _captured;
def capture($pattern; $flags): match($pattern; $flags) | _captured;
def scan($pattern): scan($pattern; null);
def scan($pattern; $flags):
  match($pattern; "g" + $flags) | if .captures | length > 0 then [.captures[].string] else .string end;
def split($pattern; $flags):
  . as $text | [_match($pattern; "g" + $flags)[]] as $found
  | [foreach ($found[], null) as $one ({at: 0}; .part = $text[.at:($one | if . then .offset else null end)]
                                               | .at = ($one | if . then .offset + .length else 0 end); .part)];
def splits($pattern): splits($pattern; null);
def splits($pattern; $flags): split($pattern; $flags) | .[];
def sub($pattern; text): sub($pattern; text; "");
def sub($pattern; text; $flags):
  . as $whole | _match($pattern; $flags) as $found
  | [$found[] | [_captured | text]] as $texts | _substituted($found; $texts) | .[];
def gsub($pattern; text): sub($pattern; text; "g");
def gsub($pattern; text; $flags): sub($pattern; text; $flags + "g");
)jq";

struct Library {
  std::shared_ptr<Syntax> syntax;
  std::map<std::pair<std::string_view, size_t>, const Definition*> definitions;

  Library() {
    auto parsed = parse_library(kText);
    PAWL_ASSERT(parsed.has_value(), parsed ? "" : to_string(parsed.error()));
    syntax = *std::move(parsed);
    for (const Definition* definition : syntax->top_level)
      definitions[{definition->name, definition->parameters.size()}] = definition;
  }
};

const Library& library() {
  static const Library all;
  return all;
}

}  // namespace

const Definition* library_definition(std::string_view name, size_t arity) {
  const auto found = library().definitions.find({name, arity});
  return found == library().definitions.end() ? nullptr : found->second;
}

std::vector<std::string> library_names() {
  std::vector<std::string> names;
  for (const auto& [key, definition] : library().definitions)
    if (!key.first.starts_with('_')) names.push_back(std::string(key.first) + "/" + std::to_string(key.second));
  return names;
}

}  // namespace pawl::jq::internal
