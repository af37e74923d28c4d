"""Runs the command that is tested. Each test file is called with the path of the binary."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PAWL = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else "build/bin/pawl"
COMMAND_SECONDS_MAX = 120  # a guard against hanging, not a measurement


def is_sanitized():
    """Whether the binary is instrumented: it is then slower and larger by a factor that no limit on time or memory allows for."""
    with open(PAWL, "rb") as binary:
        content = binary.read()
    return b"__asan_init" in content or b"__tsan_init" in content


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)

    def pawl(self, *arguments, stdin=b"", environment=None, **options):
        """The finished process; its output is bytes."""
        if isinstance(stdin, bytes):
            options["input"] = stdin
        else:
            options["stdin"] = stdin
        return subprocess.run([PAWL, *arguments], capture_output=True, cwd=self.folder, timeout=COMMAND_SECONDS_MAX,
                              env={**os.environ, **(environment or {})}, **options)

    def succeeds(self, *arguments, **options):
        """The one JSON value that the command prints; nothing else is said."""
        done = self.pawl(*arguments, **options)
        self.assertEqual((done.returncode, done.stderr.decode()), (0, ""))
        return json.loads(done.stdout)

    def fails(self, *arguments, **options):
        """What a failed execution prints on stdout."""
        done = self.pawl(*arguments, **options)
        self.assertEqual((done.returncode, done.stderr.decode()), (1, ""), done.stdout)
        return json.loads(done.stdout)

    def refused(self, code, *arguments, **options):
        """The text on stderr of a command that is refused: it has the code and a fix, and stdout is empty."""
        done = self.pawl(*arguments, **options)
        text = done.stderr.decode()
        self.assertEqual(done.returncode, 2, text)
        self.assertEqual(done.stdout, b"")
        self.assertIn(f"error {code}", text)
        self.assertIn("fix: ", text)
        return text


def machine(*states):
    """A definition of states in a row: each is (name, object), and goes on to the next."""
    result = {"StartAt": states[0][0], "States": {}}
    for (name, state), following in zip(states, [*states[1:], None]):
        way_on = {"Next": following[0]} if following else {"End": True}
        result["States"][name] = {**state, **({} if state["Type"] in ("Fail", "Succeed", "Choice") else way_on)}
    return result


def task(name, resource="arn:aws:lambda:eu-west-1:000000000000:function:f", **fields):
    return (name, {"Type": "Task", "Resource": resource, **fields})


def main():
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
