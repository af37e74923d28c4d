#!/usr/bin/env python3
"""Installs the build into a scratch folder, and builds and runs the examples against that, as a user of the library would.

    package_test.py ROOT BUILD_FOLDER
"""
import json
import pathlib
import subprocess
import sys
import tempfile


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nended with {done.returncode}:\n{done.stdout}")


def main():
    root, build = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        prefix, example = pathlib.Path(folder, "prefix"), pathlib.Path(folder, "build")
        run("cmake", "--install", build, "--prefix", str(prefix))
        run(str(prefix / "bin" / "pawl"), "version")
        run("cmake", "-S", root + "/examples/embed", "-B", str(example), "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")
        run("cmake", "--build", str(example))
        output = subprocess.run([str(example / "embed")], stdout=subprocess.PIPE, check=True).stdout
        assert json.loads(output)["receipt"] == {"number": "R-1"}, output
        build_order(root, prefix, pathlib.Path(folder, "order"))


def build_order(root, prefix, folder):
    """A durable function against the installed SDK, which needs nothing else of Pawl."""
    run("cmake", "-S", root + "/examples/durable", "-B", str(folder), "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", str(folder), "--target", "order")
    order = {"id": "42", "items": [{"sku": "A-1", "price": 3}], "auto_approve": True}
    output = subprocess.run([str(folder / "order"), "--local", "--input", json.dumps(order)], stdout=subprocess.PIPE, check=True).stdout
    assert json.loads(output)["parcels"] == ["parcel-A-1"], output


if __name__ == "__main__":
    main()
