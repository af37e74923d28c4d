#!/usr/bin/env python3
"""Installs a build into an empty folder, then builds and runs examples/embed against it as a user's own project would.

    check_package.py ROOT BUILD_FOLDER
"""
import pathlib
import subprocess
import sys
import tempfile


def run(*command):
    result = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {result.returncode}:\n{result.stdout}")
    return result.stdout


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    root, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        prefix, project = pathlib.Path(folder, "installed"), pathlib.Path(folder, "embed")
        run("cmake", "--install", build, "--prefix", prefix)
        run("cmake", "-S", root / "examples/embed", "-B", project, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")
        run("cmake", "--build", project)
        output = run(project / "embed")
        if '"number":"R-1"' not in output:
            sys.exit(f"embed printed something else:\n{output}")
        unit = (prefix / "lib/systemd/system/pawl.service").read_text()
        if f"ExecStart={prefix}/bin/pawl serve" not in unit:
            sys.exit(f"the unit starts something else:\n{unit}")
        for name in ("bash-completion/completions/pawl", "zsh/site-functions/_pawl", "fish/vendor_completions.d/pawl.fish", "pawl/pawl.yaml.example"):
            if not (prefix / "share" / name).stat().st_size:
                sys.exit(f"{name} is empty")
        run(prefix / "bin/pawl", "run", root / "examples/asl/hello.asl.json", "--input", '{"name":"Ada"}')
    print("the installed library and command work")


if __name__ == "__main__":
    main()
