#!/usr/bin/env python3
"""Makes hostile repositories from a seed, each of several kinds of what is in `hostile_parts.py`, and runs every command of
`--help` on each, in a terminal, and a session each of `mcp`, `serve` and `lsp`.

Every command ends in time, with an exit code that is documented, without a panic; it prints no control character, writes
nothing into the repository, runs nothing, shows nothing from outside, and the memory of all its processes together is
bounded. A hundred repositories, or eight with less than 60 seconds.
"""

import json
import os
import pathlib
import pty
import random
import re
import select
import signal
import subprocess
import sys
import threading
import time

from attack import EXPECTED, META, Attack
from hostile import listing
from hostile_parts import PARTS, make
from lsp import Editor
from mcp import Agent
from serve import Server

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from memory import tree_bytes  # noqa: E402

MOST_SECONDS = 60
MOST_BYTES = 700 << 20

# Arguments of commands; a command that is not here is run without any, and with a file.
ARGUMENTS = {
    "index": [[]],
    "search": [["honest_function"], ["where is the honest function", "--json"], ["--regex", "honest|escape|in_an", "-k", "99", "--around", "2"], ["--fuzzy", "honset"]],
    "ask": [["where is honest_function defined", "--links", "never"], ["what changed?", "--json"]],
    "context": [["honest.py:2"], ["honest.py:2", "--json"]],
    "complete": [["honest.py:2"]],
    "symbols": [["honest_function"], ["--file", "honest.py"]],
    "map": [[], ["honest.py", "--json"]],
    "next": [["honest.py:1"], ["--json"]],
    "feedback": [["list"], ["export"]],
    "chunk": [["honest.py", "controls.py", "line.js", "nested.py"]],
    "skeleton": [["honest.py", "controls.py", "blocks.py"]],
    "speculate": [["--dry-run"]],
    "embed": [["--dry-run"]],
    "status": [[], ["--ignored", "--json"], ["honest.py"]],
    "doctor": [[]],
    "config": [[]],
    "completions": [["bash"]],
}
SERVERS = ("mcp", "lsp", "serve")

# What the program itself writes to a terminal: colours, and the line of progress.
OWN = re.compile(rb"\x1b\[[0-9;]{0,6}m|\x1b\[[0-9]?[AKG]|\x1b\[\?25[hl]|\r")
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def commands(program):
    """The commands that `--help` lists, with arguments."""
    text = subprocess.run([program, "--help"], capture_output=True, text=True).stdout
    names = re.findall(r"^  (\w[\w-]*)  ", text.split("Commands:")[1].split("\nOptions:")[0], re.MULTILINE)
    names = [it for it in names if it not in SERVERS + ("help",)]
    return [(name, arguments) for name in names for arguments in ARGUMENTS.get(name, [[], ["honest.py"]])]


class Watched:
    """Samples the memory of a process tree while it runs."""

    def __init__(self, pid):
        self.pid, self.peak, self.over = pid, 0, threading.Event()
        self.thread = threading.Thread(target=self.sample, daemon=True)
        self.thread.start()

    def sample(self):
        while not self.over.wait(0.01):
            self.peak = max(self.peak, tree_bytes(self.pid))

    def end(self):
        self.over.set()
        self.thread.join()
        return self.peak


def in_terminal(it, name, arguments):
    """Runs a command with a terminal for its output; returns the exit code, the output and the memory."""
    ours, theirs = pty.openpty()
    env = {**it.environment(), "TERM": "xterm-256color", "COLUMNS": "120"}
    command = [it.program, name, *arguments]
    process = subprocess.Popen(command, cwd=it.repository, env=env, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, start_new_session=True)
    os.close(theirs)
    watched, out, start = Watched(process.pid), bytearray(), time.monotonic()
    while time.monotonic() - start < MOST_SECONDS:
        if not select.select([ours], [], [], 0.5)[0]:
            continue
        try:
            data = os.read(ours, 1 << 16)
        except OSError:
            break
        out += data
    if process.poll() is None and time.monotonic() - start >= MOST_SECONDS:
        os.killpg(process.pid, signal.SIGKILL)
        it.fail(f"{it.what}: {name} {arguments}: not done after {MOST_SECONDS} s")
    code, peak = process.wait(), watched.end()
    os.close(ours)
    return code, bytes(out), peak, time.monotonic() - start


def check_output(it, what, out):
    if b"panicked" in out:
        it.fail(f"{what}: {out[-300:]!r}")
    if b"root:x:0" in out:
        it.fail(f"{what}: shows a file from outside")
    text = OWN.sub(b"", out).decode("utf-8", "replace")
    if found := CONTROLS.search(text):
        at = found.start()
        it.fail(f"{what}: prints {found[0]!r} in {text[max(0, at - 60):at + 20]!r}")


def check_memory(it, what, peak):
    it.most("MB of all processes at most", peak >> 20)
    if peak > MOST_BYTES:
        it.fail(f"{what}: all processes together took {peak >> 20} MB")


def run_commands(it, all_commands):
    for name, arguments in all_commands:
        code, out, peak, took = in_terminal(it, name, arguments)
        what = f"{it.what}: {name} {' '.join(arguments)}"
        it.count("runs")
        if code not in EXPECTED:
            it.fail(f"{what}: exit code {code}: {out[-300:]!r}")
        check_output(it, what, out)
        check_memory(it, what, peak)
        if took > it.figures.get("slowest, s", 0):
            it.figures["slowest, s"], it.figures["of"] = round(took, 1), f"{it.number} {name}"
        if arguments == ["honest_function"] and b"honest.py" not in out:
            it.fail(f"{what}: the honest file is not found: {out[-200:]!r}")


