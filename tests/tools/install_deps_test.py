#!/usr/bin/env python3
"""Tests tools/install-deps, in a tree of its own, with package managers that only write down how they were called."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/install-deps"
DPKG_QUERY = '#!/bin/sh\nfor name; do :; done\n[ "$name" = "$MISSING" ] && exit 1\nprintf installed\n'
APT_GET = '#!/bin/sh\necho "$@" >> "$CALLS"\n[ "$1" = install ] && [ ! -e "$LISTS" ] && exit 100\n[ "$1" = update ] && touch "$LISTS"\nexit 0\n'
NODE = '#!/bin/sh\necho "$NODE_VERSION"\n'
NPM = """#!/bin/sh
shift 4
echo "npm $@" >> "$CALLS"
[ -e "$NPM_WORKS" ] && mkdir -p "$CLIENT/node_modules" && touch -d tomorrow "$CLIENT/node_modules/.package-lock.json"
"""
SUDO = '#!/bin/sh\nexec "$@"\n'


class InstallDepsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.client = self.folder / "tests/aws_sdk"
        (self.folder / "tools").mkdir()
        self.tool = shutil.copy(TOOL, self.folder / "tools")
        (self.folder / "npm_works").touch()
        programs = (("dpkg-query", DPKG_QUERY), ("apt-get", APT_GET), ("sudo", SUDO), ("node", NODE), ("npm", NPM))
        for name, text in programs:
            program = self.folder / name
            program.write_text(text)
            program.chmod(0o755)

    def want_client(self):
        self.client.mkdir(parents=True)
        (self.client / "package-lock.json").touch()

    def run_tool(self, *groups, missing="", node="v22.12.0"):
        environment = dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}", MISSING=missing,
                           CALLS=str(self.folder / "calls"), LISTS=str(self.folder / "lists"),
                           NODE_VERSION=node, NPM_WORKS=str(self.folder / "npm_works"), CLIENT=str(self.client))
        return subprocess.run([self.tool, *groups], env=environment, capture_output=True, text=True)

    def calls(self):
        calls = self.folder / "calls"
        return calls.read_text().splitlines() if calls.exists() else []

    def test_nothing_is_called_when_nothing_is_missing(self):
        result = self.run_tool("build", "test", "fuzz", "lint", "bench")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertEqual(self.calls(), [])

    def test_only_what_is_missing_is_installed(self):
        (self.folder / "lists").touch()
        self.assertEqual(self.run_tool("build", missing="cmake").returncode, 0)
        self.assertEqual(self.calls(), ["install -y --no-install-recommends cmake"])

    def test_the_package_lists_are_fetched_when_an_install_does_not_go_through(self):
        self.assertEqual(self.run_tool("build", missing="cmake").returncode, 0)
        install = "install -y --no-install-recommends cmake"
        self.assertEqual(self.calls(), [install, "update", install])

    def test_a_list_installs_nothing(self):
        result = self.run_tool("--list", "fuzz", missing="clang-19")
        self.assertEqual(result.stdout.split(), ["clang-19", "libclang-rt-19-dev"])
        self.assertEqual(self.calls(), [])

    def test_an_unknown_group_is_refused(self):
        result = self.run_tool("everything")
        self.assertEqual(result.returncode, 2)
        self.assertIn("no group 'everything'", result.stderr)

    def test_the_client_is_installed_once(self):
        self.want_client()
        self.assertEqual([self.run_tool("test").returncode for _ in range(2)], [0, 0])
        self.assertEqual(self.calls(), ["npm ci"])

    def test_only_tests_need_the_client(self):
        self.want_client()
        self.assertEqual(self.run_tool("build", "bench").returncode, 0)
        self.assertEqual(self.calls(), [])

    def test_a_newer_node_comes_beside_the_client_where_the_machine_has_an_old_one(self):
        self.want_client()
        self.assertEqual(self.run_tool("test", node="v18.20.4").returncode, 0)
        self.assertEqual(self.calls()[0], "npm ci")
        self.assertRegex(self.calls()[1], r"^npm install --no-save --no-package-lock node-linux-(x64|arm64)@\d+\.\d+\.\d+$")

    def test_a_client_that_cannot_be_had_is_told_and_no_failure(self):
        self.want_client()
        (self.folder / "npm_works").unlink()
        result = self.run_tool("test")
        self.assertEqual(result.returncode, 0)
        self.assertIn("the test aws_sdk is skipped", result.stderr)


if __name__ == "__main__":
    unittest.main()
