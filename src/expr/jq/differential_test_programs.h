// Random jq programs for the differential test: every form of the language, on small data, always ending.
//
// What jq 1.6 and later versions answer differently by decision is not generated (see docs/jq.md): errors behind a
// try, deletion by |= empty, limit(0; …), numbers with trailing zeros or beyond 2^53.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace pawl::jq::testing {

class ProgramGenerator {
 public:
  explicit ProgramGenerator(uint64_t seed) : random_(seed) {}

  std::string program() { return "limit(60; " + expression(3 + below(2)) + ")"; }

 private:
  size_t below(size_t bound) { return random_() % bound; }

  template <size_t kSize>
  std::string_view one_of(const std::array<std::string_view, kSize>& texts) {
    return texts[below(kSize)];
  }

  std::string leaf() {
    static constexpr std::array<std::string_view, 30> kLeaves = {
        ".",  ".a",  ".b",    ".a?",   ".[0]?",     ".[-1]?",      ".[]?",    "..",    ".[1:]?", ".[:2]?",
        "1",  "2.5", "-3",    "0",     "\"a\"",     "\"ab\"",      "\"a,b\"", "null",  "true",   "false",
        "[]", "{}",  "[1,2]", "[3,1]", "{\"a\":1}", "{\"b\":[2]}", "empty",   "(1,2)", "\"é\"",  "3"};
    if (variables_ > 0 && below(3) == 0) return "$v" + std::to_string(below(variables_));
    return std::string(one_of(kLeaves));
  }

  std::string path(size_t depth) {
    static constexpr std::array<std::string_view, 12> kPaths = {".",  ".a",     ".b",     ".c",     ".[0]?",  ".[]?",
                                                                "..", ".[-1]?", ".a[0]?", ".a?.b?", ".[1:]?", ".a?"};
    if (depth == 0) return std::string(one_of(kPaths));
    switch (below(8)) {
      case 0:
        return "(" + path(depth - 1) + " | " + path(depth - 1) + ")";
      case 1:
        return "(" + path(depth - 1) + ", " + path(depth - 1) + ")";
      case 2:
        return "(" + path(depth - 1) + " | select(" + expression(depth - 1) + "))";
      case 3:
        return "first(" + path(depth - 1) + ")";
      case 4:
        return "(if " + expression(depth - 1) + " then " + path(depth - 1) + " else " + path(depth - 1) + " end)";
      case 5:
        return "(" + path(depth - 1) + " // " + path(depth - 1) + ")";
      case 6:
        return "getpath([\"a\",0])";
      default:
        return std::string(one_of(kPaths));
    }
  }

  std::string in_scope(size_t depth) {
    ++variables_;
    std::string text = expression(depth);
    --variables_;
    return text;
  }

  std::string variable() const { return "$v" + std::to_string(variables_); }

  std::string expression(size_t depth) {
    if (depth == 0) return leaf();
    static constexpr size_t kForms = 7;
    switch (below(kForms)) {
      case 0:
        return operators(depth - 1);
      case 1:
        return construction(depth - 1);
      case 2:
        return control(depth - 1);
      case 3:
        return binding(depth - 1);
      case 4:
        return update(depth - 1);
      case 5:
        return builtin(depth - 1);
      default:
        return "(" + expression(depth - 1) + " | " + expression(depth - 1) + ")";
    }
  }

  std::string operators(size_t depth) {
    static constexpr std::array<std::string_view, 15> kOperators = {"+",  "-", "*",  "/",   "%",  "==", "!=", "<",
                                                                    "<=", ">", ">=", "and", "or", "//", ","};
    return "(" + expression(depth) + " " + std::string(one_of(kOperators)) + " " + expression(depth) + ")";
  }

  std::string construction(size_t depth) {
    switch (below(6)) {
      case 0:
        return "{a: (" + expression(depth) + "), \"b\": (" + expression(depth) + ")}";
      case 1:
        return "{(" + expression(depth) + " | tostring): 1}";
      case 2:
        return "\"x\\(" + expression(depth) + ")y\\(" + leaf() + ")\"";
      case 3:
        return "@json \"v\\(" + expression(depth) + ")\"";
      default:
        return "[" + expression(depth) + "]";
    }
  }

