#!/usr/bin/env python3
"""Reads which versions of the C library a durable function needs: Amazon Linux 2023, where AWS Lambda runs it, has glibc 2.34.

    symbols_test.py READELF PROGRAM
"""
import pathlib
import re
import subprocess
import sys

GLIBC_MAX = (2, 34)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if not pathlib.Path(sys.argv[2]).exists():
        print(f"skipped: {sys.argv[2]} was not built, for want of OpenSSL's static libraries")
        return
    text = subprocess.run([sys.argv[1], "--version-info", "--wide", sys.argv[2]], text=True, capture_output=True, check=True).stdout
    versions = {tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_(\d+(?:\.\d+)+)", text)}
    newer = sorted(version for version in versions if version[:2] > GLIBC_MAX)
    if newer:
        sys.exit(f"{sys.argv[2]} needs glibc {'.'.join(map(str, newer[-1]))}; 2.34 is all there is")
    if "GLIBCXX_" in text:
        sys.exit(f"{sys.argv[2]} needs libstdc++.so, of which Amazon Linux 2023 has an older one: link it statically")
    print(f"glibc {'.'.join(map(str, max(versions)))} is enough" if versions else "it is linked statically")


if __name__ == "__main__":
    main()
