#!/usr/bin/env python3
"""Every example of jq's own manual page, where it is installed: `pawl eval jq` answers as the manual says.

    manual_test.py PAWL [MANUAL_PAGE]
"""
import gzip
import json
import pathlib
import re
import subprocess
import sys

SKIPPED = 77
PAGES = ("/usr/share/man/man1/jq.1.gz", "/usr/local/share/man/man1/jq.1")
# Programs that are refused, or answer otherwise, by decision (docs/jq.md), each with its reason.
DECIDED = {"$ENV.PAGER": "the environment is not for programs to see", "env.PAGER": "the same"}
AGREED_MIN = 190
EXAMPLE = re.compile(r"^jq ((?:--?[a-z-]+ )*)'(.*)'\n   (.*)\n((?:=> .*\n?)+)", re.MULTILINE)


def plain(text):
    """Without the marks of roff."""
    text = re.sub(r"\\f[BIRP]", "", text)
    for mark, meant in (("\\-", "-"), ("\\.", "."), ("\\'", "'"), ("\\(aq", "'"), ("\\[ci]", ""), ("\\(ti", "~"), ("\\(ha", "^")):
        text = text.replace(mark, meant)
    return text.replace("\\e", "\\")


def examples(page):
    """Each as its options, program, input and outputs."""
    for options, program, given, answers in EXAMPLE.findall(plain(page)):
        outputs = [part.strip() for line in answers.strip().splitlines() for part in split_outputs(line.removeprefix("=> "))]
        yield options.strip(), program, given, outputs


def split_outputs(line):
    """Outputs stand behind each other, with commas between them."""
    decoder, at, found = json.JSONDecoder(), 0, []
    while at < len(line):
        value, at = decoder.raw_decode(line, at)
        found.append(json.dumps(value))
        at = re.compile(r"[\s,]*").match(line, at).end()
    return found


def same(ours, theirs):
    return [json.loads(one) for one in ours] == [json.loads(one) for one in theirs]


def main():
    pawl = sys.argv[1]
    page = next((pathlib.Path(path) for path in sys.argv[2:] or PAGES if pathlib.Path(path).exists()), None)
    if page is None:
        print("jq's manual page is not installed")
        return SKIPPED
    text = gzip.decompress(page.read_bytes()).decode() if page.suffix == ".gz" else page.read_text()
    agreed, complaints, met = 0, [], set()
    for options, program, given, outputs in examples(text):
        if program in DECIDED or options:
            met.add(program)
            continue
        done = subprocess.run([pawl, "eval", "jq", program, "--input", given], capture_output=True, text=True, timeout=60)
        if done.returncode == 0 and same(done.stdout.splitlines(), outputs):
            agreed += 1
        else:
            complaints.append(f"{program}  on  {given}\n  the manual: {' '.join(outputs)}\n  pawl: {done.stdout}{done.stderr}")
    print("\n".join(complaints))
    print(f"{agreed} examples agree, {len(complaints)} do not, {len(met)} differ by decision")
    return 1 if complaints or agreed < AGREED_MIN or met != set(DECIDED) else 0


sys.exit(main())
