#!/usr/bin/env python3
"""Checks that the source tree keeps its own rules, and prints one line for each place that does not.

    check_layout.py ROOT

- The modules are the table of src/README.md; a file includes only headers of its own module and of those above it.
- What reaches the world (threads, files, clocks, randomness, the network, the command line) stays in the modules for it.
- A library's header belongs to a package that tools/install-deps installs.
- C++ files are snake_case .h and .cpp and have a bounded length; a header, and a .cpp file without one, begins with a comment
  that says what it holds.
- No text names the machine or the place where it was written.
"""
import pathlib
import re
import sys

FILE_LINES_MAX = 700
SKIPPED = re.compile(r"^(\.git|build.*|node_modules|__pycache__)$")
CPP_FOLDERS = ("src", "include", "bench", "examples", "tests", "cmake")
TEXT_BYTES_MAX = 4 * 1024 * 1024

# Headers that come with the compiler, with the C library or with a package of tools/install-deps.
KNOWN_HEADERS = re.compile(
    r"^([a-z0-9_]+|[a-z0-9_]+\.h|(sys|netinet|arpa|bits|linux|sanitizer)/.*|(boost|openssl|CLI|gtest|gmock|benchmark|nlohmann|google/protobuf|grpcpp)/.*)$")

# A library or a standard header that only the modules beside it may include. Tests are free.
CONFINED_HEADERS = [
    (re.compile(r"^boost/(asio|beast)"), {"net"}, "the network"),
    (re.compile(r"^openssl/"), {"net", "expr/intrinsic", "sdk"}, "TLS and digests"),
    (re.compile(r"^CLI/"), {"cli"}, "the command line's library"),
    (re.compile(r"^libfyaml"), {"text"}, "the YAML library"),
    (re.compile(r"^sqlite3"), {"store"}, "the embedded database"),
    (re.compile(r"^pcre2"), {"expr/jsonpath", "expr/jq", "schema"}, "the regex library"),
    (re.compile(r"^(google/protobuf|grpcpp)/"), {"grpc"}, "gRPC, which is loaded when it is needed,"),
    (re.compile(r"^regex$"), set(), "std::regex, which backtracks without a limit,"),
]
# Pure modules see no thread, file, clock or random device. (That the process has one thread only is all json/ may know.)
PURE_MODULES = re.compile(r"^(json|text|expr/.*|schema|openapi|graph|kernel|lang/.*)$")
IMPURE_HEADERS = re.compile(r"^(thread|mutex|condition_variable|future|fstream|filesystem|random|unistd\.h|sys/(?!single_threaded\.h$).*)$")
IMPURE_WORDS = re.compile(r"\b(system_clock::now|steady_clock::now|random_device|getenv)\b")

# Spelled in halves, so that this file passes its own test.
FORBIDDEN_WORDS = re.compile(
    "|".join(("/" + "work/", "/" + "farm/", r"\bsub" + r"agents?\b", "this " + "session", "registry " + "host",
              r"registry\." + r"npmjs")), re.IGNORECASE)

TABLE_ROW = re.compile(r"^\| `([a-z_0-9/]+)/` \|", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)')
SNAKE_CASE = re.compile(r"^[a-z][a-z0-9_]*$")


def files_below(root):
    for path in sorted(root.iterdir()):
        if path.is_symlink() or SKIPPED.match(path.name):
            continue
        if path.is_dir():
            yield from files_below(path)
        else:
            yield path


def read_modules(root):
    """The folders of the table, from the first module to the last."""
    return TABLE_ROW.findall((root / "src/README.md").read_text())


def module_of(relative, modules):
    """The module that a path below src/ lies in, or None; the longest folder wins."""
    inside = [module for module in modules if relative.startswith(module + "/")]
    return max(inside, key=len) if inside else None


