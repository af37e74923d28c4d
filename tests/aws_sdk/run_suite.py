#!/usr/bin/env python3
"""Runs a suite on a pawl:  run_suite.py PAWL SUITE

Ends with 77, which ctest takes for a skip, and says why, where there is no Node that AWS's client runs on, or not the
client itself: tools/install-deps gets both, if npm reaches its packages.
"""
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
NODE_MAJOR_MIN = 22  # what the SDKs of package.json need
SKIPPED = 77


def node_major(program):
    if shutil.which(program) is None:
        return 0
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    return int(told.strip().removeprefix("v").split(".")[0] or 0)


def find_node():
    """The machine's own Node where it is new enough, else the one that tools/install-deps put beside the client."""
    beside = sorted(str(path) for path in HERE.glob("node_modules/node-linux-*/bin/node"))
    return next((node for node in ["node", *beside] if node_major(node) >= NODE_MAJOR_MIN), None)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    node = find_node()
    if node is None:
        print(f"skipped: there is no Node {NODE_MAJOR_MIN} or newer; run tools/install-deps test")
        return SKIPPED
    packages = ("@aws-sdk/client-sfn", "@aws-sdk/client-lambda", "@aws/durable-execution-sdk-js")
    if not all((HERE / "node_modules" / name / "package.json").exists() for name in packages):
        print("skipped: AWS's client is not installed; run tools/install-deps test where npm reaches its packages")
        return SKIPPED
    environment = dict(os.environ, PAWL_COMMAND=str(pathlib.Path(sys.argv[1]).resolve()), NODE_NO_WARNINGS="1")
    suite = [node, "--test-reporter=spec", f"{sys.argv[2]}_test.mjs"]
    return subprocess.run(suite, cwd=HERE, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
