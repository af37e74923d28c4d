#!/usr/bin/env python3
"""Tests the runner of a page's commands on small pages, with a build folder that holds one script."""
import contextlib
import io
import pathlib
import tempfile
import unittest

import run_readme


class RunReadmeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name) / "tree"
        self.build = pathlib.Path(folder.name) / "out"
        (self.build / "bin").mkdir(parents=True)
        self.root.mkdir()
        program = self.build / "bin/pawl"
        program.write_text('#!/bin/sh\n[ -r "$2" ] && cat "$2" && exit "${3:-0}"\nexit 9\n')
        program.chmod(0o755)
        (self.root / "flow.json").write_text("{}\n")
        (self.root / "Makefile").write_text("run:\n\ttouch ran\n")

    def check(self, text):
        page = self.root / "PAGE.md"
        page.write_text(text)
        self.printed = io.StringIO()
        with contextlib.redirect_stdout(self.printed):
            return run_readme.check_page(page, self.root, self.build)

    def test_a_command_of_the_build_is_run(self):
        self.assertEqual(self.check("```sh\nbuild/bin/pawl run flow.json\n```\n"), (1, 0))

    def test_a_command_that_fails_is_counted_and_shown(self):
        self.assertEqual(self.check("```sh\nbuild/bin/pawl run missing.json\n```\n"), (1, 1))
        self.assertIn("build/bin/pawl run missing.json", self.printed.getvalue())

    def test_an_expected_exit_code_is_compared(self):
        self.assertEqual(self.check("```sh\nbuild/bin/pawl run flow.json 2  # exit 2\n```\n"), (1, 0))
        self.assertEqual(self.check("```sh\nbuild/bin/pawl run flow.json 0  # exit 2\n```\n"), (1, 1))

    def test_only_sh_blocks_are_run(self):
        self.assertEqual(self.check("```\nfalse\n```\n```json\nfalse\n```\n```sh notest\nfalse\n```\n"), (0, 0))

    def test_a_block_that_follows_is_what_is_printed(self):
        self.assertEqual(self.check("```sh\nbuild/bin/pawl run flow.json\n```\n\n```\n{}\n```\n"), (1, 0))
        ran, wrong = self.check("```sh\nbuild/bin/pawl run flow.json\n```\n\n```\n{1}\n```\n")
        self.assertEqual(wrong, 1)
        self.assertIn("something else than the page says", self.printed.getvalue())

    def test_a_block_after_other_text_is_not_compared(self):
        self.assertEqual(self.check("```sh\nbuild/bin/pawl run flow.json\n```\nas in\n```\n{1}\n```\n"), (1, 0))

    def test_a_command_goes_on_after_a_backslash(self):
        self.assertEqual(self.check("```sh\nbuild/bin/pawl run \\\n  flow.json\n```\n"), (1, 0))

    def test_a_here_document_belongs_to_its_command(self):
        text = "```sh\ncat > new.json <<'END'\nfalse\nEND\nbuild/bin/pawl run new.json\n```\n"
        self.assertEqual(self.check(text), (2, 0))

    def test_written_files_stay_out_of_the_source_tree(self):
        self.check("```sh\ntouch written\n```\n")
        self.assertFalse((self.root / "written").exists())

    def test_make_targets_are_looked_up_and_not_made(self):
        self.assertEqual(self.check("```sh\nmake run   # builds\n```\n"), (1, 0))
        self.assertFalse((self.root / "ran").exists())
        self.assertEqual(self.check("```sh\nmake nothing\n```\n"), (1, 1))

    def test_git_and_cd_are_passed_over(self):
        self.assertEqual(self.check("```sh\ngit clone somewhere\ncd nowhere\n```\n"), (0, 0))


if __name__ == "__main__":
    unittest.main()
