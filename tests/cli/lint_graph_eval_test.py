#!/usr/bin/env python3
"""`pawl lint`, `pawl graph` and `pawl eval`."""
import json
import xml.etree.ElementTree

import command
from command import machine

CLEAN = machine(("A", {"Type": "Pass"}))
WARNING = machine(("F", {"Type": "Fail"}))
WRONG = {"StartAt": "A", "States": {"A": {"Type": "Pass", "Next": "Nowhere"}}}


class Lint(command.CommandTest):
    def test_a_clean_definition_exits_with_0(self):
        done = self.pawl("lint", self.write("a.json", CLEAN))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b"1 file: 0 errors, 0 warnings\n"))

    def test_warnings_count_only_with_strict(self):
        flow = self.write("a.json", WARNING)
        self.assertEqual(self.pawl("lint", flow).returncode, 0)
        self.assertEqual(self.pawl("lint", flow, "--strict").returncode, 1)
        self.assertEqual(self.pawl("lint", self.write("b.json", CLEAN), "--strict").returncode, 0)

    def test_errors_exit_with_2_and_have_code_place_cause_and_fix(self):
        done = self.pawl("lint", self.write("a.json", WRONG))
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stdout.decode(), r"a\.json:1:\d+: error ASL_\w+ at /States/A/Next: .+\n  fix: .+\n")

    def test_several_files_are_looked_at_together(self):
        done = self.pawl("lint", self.write("a.json", WRONG), self.write("b.json", WARNING), self.write("c.yaml", "StartAt: [\n"))
        self.assertEqual(done.returncode, 2)
        for name in (b"a.json", b"b.json", b"c.yaml"):
            self.assertIn(name, done.stdout)
        self.assertIn(b"3 files: ", done.stderr)

    def test_json_is_one_array(self):
        self.write("a.json", WRONG)
        self.write("b.json", WARNING)
        done = self.pawl("lint", "--format", "json", "a.json", "b.json")
        findings = json.loads(done.stdout)
        self.assertEqual({finding["severity"] for finding in findings}, {"error", "warning"})
        self.assertEqual(json.loads(self.pawl("lint", "--json", "a.json", "b.json").stdout), findings)
        self.assertEqual(json.loads(self.pawl("lint", "--json", self.write("c.json", CLEAN)).stdout), [])

    def test_sarif_names_the_file_and_the_rule(self):
        sarif = json.loads(self.pawl("lint", "--format", "sarif", self.write("a.json", WRONG)).stdout)
        result = sarif["runs"][0]["results"][0]
        self.assertEqual(sarif["version"], "2.1.0")
        self.assertTrue(result["ruleId"].startswith("ASL_"))
        self.assertTrue(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("a.json"))

    def test_a_file_that_cannot_be_read_is_an_error_and_the_others_are_looked_at(self):
        done = self.pawl("lint", "none.json", self.write("a.json", WARNING))
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"FILE_UNREADABLE", done.stderr)
        self.assertIn(b"a.json", done.stdout)

    def test_options_of_the_definition(self):
        flow = self.write("a.json", machine(command.task("T", "arn:aws:states:::sqs:sendMessage.waitForTaskToken", Parameters={})))
        self.assertEqual(self.pawl("lint", flow, "--set", "type=express").returncode, 2)
        self.assertEqual(self.pawl("lint", flow, "--set", "type=mine").returncode, 2)


class Graph(command.CommandTest):
    def test_draws_in_three_formats(self):
        flow = self.write("a.json", machine(("First", {"Type": "Pass"}), ("Second", {"Type": "Succeed"})))
        for name, beginning in (("mermaid", b"flowchart"), ("dot", b"digraph"), ("svg", b"<svg")):
            done = self.pawl("graph", flow, "--format", name)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertIn(beginning, done.stdout[:200])
            self.assertIn(b"Second", done.stdout)
        xml.etree.ElementTree.fromstring(self.pawl("graph", flow, "--format", "svg").stdout)

    def test_refuses_what_it_cannot_draw(self):
        self.refused("FILE_UNREADABLE", "graph", "none.json")
        self.assertIn("a.json:1:", self.refused("ASL", "graph", self.write("a.json", {"StartAt": "A"})))
        self.assertIn("b.json:1:2", self.refused("JSON_UNEXPECTED_END", "graph", self.write("b.json", "{")))
        self.refused("USAGE", "graph", self.write("c.json", CLEAN), "--format", "png")


