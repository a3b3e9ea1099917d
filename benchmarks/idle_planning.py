#!/usr/bin/env python3
"""What a request waits for while `speculate = "idle"` plans, beside the same without.

    benchmarks/idle_planning.py target/release/foreword DIR [--bursts 20] [--keys 12]

Planning begins five seconds after the last request and stops at the next one. So nobody asks for six to eight seconds,
then keys come 60 ms apart, the first of them while a file is being planned: through `foreword lsp` (a change and its
ghost text) and through `foreword serve` (`/infill` as llama.vim asks, answered by the embedded model). Each door is
measured with planning off and on, with an index and a process of its own; the places are the same.
"""

import argparse
import asyncio
import json
import os
import random
import shutil
import socket
import subprocess
import tempfile
import time

import keystrokes
import serve
from timing import describe

PAUSE = 0.06


class Typist:
    """Keys in an editor, line after line of the files that a fixed seed draws."""

    def __init__(self, program, root, index):
        self.editor = keystrokes.Editor(program, root, index)
        self.editor.ask("workspace/symbol", query="warm")
        self.lines = keystrokes.draw(keystrokes.sizes(root), 400)

    def burst(self, keys):
        """Milliseconds of each key in one line."""
        _, path, text, line = next(self.lines)
        uri = "file://" + path
        self.editor.tell("textDocument/didOpen", textDocument={"uri": uri, "languageId": "x", "version": 0, "text": text})
        whole = text.split("\n")[line].rstrip("\r")
        start = len(whole) - len(whole.lstrip())
        self.editor.change(uri, line, start, len(whole), "")
        for column in range(start, min(len(whole), start + keys)):
            time.sleep(PAUSE if column > start else 0)
            yield self.editor.type(uri, line, column, whole[column])[0]

    def end(self):
        self.editor.ask("shutdown")
        self.editor.tell("exit")
        self.editor.child.wait()


class Client:
    """The same through HTTP."""

    def __init__(self, program, root, index):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.child = subprocess.Popen(
            [program, "-q", "-C", root, "--index-dir", index, "serve", "-p", str(self.port), "--patience", "1000"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        self.people = iter(serve.people(root, 400, random.Random(7)))
        self.wait(next(self.people)[0])

    def wait(self, body):
        for _ in range(600):
            try:
                return asyncio.run(serve.post(self.port, body))
            except OSError:
                time.sleep(0.1)
        raise SystemExit("the server does not answer")

    def burst(self, keys):
        for number, body in enumerate(next(self.people)[:keys]):
            time.sleep(PAUSE if number else 0)
            status, _, took = asyncio.run(serve.post(self.port, body))
            assert status == 200, status
            yield took

    def end(self):
        self.child.terminate()
        self.child.wait()


def measure(door, mode, arguments):
    """Milliseconds of the first keys and of the others, and how many files were planned."""
    home = tempfile.mkdtemp(prefix="idle-")
    os.makedirs(f"{home}/foreword")
    with open(f"{home}/foreword/config.toml", "w", encoding="utf-8") as file:
        file.write(f'speculate = "{mode}"\n')
    os.environ["XDG_CONFIG_HOME"] = home
    index = f"{home}/index"
    command = [arguments.program, "-q", "-C", arguments.root, "--index-dir", index]
    try:
        subprocess.run([*command, "index"], check=True, stdout=subprocess.DEVNULL)
        asking = door(arguments.program, arguments.root, index)
        chance, first, rest = random.Random(3), [], []
        for number in range(arguments.bursts + 1):
            time.sleep(chance.uniform(6, 8))
            times = list(asking.burst(arguments.keys))
            # The first burst warms the caches of both.
            if number:
                first.append(times[0])
                rest += times[1:]
        asking.end()
        status = json.loads(subprocess.run([*command, "status", "--json"], capture_output=True, check=True).stdout)
        return first, rest, (status.get("plans") or {}).get("current", 0)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.realpath)
    parser.add_argument("root", type=os.path.realpath)
    parser.add_argument("--bursts", type=int, default=20)
    parser.add_argument("--keys", type=int, default=12)
    arguments = parser.parse_args()
    describe(f"{arguments.bursts} bursts of {arguments.keys} keys after a rest, in {arguments.root}")
    print("| door | planning | files planned | first key p50, most | all keys p50 | p95 | p99 | most |")
    print("|---|---|---|---|---|---|---|---|")
    for name, door in (("lsp", Typist), ("serve", Client)):
        for mode in ("off", "idle"):
            first, rest, planned = measure(door, mode, arguments)
            every = " | ".join(f"{serve.of(first + rest, it):.1f}" for it in (0.5, 0.95, 0.99, 1))
            print(f"| {name} | {mode} | {planned} | {serve.of(first, 0.5):.1f}, {max(first):.1f} | {every} |", flush=True)
    print(f"\nload at the end {os.getloadavg()[0]:.2f}")


if __name__ == "__main__":
    main()
