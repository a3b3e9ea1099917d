#!/usr/bin/env python3
"""How long `foreword serve` takes from a question to its evidence, over a directory whose index is on disk.

Usage: time.py PROGRAM DIRECTORY [--questions N] [--seed N]

Questions are made from the files themselves: the first sentences of documentation comments, names of definitions, places
as tracebacks name them, and one for an overview. Each is asked as the inspector asks, one after another, without a model;
the clock stops when the event `evidence` is there. The first round, which reads what the index has on disk, is told
apart from the second.
"""

import argparse
import http.client
import json
import os
import random
import re
import subprocess
import tempfile
import time
from pathlib import Path

DOC = re.compile(r"^\s*(?:///|//|#|\*)\s+([A-Z][^.`]{30,120}\.)\s*$", re.M)
NAME = re.compile(r"\b(?:fn|def|func|class|struct)\s+([A-Za-z_]\w{6,})")
SUFFIXES = {".py", ".rs", ".js", ".ts", ".go", ".java", ".rb", ".cs", ".php", ".hs"}


def questions(directory, number, rng):
    """Of four kinds in turn, from files in a random order."""
    paths = sorted(it for it in directory.rglob("*") if it.suffix in SUFFIXES and it.is_file())
    rng.shuffle(paths)
    res = [("overview", "give me an overview of the code")]
    for path in paths:
        text = path.read_text(errors="replace")
        docs, names = DOC.findall(text), NAME.findall(text)
        if not docs or not names:
            continue
        doc, name = rng.choice(docs).rstrip("."), rng.choice(names)
        line = text[: text.index(name)].count("\n") + 1
        place = f"{path.relative_to(directory)}:{line}: error: {doc}"
        kinds = [("words", f"where is it that: {doc}?"), ("name", f"how does {name} work?")]
        kinds += [("call", f"who calls {name} and why?"), ("place", f"why does this fail?\n\n{place}")]
        res.append(kinds[len(res) % len(kinds)])
        if len(res) == number:
            break
    return res


def ask(connection, question):
    """Milliseconds until the evidence is there, and how many pieces it has."""
    body = json.dumps({"question": question, "by": "evidence"})
    start = time.perf_counter()
    connection.request("POST", "/api/ask", body, {"content-type": "application/json"})
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    name, took, pieces = "", None, 0
    for line in answer:
        line = line.decode()
        if line.startswith("event: "):
            name = line[7:].strip()
        elif line.startswith("data: ") and name == "evidence" and took is None:
            took = (time.perf_counter() - start) * 1e3
            pieces = len(json.loads(line[6:])["evidence"])
    return took, pieces


def cpu(process):
    """Milliseconds of all its threads so far, its own and the system's for it."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1e3 / os.sysconf("SC_CLK_TCK")


def share(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def report(name, results, each):
    times = [it[1] for it in results]
    pieces = sum(it[2] for it in results) / len(results)
    shares = ", ".join(f"p{int(it * 100)} {share(times, it):.1f}" for it in [0.5, 0.95, 0.99])
    print(f"{name}: {shares}, most {max(times):.1f} ms; {each:.1f} ms of processor time; {pieces:.1f} pieces")
    for kind in sorted({it[0] for it in results}):
        own = [it[1] for it in results if it[0] == kind]
        print(f"  {kind} ({len(own)}): p50 {share(own, 0.5):.1f}, p95 {share(own, 0.95):.1f} ms")


def main(args):
    directory = Path(args.directory).resolve()
    asked = questions(directory, args.questions, random.Random(args.seed))
    with tempfile.TemporaryDirectory() as index:
        where = ["--index-dir", index, "-C", str(directory), "--here"]
        subprocess.run([args.program, "index", "--quiet", *where], check=True, stdout=subprocess.DEVNULL)
        command = [args.program, "serve", "--port", "0", "--quiet", *where]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            connection = http.client.HTTPConnection("127.0.0.1", int(process.stdout.readline().rsplit(":", 1)[1]))
            ask(connection, "is the index open?")
            for name in ["first round", "second round"]:
                used = cpu(process)
                results = [(kind, *ask(connection, question)) for kind, question in asked]
                report(name, results, (cpu(process) - used) / len(results))
        finally:
            process.terminate()
            process.wait()
    print("load of the machine:", " ".join(f"{it:.1f}" for it in os.getloadavg()), "on", os.cpu_count(), "cores")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("directory")
    parser.add_argument("--questions", type=int, default=201)
    parser.add_argument("--seed", type=int, default=7)
    main(parser.parse_args())
