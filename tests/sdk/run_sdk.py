#!/usr/bin/env python3
"""Installs AWS's client with npm, starts a server, and runs sdk_test.mjs against it:  run_sdk.py PAWL BUILD_FOLDER

Ends with 77, which ctest takes for a skip, where node or npm is missing or the packages cannot be had.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77
INSTALL_SECONDS_MAX = 120
TEST_SECONDS_MAX = 120


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def install(folder):
    """Puts the packages of package-lock.json below the folder, once."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = (HERE / "package-lock.json").read_bytes()
    mark = folder / "installed-lock.json"
    if mark.exists() and mark.read_bytes() == lock:
        return
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(HERE / name, folder / name)
    try:
        done = subprocess.run(["npm", "ci", "--loglevel=error"], cwd=folder, timeout=INSTALL_SECONDS_MAX, capture_output=True,
                              text=True, check=False)
    except subprocess.TimeoutExpired:
        skip("npm takes too long")
    if done.returncode != 0:
        skip(f"npm cannot install the client: {done.stderr.strip()[-300:]}")
    mark.write_bytes(lock)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    command, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    for tool in ("node", "npm"):
        if shutil.which(tool) is None:
            skip(f"{tool} is missing")
    install(folder)
    shutil.copy(HERE / "sdk_test.mjs", folder / "sdk_test.mjs")  # beside its packages
    with tempfile.TemporaryDirectory() as data:
        server = subprocess.Popen([command, "serve", "--data", f"{data}/data", "--listen", "127.0.0.1:0", "--json"],
                                  stderr=subprocess.PIPE)
        try:
            url = json.loads(server.stderr.readline())["url"]
            environment = {**os.environ, "PAWL_URL": url, "NODE_NO_WARNINGS": "1"}
            return subprocess.run(["node", "--test", "sdk_test.mjs"], cwd=folder, env=environment, check=False,
                                  timeout=TEST_SECONDS_MAX).returncode
        finally:
            server.send_signal(signal.SIGTERM)
            server.communicate()


if __name__ == "__main__":
    sys.exit(main())
