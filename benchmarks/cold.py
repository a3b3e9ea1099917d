#!/usr/bin/env python3
"""`foreword search` from a cold process over an index that is up to date.

usage: benchmarks/cold.py DIR [--runs N] [--wait SECONDS] [QUERY...]

$FOREWORD names the binary; the default is target/release/foreword of this checkout (`cargo build --release`).
The index is built in a temporary folder. Runs take turns: the process alone, with the look at the disk, without.
"""

import argparse
import os
import subprocess
import tempfile
import time

import timing

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory")
    parser.add_argument("query", nargs="*", default=["parse_url", "how are arguments parsed"])
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--wait", type=int, default=0)
    arguments = parser.parse_args()
    binary = os.environ.get("FOREWORD", os.path.join(HERE, "..", "target", "release", "foreword"))
    with tempfile.TemporaryDirectory() as index:
        common = [binary, "-C", arguments.directory, "--here", "--index-dir", index, "--quiet"]
        print(subprocess.run(common + ["index"], check=True, capture_output=True, text=True).stdout)
        # A file changed within the clock's grain of its being read is read again; let that moment pass.
        time.sleep(3)
        timing.run(common + ["index"])
        timing.wait_for_quiet(arguments.wait)
        timing.describe(f"cold.py {os.path.basename(os.path.abspath(arguments.directory))}")
        cases = [("process alone: foreword --version", [binary, "--version"])]
        for query in arguments.query:
            cases.append((f"search “{query}”", common + ["search", query, "--json"]))
            cases.append((f"search “{query}”, --stale", common + ["search", query, "--json", "--stale"]))
        timing.table(cases, arguments.runs)


if __name__ == "__main__":
    main()
