#!/usr/bin/env python3
"""Checks that every relative link of the Markdown pages leads to a file, and to a heading where it names one.

    check_links.py ROOT
"""
import pathlib
import re
import sys

SKIPPED = re.compile(r"^(\.git|build.*|node_modules)$")
FENCE = re.compile(r"^```.*?^```[ \t]*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+?)[ \t]*$", re.MULTILINE)


def pages_below(folder):
    for path in sorted(folder.iterdir()):
        if path.is_symlink() or SKIPPED.match(path.name):
            continue
        if path.is_dir():
            yield from pages_below(path)
        elif path.suffix == ".md":
            yield path


def anchor(heading):
    """The name that code hosts give a heading."""
    kept = re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "", heading).lower())
    return kept.replace(" ", "-")


def anchors_of(page):
    return {anchor(heading) for heading in HEADING.findall(FENCE.sub("", page.read_text()))}


def broken_links(page):
    for link in LINK.findall(CODE.sub("", FENCE.sub("", page.read_text()))):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, heading = link.partition("#")
        target = page.parent / name if name else page
        if not target.exists():
            yield link
        elif heading and target.suffix == ".md" and heading not in anchors_of(target):
            yield link


def check(root):
    return [f"{page.relative_to(root)}: {link} leads nowhere" for page in pages_below(root) for link in broken_links(page)]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    complaints = check(pathlib.Path(sys.argv[1]).resolve())
    print("\n".join(complaints) if complaints else "every link leads somewhere")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
