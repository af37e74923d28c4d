#!/usr/bin/env python3
"""Help, version, completion and wrong arguments."""
import re
import shutil
import subprocess
import unittest

import command

COMMANDS = [("run",), ("lint",), ("lint-durable",), ("graph",), ("eval", "jsonpath"), ("eval", "intrinsic"), ("eval", "jq"), ("test",), ("version",),
            ("serve",), ("dev",), ("backup",), ("doctor",), ("completion",),
            ("deploy",), ("start",), ("list",), ("show",), ("history",), ("stop",), ("redrive",), ("enable",), ("disable",), ("undeploy",), ("schedule", "list"), ("schedule", "next"), ("schedule", "pause"), ("schedule", "resume"), ("activity", "create"),
            ("activity", "list"), ("activity", "delete"), ("activity", "poll"), ("token", "succeed"), ("token", "fail"),
            ("token", "heartbeat"), ("invoke",), ("callback", "succeed"), ("callback", "fail"), ("callback", "heartbeat")]


class Usage(command.CommandTest):
    def options_of(self, *names):
        text = self.pawl(*names, "--help").stdout.decode()
        return set(re.findall(r"--[a-z][a-z-]+", text))

    def test_help_lists_the_commands(self):
        for arguments in (["--help"], ["help"]):
            done = self.pawl(*arguments)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            for name in ("run", "lint", "graph", "eval", "test", "completion", "version"):
                self.assertIn(name, done.stdout.decode())

    def test_version(self):
        for arguments in (["--version"], ["version"]):
            self.assertRegex(self.pawl(*arguments).stdout.decode(), r"^pawl \d+\.\d+\.\d+\n$")
        self.assertEqual(self.succeeds("version", "--json")["name"], "pawl")

    def test_wrong_arguments_are_explained(self):
        self.refused("USAGE")
        self.refused("USAGE", "rnu")
        self.assertIn("pawl run --help", self.refused("USAGE", "run"))
        self.assertIn("--inputt", self.refused("USAGE", "run", "f.json", "--inputt", "1"))
        self.refused("USAGE", "run", "f.json", "--max-payload", "many")
        self.refused("USAGE", "run", "f.json", "--max-events", "-1")
        self.refused("USAGE", "lint", "f.json", "--format", "xml")
        self.refused("USAGE", "eval")
        self.refused("USAGE", "completion", "tcsh")

    def test_every_command_is_among_those_that_are_completed_here(self):
        script = self.pawl("completion", "bash").stdout.decode()
        listed = re.search(r'compgen -W "(run [^"]*)"', script).group(1).split()
        self.assertEqual({name for name in listed if not name.startswith("--")}, {names[0] for names in COMMANDS} | {"help"})

    def test_zsh_completes_every_option(self):
        script = self.pawl("completion", "zsh").stdout.decode()
        for names in COMMANDS:
            for option in self.options_of(*names):
                self.assertIn(option, script, names)

    def test_fish_completes_every_option_of_its_command(self):
        script = self.pawl("completion", "fish").stdout.decode()
        known = re.findall(r'^complete -c pawl(?: -n "__fish_seen_subcommand_from ([^"]*)")? -l (\S+)', script, re.MULTILINE)
        for names in COMMANDS:
            completed = {f"--{option}" for commands, option in known if not commands or set(commands.split()) & set(names)}
            self.assertEqual(self.options_of(*names) - completed, set(), names)

    @unittest.skipIf(shutil.which("bash") is None, "bash is not installed")
    def test_bash_completes_every_option_of_its_command(self):
        script = self.write("script.bash", self.pawl("completion", "bash").stdout)
        for names in COMMANDS:
            words = " ".join(("pawl", *names, "--"))
            ask = f'source {script}; COMP_WORDS=({words}); COMP_CWORD={len(names) + 1}; _pawl; echo "${{COMPREPLY[@]}}"'
            completed = subprocess.run(["bash", "-c", ask], capture_output=True, check=True).stdout.decode().split()
            self.assertEqual(self.options_of(*names) - set(completed), set(), names)

    def test_completion_scripts_are_valid(self):
        for shell in ("bash", "zsh", "fish"):
            if shutil.which(shell) is None:
                continue
            script = self.write(f"script.{shell}", self.pawl("completion", shell).stdout)
            subprocess.run([shell, "-n", script], check=True)

    @unittest.skipIf(shutil.which("bash") is None, "bash is not installed")
    def test_bash_completes_commands_and_options(self):
        script = self.write("script.bash", self.pawl("completion", "bash").stdout)
        ask = f'source {script}; COMP_WORDS=(pawl run f.json --max-e); COMP_CWORD=3; _pawl; echo "${{COMPREPLY[@]}}"'
        self.assertEqual(subprocess.run(["bash", "-c", ask], capture_output=True, check=True).stdout, b"--max-events\n")
        ask = f'source {script}; COMP_WORDS=(pawl lin); COMP_CWORD=1; _pawl; echo "${{COMPREPLY[@]}}"'
        self.assertEqual(subprocess.run(["bash", "-c", ask], capture_output=True, check=True).stdout, b"lint lint-durable\n")


if __name__ == "__main__":
    command.main()
