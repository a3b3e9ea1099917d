#!/usr/bin/env python3
"""Messages, files and terminals of growing size: what `crates/foreword/tests/it/doubling` cannot call, through the program.

Eight times as long a text may take twenty times the processor time, of the process and its children together.
"""

import json
import os
import pty
import resource
import subprocess
import threading
import time

from attack import META, Attack, children
from lsp import Editor
from mcp import Agent
from serve import Server

FACTOR = 8
MOST_GROWTH = 20

# Less work than this, in seconds, is no matter how it grows: the system counts in hundredths.
FLOOR = 0.4

# Bytes of the longer text, in full and when quick; a request of `mcp` has at most 1 MiB.
BYTES, QUICK_BYTES = 1 << 19, 1 << 17

# Lines of the longer ignore file; a file with more hides everything.
LINES = 10_000

TOKENS = ["a ", "a_b.", "[1] ", "\\", '"', "é", "\u202e", "<a>", "://a:b@", "\x1b[31m", "**/", "{{", "\n", "<|fim_prefix|>"]

# Definitions of one name that use one another.
DEFINITIONS = ["def value(x):\n    return value(x)\n\n", "class A:\n    def value(self):\n        return self.value()\n\n"]
TICKS = os.sysconf("SC_CLK_TCK")


def used(pid):
    """Seconds of processor time of a process, of its children, and of those that have ended."""
    with open(f"/proc/{pid}/stat") as file:
        ticks = sum(int(it) for it in file.read().rsplit(")", 1)[1].split()[11:15])
    return ticks / TICKS + sum(used(it) for it in children(pid))