class Layout:
    def __init__(self, root):
        self.root = root
        self.modules = read_modules(root)
        self.findings = []

    def report(self, path, line, text):
        self.findings.append(f"{path.relative_to(self.root)}:{line}: {text}")

    def check(self):
        if not self.modules:
            self.findings.append("src/README.md:1: has no table of modules")
        for path in files_below(self.root):
            self.check_words(path)
            if path.relative_to(self.root).parts[0] in CPP_FOLDERS:
                self.check_cpp(path)
        return self.findings

    def check_words(self, path):
        if path.stat().st_size > TEXT_BYTES_MAX:
            return
        for number, line in enumerate(path.read_bytes().decode("utf-8", "replace").splitlines(), 1):
            found = FORBIDDEN_WORDS.search(line)
            if found:
                self.report(path, number, f"'{found.group()}' does not belong in the project")

    def check_cpp(self, path):
        if path.suffix in (".cc", ".cxx", ".hpp", ".hh", ".c"):
            self.report(path, 1, f"C++ files end in .h or .cpp, not in {path.suffix}")
        if path.suffix not in (".h", ".cpp"):
            return
        lines = path.read_text(errors="replace").splitlines()
        self.check_form(path, lines)
        self.check_packages(path, lines)
        if path.relative_to(self.root).parts[0] == "src":
            self.check_module(path, lines)
        if path.relative_to(self.root).parts[0] == "include":
            self.check_public_header(path, lines)

    def check_form(self, path, lines):
        if not SNAKE_CASE.match(path.stem):
            self.report(path, 1, "the name of a C++ file is snake_case")
        header = path.with_name(re.sub(r"_(test|bench|fuzz)$", "", path.stem) + ".h")
        explained = path.suffix == ".cpp" and header.exists()
        if not explained and not (lines and lines[0].startswith("//")):
            self.report(path, 1, "the first line is a comment that says what the file holds")
        if path.suffix == ".h" and "#pragma once" not in lines:
            self.report(path, 1, "a header has #pragma once")
        if len(lines) > FILE_LINES_MAX:
            self.report(path, len(lines), f"over {FILE_LINES_MAX} lines: split it by what it holds")

    def check_packages(self, path, lines):
        for number, line in enumerate(lines, 1):
            included = INCLUDE.match(line)
            if included and included.group(2) and not KNOWN_HEADERS.match(included.group(2)):
                self.report(path, number, f"<{included.group(2)}> is of no package known here: add it to tools/install-deps, "
                                          "docs/dependencies.md and KNOWN_HEADERS")

    def check_module(self, path, lines):
        relative = str(path.relative_to(self.root / "src"))
        module = module_of(relative, self.modules)
        if module is None:
            self.report(path, 1, "is in no module of src/README.md's table")
            return
        is_test = re.search(r"_(test|bench|fuzz)\.cpp$|_test_[a-z_]+\.(h|cpp)$", path.name) is not None
        for number, line in enumerate(lines, 1):
            included = INCLUDE.match(line)
            if included and included.group(1):
                self.check_own_include(path, number, module, included.group(1))
            elif included and not is_test:
                self.check_library_include(path, number, module, included.group(2))
            elif not is_test and PURE_MODULES.match(module) and IMPURE_WORDS.search(line.split("//")[0]):
                self.report(path, number, f"{module}/ is pure: it reads no clock, random device or environment")

    def check_own_include(self, path, number, module, header):
        if header.startswith("pawl/durable"):
            target = "sdk"
        elif header.startswith("pawl/"):
            target = "api"
        elif "/" not in header:
            self.report(path, number, f'"{header}" is included by its path from src/')
            return
        else:
            target = module_of(header, self.modules)
        if target is None:
            self.report(path, number, f'"{header}" is in no module of src/README.md\'s table')
        elif target not in self.modules or self.modules.index(target) > self.modules.index(module):
            self.report(path, number, f"{module}/ may not use {target}/, which is below it in src/README.md's table")

    def check_library_include(self, path, number, module, header):
        for pattern, allowed, what in CONFINED_HEADERS:
            if pattern.match(header) and module not in allowed:
                where = " and ".join(sorted(allowed)) or "no module"
                self.report(path, number, f"<{header}>: {what} is for {where}, not for {module}/")
        if PURE_MODULES.match(module) and IMPURE_HEADERS.match(header):
            self.report(path, number, f"{module}/ is pure: it may not include <{header}>")

    def check_public_header(self, path, lines):
        for number, line in enumerate(lines, 1):
            included = INCLUDE.match(line)
            if included and included.group(1) and not included.group(1).startswith("pawl/"):
                self.report(path, number, f'a public header includes only "pawl/…" and the standard library')


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    findings = Layout(pathlib.Path(sys.argv[1]).resolve()).check()
    print("\n".join(findings) if findings else "the layout keeps its rules")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