  std::string control(size_t depth) {
    const std::string e = expression(depth), f = expression(depth), g = expression(depth);
    switch (below(10)) {
      case 0:
        return "(if " + e + " then " + f + " else " + g + " end)";
      case 1:
        return "[try " + e + " catch \"c\"]";
      case 2:
        return "[(" + e + ")?]";
      case 3:
        return "first(" + e + ")";
      case 4:
        return "[limit(2; " + e + ")]";
      case 5:
        return "(label $out | (" + e + ", " + f + ") | ., break $out)";
      case 6:
        return "[.[]? | select(" + e + ")]";
      case 7:
        return "(def f: " + e + "; f | " + f + ")";
      case 8:
        return "(def f(g): [g, (" + e + " | g)]; f(" + f + "))";
      default:
        return "(def f($p): [$p, " + e + "]; f(" + f + "))";
    }
  }

  std::string binding(size_t depth) {
    const std::string source = expression(depth), bound = variable();
    const std::string start = "first(" + expression(depth) + ")";  // jq 1.6 loses its input before a second start
    switch (below(6)) {
      case 0:
        return "(" + source + " as " + bound + " | " + in_scope(depth) + ")";
      case 1:
        return "[try (" + source + " as [" + bound + "] | " + in_scope(depth) + ") catch 9]";
      case 2:
        return "[(" + source + " | objects) as {a: " + bound + "} | " + in_scope(depth) + "]";
      case 3:
        return "(reduce (" + source + ") as " + bound + " (" + start + "; " + in_scope(depth) + "))";
      case 4:
        return "[foreach (" + source + ") as " + bound + " (" + start + "; " + in_scope(depth) + "; [., " + bound +
               "])]";
      default:
        return "[(" + source + ") as [" + bound + "] ?// " + bound + " | [" + bound + "]]";
    }
  }

  std::string update(size_t depth) {
    const std::string place = path(depth), value = expression(depth);
    switch (below(8)) {
      case 0:
        return "(" + place + " = (" + value + "))";
      case 1:
        return "(" + place + " |= first((" + value + "), 0))";
      case 2:
        return "(" + place + " += (" + value + "))";
      case 3:
        return "(" + place + " //= (" + value + "))";
      case 4:
        return "del(" + place + ")";
      case 5:
        return "[path(" + place + ")]";
      case 6:
        return "[paths]";
      default:
        return "(" + place + " |= [.])";
    }
  }

  std::string builtin(size_t depth) {
    static constexpr std::array<std::string_view, 58> kCalls = {"tostring",
                                                                "tojson",
                                                                "length",
                                                                "type",
                                                                "keys",
                                                                "add",
                                                                "sort",
                                                                "unique",
                                                                "reverse",
                                                                "min",
                                                                "max",
                                                                "flatten",
                                                                "to_entries",
                                                                "with_entries(.)",
                                                                "ascii_upcase",
                                                                "explode",
                                                                "split(\",\")",
                                                                "join(\"-\")",
                                                                "test(\"a\")",
                                                                "ltrimstr(\"a\")",
                                                                "rtrimstr(\"b\")",
                                                                "startswith(\"a\")",
                                                                "has(\"a\")",
                                                                "has(0)",
                                                                "contains(\"a\")",
                                                                "index(\"a\")",
                                                                "indices(1)",
                                                                "not",
                                                                "[paths]",
                                                                "[leaf_paths]",
                                                                "[tostream]",
                                                                "fromstream(tostream)",
                                                                "@json",
                                                                "@text",
                                                                "@csv",
                                                                "@tsv",
                                                                "@html",
                                                                "@uri",
                                                                "@sh",
                                                                "@base64",
                                                                "floor",
                                                                "isempty(.[])",
                                                                "any",
                                                                "all",
                                                                "map(type)",
                                                                "map_values(.)",
                                                                "[.[] | numbers]",
                                                                "[.[] | scalars]",
                                                                "[recurse]",
                                                                "transpose",
                                                                "[match(\"[a-z]\"; \"g\").offset]",
                                                                "[scan(\"[a-c]\")]",
                                                                "sub(\"a\"; \"z\")",
                                                                "[splits(\",\")]",
                                                                "fromjson",
                                                                "tonumber",
                                                                "utf8bytelength",
                                                                "[limit(4; range(.))]"};
    const std::string e = expression(depth);
    switch (below(8)) {
      case 0:
        return "[" + e + " | .[]? | " + expression(depth) + "]";
      case 1:
        return "(" + e + " | [.[]?] | sort_by(" + leaf() + "))";
      case 2:
        return "(" + e + " | [.[]?] | group_by(" + leaf() + "))";
      case 3:
        return "(" + e + " | any(.[]?; first(" + expression(depth) + ")))";
      case 4:
        return "(" + e + " | walk(" + "if type == \"number\" then . + 1 else . end" + "))";
      default:
        return "(" + e + " | " + std::string(one_of(kCalls)) + ")";
    }
  }

  std::mt19937_64 random_;
  size_t variables_ = 0;
};

}  // namespace pawl::jq::testing
