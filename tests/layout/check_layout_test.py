#!/usr/bin/env python3
"""Tests the layout checker on small trees that break one rule each."""
import pathlib
import tempfile
import unittest

import check_layout

TABLE = "| folder | what |\n|---|---|\n| `base/` | a |\n| `json/` | b |\n| `kernel/` | c |\n| `net/` | d |\n| `api/` | e |\n"


class CheckLayoutTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        self.write("src/README.md", TABLE)
        self.write("src/base/ids.h", "// Ids.\n#pragma once\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def findings(self):
        return check_layout.Layout(self.root).check()

    def assert_one_finding(self, place, words):
        findings = self.findings()
        self.assertEqual(len(findings), 1, findings)
        self.assertTrue(findings[0].startswith(place + ":"), findings[0])
        self.assertIn(words, findings[0])

    def test_a_tree_that_keeps_the_rules_has_no_finding(self):
        self.write("src/json/value.cpp", '// Values.\n#include <vector>\n\n#include "base/ids.h"\n')
        self.assertEqual(self.findings(), [])

    def test_an_include_of_a_module_below_is_found(self):
        self.write("src/base/bad.cpp", '// Bad.\n#include "json/value.h"\n')
        self.assert_one_finding("src/base/bad.cpp:2", "base/ may not use json/")

    def test_an_include_of_the_public_face_counts_as_the_api(self):
        self.write("src/json/bad.cpp", '// Bad.\n#include "pawl/pawl.h"\n')
        self.assert_one_finding("src/json/bad.cpp:2", "json/ may not use api/")

    def test_a_test_obeys_the_order_too(self):
        self.write("src/base/ids_test.cpp", '// Tests of ids.\n#include "kernel/fact.h"\n')
        self.assert_one_finding("src/base/ids_test.cpp:2", "base/ may not use kernel/")

    def test_a_module_that_is_not_in_the_table_is_found(self):
        self.write("src/extra/thing.cpp", "// A thing.\n")
        self.assert_one_finding("src/extra/thing.cpp:1", "is in no module")

    def test_a_header_of_no_module_is_found(self):
        self.write("src/json/bad.cpp", '// Bad.\n#include "extra/thing.h"\n')
        self.assert_one_finding("src/json/bad.cpp:2", "is in no module")

    def test_an_include_without_a_path_is_found(self):
        self.write("src/json/bad.cpp", '// Bad.\n#include "value.h"\n')
        self.assert_one_finding("src/json/bad.cpp:2", "by its path from src/")

    def test_the_network_library_stays_in_net(self):
        self.write("src/net/client.cpp", "// A client.\n#include <boost/beast/http.hpp>\n")
        self.assertEqual(self.findings(), [])
        self.write("src/api/bad.cpp", "// Bad.\n#include <boost/beast/http.hpp>\n")
        self.assert_one_finding("src/api/bad.cpp:2", "is for net")

    def test_a_header_of_an_unknown_package_is_found(self):
        self.write("src/base/bad.cpp", "// Bad.\n#include <zstd/zstd.hpp>\n")
        self.assert_one_finding("src/base/bad.cpp:2", "tools/install-deps")

    def test_std_regex_is_found_everywhere(self):
        self.write("src/base/bad.cpp", "// Bad.\n#include <regex>\n")
        self.assert_one_finding("src/base/bad.cpp:2", "std::regex")

    def test_a_pure_module_includes_no_thread(self):
        self.write("src/kernel/bad.cpp", "// Bad.\n#include <thread>\n")
        self.assert_one_finding("src/kernel/bad.cpp:2", "kernel/ is pure")

    def test_a_pure_module_reads_no_clock(self):
        self.write("src/kernel/bad.cpp", "// Bad.\nauto t = std::chrono::system_clock::now();\n")
        self.assert_one_finding("src/kernel/bad.cpp:2", "kernel/ is pure")

    def test_a_test_of_a_pure_module_may_use_files(self):
        self.write("src/kernel/turn_test.cpp", "// Tests of the turn.\n#include <fstream>\n")
        self.assertEqual(self.findings(), [])

    def test_other_endings_are_found(self):
        self.write("src/base/bad.hpp", "// Bad.\n#pragma once\n")
        self.assert_one_finding("src/base/bad.hpp:1", "end in .h or .cpp")

    def test_names_in_camel_case_are_found(self):
        self.write("src/base/BadName.cpp", "// Bad.\n")
        self.assert_one_finding("src/base/BadName.cpp:1", "snake_case")

    def test_a_file_without_a_first_comment_is_found(self):
        self.write("src/base/bad.cpp", "#include <vector>\n")
        self.assert_one_finding("src/base/bad.cpp:1", "first line is a comment")

    def test_a_source_file_is_explained_by_its_header(self):
        self.write("src/base/ids.cpp", '#include "base/ids.h"\n')
        self.write("src/base/ids_test.cpp", '#include "base/ids.h"\n')
        self.assertEqual(self.findings(), [])

    def test_a_header_without_pragma_once_is_found(self):
        self.write("src/base/bad.h", "// Bad.\n")
        self.assert_one_finding("src/base/bad.h:1", "#pragma once")

    def test_a_file_of_too_many_lines_is_found(self):
        self.write("src/base/bad.cpp", "// Bad.\n" * (check_layout.FILE_LINES_MAX + 1))
        self.assert_one_finding("src/base/bad.cpp:701", "split it")

    def test_a_public_header_includes_no_inner_header(self):
        self.write("include/pawl/pawl.h", '// Pawl.\n#pragma once\n#include "json/value.h"\n')
        self.assert_one_finding("include/pawl/pawl.h:3", "a public header")

    def test_a_path_of_the_machine_is_found_in_any_text(self):
        self.write("docs/page.md", "See /" + "work/notes.\n")
        self.assert_one_finding("docs/page.md:1", "does not belong")

    def test_build_folders_are_not_looked_at(self):
        self.write("build-debug/log.txt", "/" + "work/notes\n")
        self.assertEqual(self.findings(), [])


if __name__ == "__main__":
    unittest.main()
