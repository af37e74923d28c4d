#!/usr/bin/env python3
"""Checks that a stored picture is the one that `pawl graph` draws.

    check_picture.py PAWL DEFINITION PICTURE
"""
import pathlib
import subprocess
import sys


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    program, definition, picture = sys.argv[1:]
    drawn = subprocess.run([program, "graph", definition, "--format", "svg"], stdout=subprocess.PIPE, check=True).stdout
    if drawn == pathlib.Path(picture).read_bytes():
        return 0
    print(f"{picture} is not what is drawn of {definition}; draw it anew:\n  pawl graph {definition} --format svg > {picture}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