def end(it, what, process, watched):
    """Ends a server as a client does: it has to go by itself."""
    if process.stdin:
        process.stdin.close()
    else:
        process.terminate()
    try:
        code = process.wait(timeout=20)
        if code not in (*EXPECTED, -signal.SIGTERM):
            it.fail(f"{what}: ended with {code}")
    except subprocess.TimeoutExpired:
        it.fail(f"{what}: does not end")
        process.kill()
    check_memory(it, what, watched.end())
    it.count("sessions")


def mcp(it):
    agent, what = Agent(it), f"{it.what}: mcp"
    watched = Watched(agent.process.pid)
    agent.is_well("first")
    agent.send({"jsonrpc": "2.0", "id": "tools", "method": "tools/list", "params": {"_meta": META}})
    agent.flush()
    for n, tool in enumerate(agent.answer_to("tools")["result"]["tools"]):
        schema = tool["inputSchema"]
        known = {"query": "honest function", "task": "change the honest function", "name": "honest_function", "file": "honest.py"}
        arguments = {key: known.get(key, "honest.py") for key in schema.get("required", [])}
        arguments |= {key: value for key, value in known.items() if not arguments and key in schema["properties"]}
        params = {"name": tool["name"], "arguments": arguments | {"wait_ms": 60_000}, "_meta": META}
        agent.send({"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": params})
        agent.flush()
        answer = agent.answer_to(n)
        if "result" not in (answer or {}):
            it.fail(f"{what}: {tool['name']}: {json.dumps(answer)[:300]}")
        if "root:x:0" in json.dumps(answer):
            it.fail(f"{what}: {tool['name']} shows a file from outside")
    end(it, what, agent.process, watched)


def serve(it):
    server, what = Server(it), f"{it.what}: serve"
    watched = Watched(server.process.pid)
    ask = {"messages": [{"role": "user", "content": "where is honest_function"}]}
    fill = {"input_prefix": "def f():\n    return honest_", "input_suffix": "\n", "prompt": "", "n_predict": 8}
    requests = [("GET", it, None) for it in ("/health", "/api/index", "/api/files", "/api/ignored", "/api/map", "/metrics", "/api/requests", "/")]
    for method, path, body in [*requests, ("POST", "/infill", fill), ("POST", "/v1/chat/completions", ask)]:
        status, answer = server.ask(method, path, body and json.dumps(body), timeout=MOST_SECONDS)
        if status >= 500 or b"root:x:0" in answer:
            it.fail(f"{what}: {path}: {status} {answer[:200]!r}")
    end(it, what, server.process, watched)


def lsp(it):
    editor, what = Editor(it), f"{it.what}: lsp"
    watched = Watched(editor.process.pid)
    editor.open("honest.py", "def honest_function():\n    return 1\n\nhonest_")
    editor.ghost(1, "honest.py", 3, 7)
    if "result" not in (editor.answer_to(1) or {}) or not editor.is_well(2):
        it.fail(f"{what}: no answer")
    editor.request(3, "shutdown", None)
    editor.answer_to(3)
    editor.send({"jsonrpc": "2.0", "method": "exit"})
    end(it, what, editor.process, watched)


def unchanging(root):
    return {path: it for path, it in listing(root).items() if b"/changing" not in path}


def attack(it, number, all_commands, parts):
    own = random.Random(f"{it.args.seed} {number}")
    # Each kind comes about as often as the others.
    chosen = {(number * 5 + n) % len(parts) for n in range(5)} | {own.randrange(len(parts)) for _ in range(2)}
    it.repository, it.index, it.number = it.base / f"r{number}", it.base / f"index{number}", number
    kinds, going_on = make(it.repository, own, [parts[n] for n in sorted(chosen)])
    it.what = f"{number} ({', '.join(kinds)})"
    before = unchanging(it.repository)
    run_commands(it, all_commands)
    for session in (mcp, serve, lsp):
        try:
            session(it)
        except (OSError, TypeError, ValueError) as error:
            it.fail(f"{it.what}: {session.__name__}: {error!r}")
    for changing in going_on:
        changing.end()
    if (after := unchanging(it.repository)) != before:
        changed = [path for path in before.keys() | after.keys() if before.get(path) != after.get(path)]
        it.fail(f"{it.what}: the repository has changed: {changed[:5]}")
    if (it.base / "owned").exists():
        it.fail(f"{it.what}: a program from the repository's configuration was run")
    it.count("repositories")


def main():
    if not pathlib.Path("/proc/self/smaps_rollup").exists():
        sys.exit("repositories: needs /proc")
    with Attack(__doc__) as it:
        canary = it.base / "canary"
        canary.write_text(f"#!/bin/sh\ntouch {it.base}/owned\n")
        canary.chmod(0o755)
        all_commands = commands(it.program)
        is_quick = it.args.seconds < 60
        if is_quick:
            # One run a command.
            all_commands = list({name: (name, arguments) for name, arguments in reversed(all_commands)}.values())
        for number in range(8 if is_quick else 100):
            attack(it, number, all_commands, PARTS)


if __name__ == "__main__":
    main()
