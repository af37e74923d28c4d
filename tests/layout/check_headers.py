#!/usr/bin/env python3
"""Compiles every public header by itself, as C++20 and without a warning:  check_headers.py ROOT COMPILER"""
import pathlib
import subprocess
import sys

FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++"]


def compiles(compiler, root, header):
    source = f'#include "{header}"\n#include "{header}"\n'
    command = [compiler, *FLAGS, f"-I{root}/include", "-"]
    result = subprocess.run(command, input=source, text=True, capture_output=True)
    if result.returncode != 0:
        print(f"include/{header} does not compile alone with {compiler} -std=c++20:\n{result.stderr}")
    return result.returncode == 0


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    root, compiler = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    headers = sorted(path.relative_to(root / "include") for path in (root / "include").rglob("*.h"))
    if not headers:
        print("include/ holds no header")
        return 1
    results = [compiles(compiler, root, header) for header in headers]
    print(f"{sum(results)} of {len(headers)} public headers compile alone with {compiler}")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
