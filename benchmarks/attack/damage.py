#!/usr/bin/env python3
"""Damages the index of a repository again and again, and compares what the program then answers with a fresh index.

In each round a copy of the good index is damaged, one random command is run (and compared), and then every command: none
may differ from what a fresh index answers, none may panic, and after the first command that meets the damage none may
meet it again. The same seed gives the same damage of the same index.
"""

import json
import re
import shutil
import time

from attack import Attack, stable


def run(it, index, command):
    """The text that a command printed, or its JSON without what is volatile; and the lines of stderr about damage."""
    start = time.perf_counter()
    done = it.run(*command, index=index, timeout=600)
    it.most("slowest command, s", round(time.perf_counter() - start, 2))
    if done.returncode not in (0, 1):
        it.fail(f"{command}: {done.returncode} {done.stderr[-300:]!r}")
    out = stable(done.stdout) if "--json" in command else done.stdout
    return out, [line for line in done.stderr.splitlines() if b"damaged" in line]


def queries(it, index):
    """Commands about names and a place that the repository has."""
    listed = it.run("map", "--json", "--tokens", "2000", index=index)
    files = json.loads(listed.stdout)["files"]
    first = next(file for file in files if file["definitions"])
    place = first["definitions"][-1]
    words = re.findall(r"[A-Za-z_]{4,}", " ".join(row["signature"] for row in first["definitions"]))
    name = max(words, key=len)
    return [
        ["search", f"how does {name} work", "-k", "50"],
        ["search", "--exact", "return", "-k", "99999", "--brief"],
        ["search", "--regex", r"[a-z]+_[a-z]+\(", "-k", "99999", "--brief"],
        ["search", name[:2] + name[3:] + " " + name[1:], "-k", "30"],
        ["symbols", name, "--limit", "9999"],
        ["symbols", "--file", first["path"], "--json"],
        ["map", "--tokens", "1500"],
        ["context", f"{first['path']}:{place['start_line'] + 1}", "--prompt"],
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


def one_round(it, good, index, commands, expected):
    shutil.rmtree(index, ignore_errors=True)
    shutil.copytree(good, index)
    files = sorted(path for path in index.rglob("*") if path.is_file() and path.suffix in (".segment", ".manifest"))
    whats = [damage(it.random, files) for _ in range(it.random.choice([1, 1, 1, 2, 3]))]
    # `status` writes nothing, so nothing is mended by it.
    first = it.random.choice([*commands[:-1], ["index"], ["index"]])
    met = met_by_index = 0
    for command in [first, first, *commands]:
        out, notes = run(it, index, command)
        met += bool(notes)
        if command == first and command[0] == "index":
            met_by_index = met
        if command[0] != "index" and out != expected[json.dumps(command)]:
            it.fail(f"{command} differs after {first} after {whats}")
        if len(notes) > 1:
            it.fail(f"{command} says {len(notes)} times that the index is damaged")
    if first[0] == "index" and met > met_by_index:
        it.fail(f"left by index: {whats}")
    it.count("met", bool(met))
    it.count("met by more than one command", met > 1 + (len(whats) > 1))
    it.count("rounds")


def main():
    with Attack(__doc__) as it:
        good, index = it.base / "good", it.base / "damaged"
        for _ in range(2):
            run(it, good, ["index"])
            # A file that was just written is read again by the next run.
            time.sleep(2.1)
        commands = queries(it, good)
        expected = {json.dumps(command): run(it, good, command)[0] for command in commands}
        one_round(it, good, index, commands, expected)
        while it.is_time_left():
            one_round(it, good, index, commands, expected)


if __name__ == "__main__":
    main()
