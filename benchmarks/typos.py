#!/usr/bin/env python3
"""How often `search` finds the definition that a misspelt name means.

    benchmarks/typos.py FOREWORD DIRECTORY... [--part look|end|all]
    benchmarks/typos.py FOREWORD DIRECTORY... --draw SEED > maps/typos.txt

The misspelt names are in maps/typos.txt, by the directories' names (checkouts of pallets/flask, junegunn/fzf,
phoenixframework/phoenix, google/leveldb, JamesNK/Newtonsoft.Json). They were drawn so: from each directory twelve names that
it defines exactly once, outside of tests, with at least six characters. Each gets one random edit (a letter dropped, doubled by a random one, replaced, or swapped with the
next, at a random place); names of at least ten characters get a second one every other time. Half of them may be looked
at (`look`), half are for the end. Counted: how often the first result is titled by the meant name; and the rank else.
"""

import argparse
import json
import os
import random
import re
import string
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
EACH = 12
TEST = re.compile(r"(^|/)(tests?|spec|testing|__tests__|examples?|docs?|bench\w*|vendor|deps|third_party)(/|$)|test", re.I)


def foreword(binary, arguments, root, index):
    env = {**os.environ, "FOREWORD_INDEX_DIR": index}
    run = subprocess.run([binary, *arguments, "-q"], capture_output=True, text=True, cwd=root, env=env, check=False)
    return json.loads(run.stdout or "{}")


def names(binary, root, index):
    """Names that are defined once."""
    made = foreword(binary, ["map", "--tokens", "60000", "--json", "-C", root], root, index)
    found = {}
    for file in made.get("files", []):
        for it in file["definitions"]:
            word = re.sub(r"\b(export|public|private|static|const|fn|def|func|fun|function|class|struct|type|interface|trait|module|defmodule|defp|enum|pub|async|abstract|final|void|int|bool|impl)\b", " ", it["signature"])
            match = re.search(r"[A-Za-z_]\w{5,}(?=\s*[(<{:=]|\s*$| )", word)
            if match and not TEST.search(file["path"]):
                found.setdefault(match[0], []).append(file["path"])
    return sorted(name for name, paths in found.items() if len(paths) == 1)


def is_defined_once(binary, name, root, index):
    answer = foreword(binary, ["symbols", name, "--json", "-C", root], root, index)
    sites = answer.get("definitions", [])
    return len(sites) == 1 and not TEST.search(sites[0]["path"])


def edited(name, dice):
    at = dice.randrange(len(name))
    letter = dice.choice(string.ascii_lowercase)
    kind = dice.choice(["drop", "add", "replace", "swap"])
    if kind == "drop":
        return name[:at] + name[at + 1 :]
    if kind == "add":
        return name[:at] + letter + name[at:]
    if kind == "replace":
        return name[:at] + letter + name[at + 1 :]
    at = min(at, len(name) - 2)
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]


def misspelt(name, dice):
    while True:
        res = edited(name, dice)
        if len(name) >= 10 and dice.random() < 0.5:
            res = edited(res, dice)
        if res.lower() != name.lower():
            return res


def draw(binary, root, seed):
    """Lines of a repository: part, misspelt name, name."""
    with tempfile.TemporaryDirectory() as index:
        dice = random.Random(f"{seed} {os.path.basename(root)}")
        pool = names(binary, root, index)
        dice.shuffle(pool)
        n = 0
        for name in pool:
            if n < EACH and is_defined_once(binary, name, root, index):
                print(os.path.basename(root), "look" if n < EACH // 2 else "end", misspelt(name, dice), name)
                n += 1


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("foreword")
    arguments.add_argument("directories", nargs="+")
    arguments.add_argument("--part", default="look", choices=["look", "end", "all"])
    arguments.add_argument("--draw", metavar="SEED")
    args = arguments.parse_args()
    binary, roots = os.path.abspath(args.foreword), [os.path.abspath(it) for it in args.directories]
    if args.draw:
        for root in roots:
            draw(binary, root, args.draw)
        return
    rows = [it.split() for it in open(os.path.join(HERE, "maps", "typos.txt"), encoding="utf-8") if it.strip()]
    firsts, n = 0, 0
    for root in roots:
        with tempfile.TemporaryDirectory() as index:
            for of, part, typo, name in rows:
                if of != os.path.basename(root) or args.part not in ("all", part):
                    continue
                answer = foreword(binary, ["search", "--brief", "--json", "-k", "10", "-C", root, typo], root, index)
                titles = [it["symbol"].rsplit(".", 1)[-1] for it in answer.get("results", [])]
                rank = titles.index(name) + 1 if name in titles else None
                n += 1
                firsts += rank == 1
                if rank != 1:
                    print(f"{of}: {typo} for {name}: rank {rank}, first {titles[:1]}")
    print(f"the meant definition is first for {firsts} of {n} ({args.part})")


if __name__ == "__main__":
    main()
