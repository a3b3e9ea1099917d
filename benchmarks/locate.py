#!/usr/bin/env python3
"""Which file is a window of text of? Asks a running foreword for random places of a directory, and counts its mistakes.

Usage: locate.py PROGRAM DIRECTORY [--places N]

Windows are as tools send them: some lines before and after the cursor, no path, the cursor's line begun, and up to eight
lines near it edited since the file was saved.
"""

import argparse
import http.client
import json
import random
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path
from urllib.parse import unquote

WINDOWS = [(8, 4), (20, 20), (64, 16), (256, 64)]
EDITS = [0, 2, 8]


def place(lines, rng, window, edits):
    """The text before and after a cursor, in lines some of which were edited."""
    at = rng.randrange(1, len(lines))
    near = [it for it in range(max(0, at - 12), min(len(lines), at + 12)) if it != at]
    lines = list(lines)
    for number in rng.sample(near, min(edits, len(near))):
        lines[number] = f"{lines[number][: rng.randrange(20)]}edited_{number}"
    line = lines[at]
    before = "\n".join([*lines[max(0, at - window[0]) : at], line[: len(line) // 2]])
    after = "\n" + "\n".join(lines[at + 1 : at + 1 + window[1]])
    return before, after


def ask(port, before, after):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    body = json.dumps({"input_prefix": before, "input_suffix": after, "prompt": ""})
    connection.request("POST", "/infill", body)
    answer = connection.getresponse()
    answer.read()
    took = float(answer.headers["x-foreword-ms"].split("locate=")[1].split(",")[0])
    said, _, sure = answer.headers["x-foreword-match"].partition("; confidence=")
    return unquote(said.rsplit(":", 1)[0]), float(sure or 0), took


def verdict(match, sure, path):
    if match in (path, "none"):
        return "right" if match == path else "none"
    # Half sure and less: it says that other files have the same lines.
    return "another" if sure > 0.5 else "another, and it says so"


def files(port):
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", "/api/index")
        index = json.load(connection.getresponse())
        if index["fresh"]:
            break
        time.sleep(0.5)
    connection.request("GET", "/api/files?limit=20000")
    return [it["path"] for it in json.load(connection.getresponse())["files"] if it["lines"] >= 12]


def main(args):
    rng = random.Random(7)
    with tempfile.TemporaryDirectory() as index:
        command = [args.program, "serve", "--port", "0", "--quiet", "--patience", "5000", "--index-dir", index]
        process = subprocess.Popen([*command, "-C", args.directory], stdout=subprocess.PIPE, text=True)
        try:
            port = int(process.stdout.readline().rsplit(":", 1)[1])
            report(port, files(port), args, rng)
        finally:
            process.terminate()
            process.wait()


def report(port, paths, args, rng):
    total, times = Counter(), []
    print(f"{args.directory}: {len(paths)} files of 12 lines and more")
    for window in WINDOWS:
        for edits in EDITS:
            found = Counter()
            for _ in range(args.places):
                path = rng.choice(paths)
                lines = Path(args.directory, path).read_text(errors="replace").split("\n")
                match, sure, took = ask(port, *place(lines, rng, window, edits))
                found[verdict(match, sure, path)] += 1
                times.append(took)
            total += found
            print(f"{window[0]:4} + {window[1]:2} lines, {edits} edited: {dict(found)}")
    times.sort()
    middle, most = times[len(times) // 2], times[len(times) * 95 // 100]
    print(f"all: {dict(total)}; locate p50 {middle:.1f} ms, p95 {most:.1f} ms")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("directory")
    parser.add_argument("--places", type=int, default=25)
    main(parser.parse_args())
