#!/usr/bin/env python3
"""Which share of the files of each language gets a syntax tree, and why the others get none.

    benchmarks/parsed.py [--foreword target/release/foreword] DIRECTORY…

Each directory is a checkout. All its tracked files are chunked by `foreword chunk`, which names the outcome of each parse;
files without a grammar are not counted. Prints a table of languages (repositories, files, share parsed) and the files
without a tree.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys

BATCH = 200
LARGEST = 1 << 20


def tracked(directory):
    listed = subprocess.run(
        ["git", "-C", directory, "ls-files", "-z"], capture_output=True, check=True
    ).stdout
    for name in listed.decode(errors="replace").split("\0"):
        path = pathlib.Path(directory, name)
        if name and path.is_file() and not path.is_symlink() and path.stat().st_size <= LARGEST:
            yield str(path)


def outcomes(foreword, paths):
    """The language and the outcome of each file that has a language."""
    done = subprocess.run(
        [foreword, "--quiet", "chunk", "--granularity", "file", "--json", *paths],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode < 0:
        sys.exit(f"{foreword} was ended by signal {-done.returncode} at {paths[0]} and the files after it")
    # Only at newlines: strings in JSON may hold other line separators as they are.
    for line in filter(None, done.stdout.split("\n")):
        it = json.loads(line)
        if it["language"] is not None:
            yield it["path"], it["language"], it["outcome"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--foreword", default="target/release/foreword")
    parser.add_argument("directories", nargs="+")
    args = parser.parse_args()
    files = collections.Counter()
    parsed = collections.Counter()
    repositories = collections.defaultdict(set)
    others = []
    for directory in args.directories:
        paths = list(tracked(directory))
        for at in range(0, len(paths), BATCH):
            for path, language, outcome in outcomes(args.foreword, paths[at : at + BATCH]):
                files[language] += 1
                parsed[language] += outcome == "parsed"
                repositories[language].add(directory)
                if outcome != "parsed":
                    name = pathlib.Path(path).relative_to(pathlib.Path(directory).parent)
                    others.append((language, outcome, str(name)))
    print("| language | repositories | files | parsed | share |\n|---|--:|--:|--:|--:|")
    for language, n in files.most_common():
        share = 100 * parsed[language] / n
        row = (language, len(repositories[language]), n, parsed[language], f"{share:.2f} %")
        print("| " + " | ".join(map(str, row)) + " |")
    print("\nWithout a tree:\n")
    for language, outcome, name in sorted(others):
        print(f"* {language}, {outcome}: `{name}`")


if __name__ == "__main__":
    main()
