#!/usr/bin/env python3
"""What maps show of the definitions that a maintainer would name (maps/truth.txt), beside aider's map.

    benchmarks/maps.py FOREWORD MIRRORS [--tokens 1000] [--part dev|test|all] [--aider PYTHON] [--show]

MIRRORS has a git repository for each name, at OWNER+NAME/repo; the commit of the truth file is checked out into a
temporary directory. PYTHON is an interpreter that has aider (PyPI: aider-chat): its RepoMap is asked without files in
the chat. A definition counts as shown if, under the heading of its file, a line has the words of its declaration. Tokens
are those of o200k for foreword's own counter; aider counts with the same vocabulary and may exceed a budget by 15 %.
"""

import argparse
import os
import re
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

AIDER = r"""
import os, subprocess, sys
from aider.io import InputOutput
from aider.models import Model
from aider.repomap import RepoMap
root, tokens = sys.argv[1], int(sys.argv[2])
model = Model("gpt-4o")
here = RepoMap(map_tokens=tokens, root=root, main_model=model, io=InputOutput(pretty=False, yes=True), map_mul_no_files=1)
listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=True).stdout.decode()
files = [os.path.join(root, it) for it in listed.split("\0") if it]
text = here.get_repo_map([], [it for it in files if os.path.isfile(it)]) or ""
print(text)
print("TOKENS", int(model.token_count(text)))
"""


def truth(part):
    res = []
    for line in open(os.path.join(HERE, "maps", "truth.txt"), encoding="utf-8"):
        line = line.rstrip()
        if not line or line.startswith("#"):
            continue
        if not line.startswith(" "):
            name, commit, of = line.split()
            res.append((name, commit, of, []))
        else:
            places = [it.strip().split(": ", 1) for it in line.split(" | ")]
            res[-1][3].append(places)
    return [it for it in res if part in ("all", it[2])]


def by_file(text):
    """The lines under each heading of a map; a heading is a line that begins without a blank or a sign."""
    res, path = {}, None
    for line in text.splitlines():
        if re.match(r"[\w.@~+(\[-]", line):
            path = line.strip().rstrip(":")
        elif path:
            res.setdefault(path, []).append(" ".join(line.split()))
    return res


def is_shown(places, shown):
    for path, words in places:
        edge = "" if words.endswith("(") else r"(?![\w.])"
        pattern = re.compile(r"(?<![\w.])" + re.escape(words) + edge)
        if any(pattern.search(line) for line in shown.get(path, [])):
            return True
    return False


def checkout(mirrors, name, commit, into):
    git_dir = os.path.join(mirrors, name.replace("/", "+"), "repo")
    subprocess.run(["git", "clone", "-q", "--no-checkout", "--shared", git_dir, into], check=True)
    # Snapshots may lack a large binary file, which no map shows: the rest is checked out all the same.
    subprocess.run(["git", "-C", into, "checkout", "-q", "-f", commit], check=False, stderr=subprocess.DEVNULL)
    subprocess.run(["git", "-C", into, "checkout", "-q", "-f", commit, "--", "."], check=False, stderr=subprocess.DEVNULL)


def foreword(binary, root, tokens, cache):
    env = {**os.environ, "FOREWORD_INDEX_DIR": cache}
    command = [binary, "map", "--tokens", str(tokens), "--root", root]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=env, cwd=root).stdout


def aider(python, root, tokens):
    made = subprocess.run([python, "-c", AIDER, root, str(tokens)], capture_output=True, text=True, check=False, cwd=root)
    text, _, count = made.stdout.rpartition("TOKENS")
    return text, count.strip()


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("foreword")
    arguments.add_argument("mirrors")
    arguments.add_argument("--tokens", type=int, default=1000)
    arguments.add_argument("--part", default="all", choices=["dev", "test", "all"])
    arguments.add_argument("--aider", metavar="PYTHON")
    arguments.add_argument("--show", action="store_true", help="print the maps and what they lack")
    args = arguments.parse_args()
    sums = {}
    for name, commit, part, wanted in truth(args.part):
        with tempfile.TemporaryDirectory() as folder:
            root = os.path.join(folder, name.split("/")[1])
            checkout(args.mirrors, name, commit, root)
            maps = {"foreword": (foreword(os.path.abspath(args.foreword), root, args.tokens, os.path.join(folder, "cache")), "")}
            if args.aider:
                maps["aider"] = aider(args.aider, root, args.tokens)
        line = f"{name:28} {part:5}"
        for tool, (text, count) in maps.items():
            shown = by_file(text)
            lacking = [it for it in wanted if not is_shown(it, shown)]
            n = len(wanted) - len(lacking)
            sums.setdefault((tool, part), []).append(n / len(wanted))
            sums.setdefault((tool, "all"), []).append(n / len(wanted))
            line += f"  {tool} {n:2}/{len(wanted)}" + (f" ({count} tokens)" if count else "")
            if args.show:
                print(text)
                print(f"--- {tool} lacks:", *(it[0][0] + ": " + it[0][1] for it in lacking), sep="\n    ")
        print(line, flush=True)
    for (tool, part), shares in sorted(sums.items()):
        print(f"{tool:9} {part:5} {sum(shares) / len(shares):.3f} of the definitions, {len(shares)} repositories")


if __name__ == "__main__":
    main()