def check(it, what, make, work):
    """`work` takes a text and returns the processor time."""
    size = BYTES if it.args.seconds >= 20 else QUICK_BYTES
    for run in range(3):
        short, long = work(make(size // FACTOR)), work(make(size))
        if long <= MOST_GROWTH * short + FLOOR:
            break
    else:
        it.fail(f"{what}: {size >> 10} kB take {long:.1f} s, an eighth {short:.1f} s")
    it.count("pairs of texts")
    if long > it.figures.get("slowest", (0, ""))[0]:
        it.figures["slowest"] = (round(long, 1), what)


def repeated(token):
    return lambda size: token * (size // len(token.encode()))


def commands(it, tokens):
    def run(command):
        """Runs a command in a terminal to its end."""
        ours, theirs = pty.openpty()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen([it.program, *command], cwd=it.repository, env=it.environment() | {"TERM": "xterm"}, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
        os.close(theirs)
        try:
            while os.read(ours, 1 << 16):
                pass
        except OSError:
            os.close(ours)
        process.wait()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def file(name, *command):
        def work(text):
            (it.repository / name).write_text(text)
            res = run(command)
            (it.repository / name).unlink()
            return res
        return work

    for token in tokens:
        check(it, f"chunk in a terminal: {token!r}", repeated(token), file("a.txt", "chunk", "a.txt"))
        check(it, f"search in a terminal: {token!r}", repeated(token), file("b.txt", "search", "--exact", token.strip() or "a", "--path", "b.txt", "-k", "99999", "--around", "9"))
        check(it, f"ignore file: {token!r}", repeated(token), file(".gitignore", "status"))
    for glob in ("*.a{}\n", "/d{}/\n", "**/x{}/**\n", "!package{}/*.py\n", "[a-z]*{}.rs\n", "a{}/../b\n"):
        lines = lambda size: "".join(glob.format(n) for n in range(LINES * size // BYTES))
        check(it, f"ignore file: {glob!r}", lines, file(".gitignore", "index"))
    for definition in DEFINITIONS:
        for command in (("ask", "who calls value"), ("map", "--tokens", "1000000"), ("symbols", "value"), ("context", "value.py:2:5")):
            check(it, f"{command[0]}: {definition!r}", repeated(definition), file("value.py", *command))


def agent(it, tokens):
    agent = Agent(it)
    agent.is_well("first")

    def ask(make):
        def work(text):
            before, message = used(agent.process.pid), make(text)
            # A pipe holds less than a message.
            threading.Thread(target=lambda: (agent.write(message), agent.flush()), daemon=True).start()
            if agent.answer_to("x") is None:
                it.fail(f"mcp: no answer to {message[:80]!r}")
            return used(agent.process.pid) - before
        return work

    def call(tool, field, **others):
        return lambda text: json.dumps({"jsonrpc": "2.0", "id": "x", "method": "tools/call", "params": {
            "name": tool, "arguments": {field: text, **others}, "_meta": META}}, ensure_ascii=False).replace("\n", "\\n").encode()

    half = lambda token: lambda size: repeated(token)(size // 3)
    known = {"jsonrpc": "2.0", "id": "end", "method": "tools/list", "params": {"_meta": META}}
    agent.write(json.dumps(known).encode())
    agent.flush()
    for tool in agent.answer_to("end")["result"]["tools"]:
        for field in tool["inputSchema"]["properties"]:
            for token in tokens:
                others = {"query": "f"} if tool["name"] == "search" and field != "query" else {}
                check(it, f"mcp: {tool['name']} {field}: {token!r}", half(token), ask(call(tool["name"], field, **others)))
    last = json.dumps({"jsonrpc": "2.0", "id": "x", "method": "ping", "params": {"_meta": META}}).encode()
    for token in tokens:
        check(it, f"mcp: a line: {token!r}", half(token), ask(lambda text: text.replace("\n", " ").encode() + b"\n" + last))
    agent.process.kill()


BODIES = {
    "/infill": {"input_prefix": "@", "input_suffix": "@", "prompt": "@", "input_extra": [{"filename": "@", "text": "@"}]},
    "/v1/completions": {"prompt": "@", "suffix": "@", "model": "@"},
    "/v1/chat/completions": {"messages": [{"role": "user", "content": "@"}]},
    "/api/ask": {"question": "@"},
    "/mcp": {"jsonrpc": "2.0", "id": 1, "method": "@"},
}


def server(it, tokens):
    server = Server(it)

    def ask(*request):
        before = used(server.process.pid)
        try:
            server.ask(*request)
        except OSError as error:
            it.fail(f"serve: {request[:2]}: {error}")
        return used(server.process.pid) - before

    for token in tokens:
        for path, body in BODIES.items():
            make = lambda text: json.dumps(body).replace('"@"', json.dumps(text))
            check(it, f"serve: {path}: {token!r}", repeated(token), lambda text: ask("POST", path, make(text)))
        for path in ("/api/map?focus=", "/api/lines?path="):
            # A head has at most some 400 kB.
            query = lambda text: "".join(f"%{it:02x}" for it in text.encode()[: len(text) // 16])
            check(it, f"serve: {path}: {token!r}", repeated(token), lambda text: ask("GET", path + query(text)))
    many = lambda size: "[" + ",".join('{"role":"user","content":"a"}' for _ in range(size // 64)) + "]"
    check(it, "serve: messages of a chat", many, lambda text: ask("POST", "/v1/chat/completions", '{"messages":' + text + "}"))
    pieces = lambda size: "[" + ",".join(f'{{"filename":"a{n}.py","text":"a"}}' for n in range(size // 64)) + "]"
    check(it, "serve: snippets", pieces, lambda text: ask("POST", "/infill", '{"input_prefix":"a","input_suffix":"","input_extra":' + text + "}"))
    server.process.kill()


def editor(it, tokens):
    editor = Editor(it)

    def settled(send):
        before = used(editor.process.pid)
        send()
        if not editor.is_well("x"):
            it.fail("lsp: no answer")
        return used(editor.process.pid) - before

    def type_in(text):
        def send():
            editor.open("a.txt", text)
            for at in range(3):
                editor.change("a.txt", (0, 0), (0, 0), "b")
                editor.ghost(f"g{at}", "a.txt", 0, 1)
                editor.answer_to(f"g{at}")
        return settled(send)

    def changes(text):
        def send():
            editor.open("a.txt", "ab\n" * 1000)
            edits = [{"range": {"start": {"line": n % 900, "character": 1}, "end": {"line": n % 900, "character": 1}}, "text": "x"} for n in range(len(text) // 64)]
            editor.send({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": {"uri": f"{editor.uri}/a.txt", "version": 2}, "contentChanges": edits}})
        return settled(send)

    def query(text):
        def send():
            editor.request("q", "workspace/symbol", {"query": text})
            editor.answer_to("q")
        return settled(send)

    for token in tokens:
        check(it, f"lsp: a document and keys: {token!r}", repeated(token), type_in)
        check(it, f"lsp: workspace/symbol: {token!r}", repeated(token), query)
    check(it, "lsp: changes in a message", repeated("a"), changes)
    editor.process.kill()


if __name__ == "__main__":
    with Attack(__doc__) as it:
        it.run("index")
        tokens = TOKENS if it.args.seconds >= 20 else TOKENS[1::12]
        for door in (commands, agent, server, editor):
            door(it, tokens)