class Eval(command.CommandTest):
    ORDERS = '{"orders":[{"id":1,"total":50},{"id":2,"total":150}],"flag":false}'

    def test_a_path_finds_values(self):
        self.assertEqual(self.succeeds("eval", "jsonpath", "$.orders[?(@.total > 100)].id", "--input", self.ORDERS), [2])
        self.assertEqual(self.succeeds("eval", "jsonpath", "$.orders[0].id", "--input", self.ORDERS), 1)

    def test_dialects_differ(self):
        self.assertEqual(self.succeeds("eval", "jsonpath", "$.orders[0].id", "--dialect", "rfc9535", "--input", self.ORDERS), [1])
        items = '[{"flag":false},{"flag":true}]'
        self.assertEqual(len(self.succeeds("eval", "jsonpath", "$[?(@.flag)]", "--dialect", "jayway", "--input", items)), 2)
        self.assertEqual(len(self.succeeds("eval", "jsonpath", "$[?(@.flag)]", "--dialect", "serverless", "--input", items)), 1)
        self.refused("USAGE", "eval", "jsonpath", "$", "--dialect", "mine")

    def test_a_path_that_leads_nowhere_exits_with_1(self):
        done = self.pawl("eval", "jsonpath", "$.none", "--input", "{}")
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertIn(b"JSONPATH_NO_MATCH", done.stderr)

    def test_a_wrong_path_exits_with_2_and_has_its_column(self):
        done = self.pawl("eval", "jsonpath", "$.[", "--input", "{}")
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertRegex(done.stderr.decode(), r"column \d+: error JSONPATH_SYNTAX")

    def test_intrinsics_are_called(self):
        self.assertEqual(self.succeeds("eval", "intrinsic", "States.Format('Hi {}', $.name)", "--input", '{"name":"Ada"}'), "Hi Ada")
        self.assertEqual(self.succeeds("eval", "intrinsic", "States.Array($$.Mine, 1)", "--context", '{"Mine":2}'), [2, 1])

    def test_jq_prints_each_output_on_a_line(self):
        done = self.pawl("eval", "jq", ".orders[] | select(.total > $least) | .id", "--input", self.ORDERS, "--arg", "least", "1")
        self.assertEqual((done.returncode, done.stdout), (0, b"1\n2\n"), done.stderr)

    def test_jq_prints_what_came_before_an_error(self):
        done = self.pawl("eval", "jq", '1, error("no")', "--json")
        self.assertEqual((done.returncode, done.stdout), (1, b"1\n"))
        self.assertIn(b"JQ_ERROR", done.stderr)

    def test_jq_that_reaches_outside_is_refused(self):
        done = self.pawl("eval", "jq", "env.HOME")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"JQ_REFUSED", done.stderr)

    def test_a_wrong_intrinsic_exits_with_2_and_a_failing_one_with_1(self):
        done = self.pawl("eval", "intrinsic", "States.Fromat('x')")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"States.Format", done.stderr)
        self.assertEqual(self.pawl("eval", "intrinsic", "States.ArrayGetItem($.a, 5)", "--input", '{"a":[1]}').returncode, 1)

    def test_errors_are_json_with_json(self):
        done = self.pawl("eval", "jsonpath", "$.none", "--input", "{}", "--json")
        self.assertEqual(json.loads(done.stderr)["code"], "JSONPATH_NO_MATCH")


if __name__ == "__main__":
    command.main()
