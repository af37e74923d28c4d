#!/usr/bin/env python3
"""Tests of check_links.py."""
import pathlib
import tempfile
import unittest

import check_links


class CheckLinks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        (self.root / "docs").mkdir()
        (self.root / "docs/a.md").write_text("# A page\n\n## What's `there`, now?\n")

    def check(self, text):
        (self.root / "README.md").write_text(text)
        return check_links.check(self.root)

    def test_accepts_links_to_files_headings_and_the_web(self):
        self.assertEqual(self.check("[a](docs/a.md) [b](docs/a.md#whats-there-now) [c](https://example.com/x)"), [])

    def test_finds_a_link_to_a_file_that_is_not_there(self):
        self.assertEqual(self.check("[a](docs/b.md)"), ["README.md: docs/b.md leads nowhere"])

    def test_finds_a_link_to_a_heading_that_is_not_there(self):
        self.assertEqual(self.check("[a](docs/a.md#gone)"), ["README.md: docs/a.md#gone leads nowhere"])

    def test_finds_a_heading_in_the_page_itself(self):
        self.assertEqual(self.check("# Top\n[a](#top) [b](#bottom)"), ["README.md: #bottom leads nowhere"])

    def test_passes_over_code(self):
        self.assertEqual(self.check("`[a](gone.md)`\n```\n[b](gone.md)\n```\n"), [])


if __name__ == "__main__":
    unittest.main()
