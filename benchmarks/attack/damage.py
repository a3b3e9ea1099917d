#!/usr/bin/env python3
"""Damages the index of a repository again and again, and compares what the program then answers with a fresh index.

Usage: damage.py PROGRAM DIRECTORY [--rounds N] [--seed N]

The directory is read, never written; the indexes are in a temporary directory. In each round a copy of the good index is
damaged, one random command is run (and compared), and then every command: none may differ from what a fresh index
answers, none may panic, and after the first command that meets the damage none may meet it again. Prints what was met,
and ends with 1 where anything was wrong. The same seed gives the same damage of the same index.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

# What depends on how an index was built, or on the clock.
VOLATILE = {"index", "index_bytes", "segments", "generation", "elapsed_ms"}


def run(args, index, command, stats):
    """The text that a command printed, or its JSON without what is volatile; and the lines of stderr about damage."""
    start = time.perf_counter()
    env = {**os.environ, "FOREWORD_INDEX_DIR": str(index)}
    done = subprocess.run(
        [args.program, "-C", args.directory, *command], env=env, capture_output=True, timeout=600, stdin=subprocess.DEVNULL
    )
    stats["slowest"] = max(stats["slowest"], time.perf_counter() - start)
    out, err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    if done.returncode not in (0, 1) or "panicked" in err:
        stats["failed"] += 1
        print(f"  FAILED {command}: {done.returncode} {err[-500:]}")
    if "--json" in command:
        fields = json.loads(out)
        out = json.dumps({key: it for key, it in fields.items() if key not in VOLATILE}, sort_keys=True)
    return out, [line for line in err.splitlines() if "damaged" in line]


def queries(args, index):
    """Commands about names and a place that the repository has."""
    listed = subprocess.run(
        [args.program, "-C", args.directory, "map", "--json", "--tokens", "2000"],
        env={**os.environ, "FOREWORD_INDEX_DIR": str(index)}, capture_output=True, check=True,
    )
    files = json.loads(listed.stdout)["files"]
    first = next(it for it in files if it["definitions"])
    place = first["definitions"][-1]
    words = re.findall(r"[A-Za-z_]{4,}", " ".join(it["signature"] for it in first["definitions"]))
    name = max(words, key=len)
    return [
        ["search", f"how does {name} work", "-k", "50"],
        ["search", "--exact", "return", "-k", "99999", "--brief"],
        ["search", "--regex", r"[a-z]+_[a-z]+\(", "-k", "99999", "--brief"],
        ["search", "--fuzzy", name[:2] + name[3:] + " " + name[1:], "-k", "30"],
        ["symbols", name, "--limit", "9999"],
        ["symbols", "--file", str(Path(args.directory) / first["path"]), "--json"],
        ["map", "--tokens", "1500"],
        ["context", f"{Path(args.directory) / first['path']}:{place['start_line'] + 1}", "--prompt"],
        ["status", "--json"],
    ]


def damage(rng, files):
    """Damages one of the files; says how."""
    path = rng.choice(files)
    data = bytearray(path.read_bytes()) if path.exists() else bytearray()
    at = rng.randrange(len(data)) if data else 0
    kind = rng.choice(["bit", "bit", "bit", "cut", "zeros", "junk", "garbage", "other", "removed", "empty"])
    if kind == "bit" and data:
        data[at] ^= 1 << rng.randrange(8)
    elif kind == "cut":
        del data[at:]
    elif kind == "zeros":
        data[at : at + 4096] = bytes(len(data[at : at + 4096]))
    elif kind == "junk":
        data += rng.randbytes(rng.randrange(1, 9000))
    elif kind == "garbage":
        data = bytearray(rng.randbytes(len(data)))
    elif kind == "other":
        other = rng.choice(files)
        data = bytearray(other.read_bytes()) if other.exists() else bytearray()
    elif kind == "empty":
        data = bytearray()
    if kind == "removed":
        path.unlink(missing_ok=True)
    else:
        path.write_bytes(data)
    return f"{path.parent.name}/{path.name}: {kind} at {at}"


def one_round(args, rng, good, index, commands, stats):
    shutil.rmtree(index, ignore_errors=True)
    shutil.copytree(good, index)
    files = sorted(it for it in index.rglob("*") if it.is_file() and it.suffix in (".segment", ".manifest"))
    whats = [damage(rng, files) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
    # `status` writes nothing, so nothing is mended by it.
    first = rng.choice([*commands[:-1], ["index"], ["index"]])
    met = 0
    for command in [first, first, *commands]:
        out, notes = run(args, index, command, stats)
        met += bool(notes)
        if command == first and command[0] == "index":
            met_all = met
        if command[0] != "index" and out != args.expect[json.dumps(command)]:
            stats["differing"] += 1
            print(f"  DIFFERS {command} after {first} after {whats}")
        if len(notes) > 1:
            stats["talkative"] += 1
    if first[0] == "index" and met > met_all:
        stats["left by index"] += 1
        print(f"  LEFT BY INDEX: {whats}")
    stats["met"] += bool(met)
    stats["met again"] += met > 1 + (len(whats) > 1)
    stats["rounds"] += 1


def main(args):
    args.program, args.directory = os.path.abspath(args.program), os.path.abspath(args.directory)
    rng, stats = random.Random(args.seed), Counter(slowest=0)
    with tempfile.TemporaryDirectory() as scratch:
        good, index = Path(scratch, "good"), Path(scratch, "index")
        for _ in range(2):
            run(args, good, ["index"], stats)
            # A file that was just written is read again by the next run.
            time.sleep(2.1)
        commands = queries(args, good)
        args.expect = {json.dumps(it): run(args, good, it, stats)[0] for it in commands}
        size = sum(it.stat().st_size for it in good.rglob("*") if it.is_file())
        print(f"{args.directory}: an index of {size / 1e6:.1f} MB, {len(commands)} commands, seed {args.seed}")
        start = time.perf_counter()
        for _ in range(args.rounds):
            one_round(args, rng, good, index, commands, stats)
        took = time.perf_counter() - start
    wrong = {it: stats[it] for it in ("failed", "differing", "left by index", "talkative")}
    print(
        f"{stats['rounds']} rounds in {took:.0f} s: damage met in {stats['met']}, by more than one command in"
        f" {stats['met again']}; {', '.join(f'{key} {n}' for key, n in wrong.items())}; slowest command"
        f" {stats['slowest']:.2f} s"
    )
    return 1 if any(wrong.values()) else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("directory")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    sys.exit(main(parser.parse_args()))
