#!/usr/bin/env python3
"""Runs the commands of a page's ```sh blocks against a build, and fails where one does not end as the page says.

    run_readme.py ROOT BUILD_FOLDER PAGE…

Every command is run by bash in a scratch folder that holds links to what the source tree holds, with build/ standing for
BUILD_FOLDER: a page may write files. A command ends with 0 unless its line closes with `# exit N`. Lines of `git` and `cd` lead a
reader here and are passed over; a `make` line must name a target of the Makefile. A command may go on after a backslash and may
have a here-document. A block fenced as ```sh notest is passed over. Where a block without a language follows a ```sh block, with
nothing but blank lines between, it is what the commands print on stdout.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

COMMAND_SECONDS_MAX = 120
BLOCK = re.compile(r"^```sh[ \t]*$\n(.*?)^```[ \t]*$(?:\s*^```[ \t]*$\n(.*?)^```[ \t]*$)?", re.MULTILINE | re.DOTALL)
HERE_DOCUMENT = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?")
EXPECTED_EXIT = re.compile(r"#.*\bexits? (\d+)\b")
PASSED_OVER = re.compile(r"^(git|cd)\b")
MAKE = re.compile(r"^make\b")


def commands_of(block):
    """Each command of a block with all its lines."""
    lines = iter(block.splitlines())
    for line in lines:
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        command = line
        while command.endswith("\\"):
            command += "\n" + next(lines, "")
        document = HERE_DOCUMENT.search(command)
        while document and command.splitlines()[-1].strip() != document.group(1):
            command += "\n" + next(lines, document.group(1))
        yield command


def scratch_tree(folder, root, build):
    scratch = pathlib.Path(folder)
    for entry in root.iterdir():
        if not entry.name.startswith((".git", "build")):
            (scratch / entry.name).symlink_to(entry)
    (scratch / "build").symlink_to(build)
    return scratch


def run(command, scratch, root):
    """Whether the command ended as it should, the complaint if not, and its stdout; make only shows what it would do."""
    expected = EXPECTED_EXIT.search(command.splitlines()[0])
    wanted = int(expected.group(1)) if expected else 0
    place = scratch
    if MAKE.match(command):
        command, place = MAKE.sub("make --dry-run", command, count=1), root
    result = subprocess.run(["bash", "-c", command], cwd=place, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, timeout=COMMAND_SECONDS_MAX)
    complaint = f"ended with {result.returncode} instead of {wanted}:\n{result.stdout}{result.stderr}"
    return result.returncode == wanted, complaint, result.stdout


def check_block(block, expected, scratch, root):
    """Runs the commands of one block; yields for each a complaint, empty where there is none."""
    printed, command = "", ""
    for command in commands_of(block):
        if PASSED_OVER.match(command):
            continue
        good, complaint, output = run(command, scratch, root)
        printed += output
        yield "" if good else f"{command}\n  {complaint}"
    if expected and printed != expected:
        yield f"{command}\n  printed something else than the page says:\n{printed}"


def check_page(page, root, build):
    """Runs the commands of one page; returns how many ran and how many ended wrongly."""
    ran = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        scratch = scratch_tree(folder, root, build)
        for block, expected in BLOCK.findall(page.read_text()):
            for complaint in check_block(block, expected, scratch, root):
                ran += 1
                wrong += 1 if complaint else 0
                if complaint:
                    print(f"{page}: {complaint}")
    print(f"{page}: {ran - wrong} of {ran} commands ended as the page says")
    return ran, wrong


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    root, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    results = [check_page(pathlib.Path(page), root, build) for page in sys.argv[3:]]
    return 0 if all(ran > 0 and wrong == 0 for ran, wrong in results) else 1


if __name__ == "__main__":
    sys.exit(main())
