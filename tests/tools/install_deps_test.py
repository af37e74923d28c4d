#!/usr/bin/env python3
"""Tests tools/install-deps with a package manager that only writes down how it was called."""
import os
import pathlib
import subprocess
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/install-deps"
DPKG_QUERY = '#!/bin/sh\nfor name; do :; done\n[ "$name" = "$MISSING" ] && exit 1\nprintf installed\n'
APT_GET = '#!/bin/sh\necho "$@" >> "$CALLS"\n[ "$1" = install ] && [ ! -e "$LISTS" ] && exit 100\n[ "$1" = update ] && touch "$LISTS"\nexit 0\n'
SUDO = '#!/bin/sh\nexec "$@"\n'


class InstallDepsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, text in (("dpkg-query", DPKG_QUERY), ("apt-get", APT_GET), ("sudo", SUDO)):
            program = self.folder / name
            program.write_text(text)
            program.chmod(0o755)

    def run_tool(self, *groups, missing=""):
        environment = dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}", MISSING=missing,
                           CALLS=str(self.folder / "calls"), LISTS=str(self.folder / "lists"))
        return subprocess.run([TOOL, *groups], env=environment, capture_output=True, text=True)

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


if __name__ == "__main__":
    unittest.main()
