#!/usr/bin/env python3
"""Attacks `foreword lsp`: fuzzed messages, lying lengths, ranges beyond all ends, a thousand requests at once, cancelled
ones, a buffer of 6 MB, and an editor that sends without reading.

Every request has its answer, the buffer is completed in seconds, and the memory stays.
"""

import json
import subprocess
import threading
import time

from attack import Attack, memory

METHODS = ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "textDocument/inlineCompletion",
           "textDocument/completion", "textDocument/codeAction", "workspace/symbol", "workspace/executeCommand",
           "workspace/textDocumentContent", "workspace/didChangeConfiguration", "$/cancelRequest", "no/such/method"]
VALUES = [None, True, -1, 1 << 40, 1e300, "", "\0", "x" * 5000, [], [[[[]]]], {}, "file:///etc/passwd", {"line": -1, "character": 1 << 33}]


class Editor:
    def __init__(self, it):
        self.it = it
        self.uri = it.repository.as_uri()
        self.process = it.start_server("lsp", "--log", "off", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        options = {"deadlineMs": 10_000, "leastConfidence": 0}
        self.request("first", "initialize", {
            "capabilities": {"textDocument": {"inlineCompletion": {}}}, "initializationOptions": options,
            "workspaceFolders": [{"uri": self.uri, "name": "it"}],
        })
        self.answer_to("first")
        self.send({"jsonrpc": "2.0", "method": "initialized", "params": {}})

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps(message).encode()
        self.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def request(self, number, method, params):
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})

    def receive(self):
        length = 0
        while True:
            line = self.process.stdout.readline()
            if not line:
                return None
            if not line.strip():
                return json.loads(self.process.stdout.read(length))
            length = int(line.split(b":")[1])

    def answer_to(self, number):
        while (message := self.receive()) is not None:
            if message.get("id") == number and "method" not in message:
                return message
        return None

    def open(self, name, text):
        document = {"uri": f"{self.uri}/{name}", "languageId": "python", "version": 0, "text": text}
        self.send({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}})

    def change(self, name, start, end, text):
        position = lambda it: {"line": it[0], "character": it[1]}
        change = {"range": {"start": position(start), "end": position(end)}, "text": text}
        params = {"textDocument": {"uri": f"{self.uri}/{name}", "version": 1}, "contentChanges": [change]}
        self.send({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params})

    def ghost(self, number, name, line, character):
        self.request(number, "textDocument/inlineCompletion", {
            "textDocument": {"uri": f"{self.uri}/{name}"}, "position": {"line": line, "character": character}, "context": {"triggerKind": 1},
        })

    def is_well(self, number):
        self.request(number, "workspace/symbol", {"query": "function"})
        return "result" in (self.answer_to(number) or {})


def noise(it):
    kind = it.random.randrange(6)
    params = {it.random.choice(["textDocument", "position", "query", "command", "uri", "x"]): it.random.choice(VALUES) for _ in range(3)}
    message = {"jsonrpc": "2.0", "method": it.random.choice(METHODS), "params": it.random.choice([params, it.random.choice(VALUES)])}
    if it.random.random() < 0.5:
        message["id"] = it.random.choice(["noise", 1 << 30, None, [], -5])
    body = json.dumps(message).encode()
    length = len(body)
    if kind == 0:
        at = it.random.randrange(len(body))
        body = body[:at] + bytes([it.random.randrange(256)]) + body[at + 1:]
    elif kind == 1:
        length = it.random.choice([0, 1, length - 3, -length, "x", 1 << 62, "1e9", "+5"])
    elif kind == 2:
        body = b"[" * 5000
        length = len(body)
    return b"Content-Length: %s\r\n\r\n" % str(length).encode() + body


def fuzz(it, editor, seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for _ in range(20):
            editor.write(noise(it))
            it.count("fuzzed messages")
        # A length that is too small leaves a rest, which is no header.
        editor.write(b" " * 9000 + b"\r\n")
        if not editor.is_well(f"after {it.figures['fuzzed messages']}"):
            return it.fail("after noise a request has no answer")


def edits(it, editor):
    """Ranges beyond all ends, in a text whose characters have several units."""
    editor.open("wild.py", "a\U0001f600b\r\n" * 50)
    for n in range(300):
        place = lambda: (it.random.choice([0, 1, 49, 50, 1 << 31]), it.random.choice([0, 1, 2, 3, 1 << 31]))
        editor.change("wild.py", place(), place(), it.random.choice(["", "x", "\U0001f600", "\r", "\n"]))
        editor.ghost(f"wild{n}", "wild.py", *place())
        it.count("wild changes")
    if editor.answer_to("wild299") is None:
        it.fail("wild changes end the server")


def thousand_at_once(it, editor):
    def send():
        for n in range(1000):
            if n % 2:
                editor.request(n, "workspace/symbol", {"query": f"function_{n}"})
            else:
                editor.ghost(n, "wild.py", 1, 1)
            if n % 5 == 0:
                editor.send({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": n}})
                it.count("cancelled")

    sender = threading.Thread(target=send)
    sender.start()
    answered = set()
    while len(answered) < 1000:
        message = editor.receive()
        if message is None:
            break
        if isinstance(message.get("id"), int) and "method" not in message:
            answered.add(message["id"])
    sender.join()
    it.figures["answered of a thousand at once"] = len(answered)
    if len(answered) < 1000:
        it.fail(f"of a thousand requests {len(answered)} are answered")


def large(it, editor):
    lines = [f"def function_{n}(a, b):\n    return a + {n}\n" for n in range(150_000)]
    text = "".join(lines)[:6_000_000]
    before, start = memory(editor.process.pid)[0], time.monotonic()
    editor.open("large.py", text)
    for n in range(5):
        editor.change("large.py", (1000 + n, 0), (1000 + n, 0), "    return a")
        editor.ghost(f"large{n}", "large.py", 1000 + n, 12)
        if editor.answer_to(f"large{n}") is None:
            return it.fail("a buffer of 6 MB ends the server")
    it.figures["s for 5 keystrokes in a buffer of 6 MB"] = round(time.monotonic() - start, 1)
    it.figures["MB for it at most"] = (memory(editor.process.pid)[1] - before) >> 20
    if time.monotonic() - start > 30:
        it.fail("a buffer of 6 MB takes more than 30 s")
    editor.send({"jsonrpc": "2.0", "method": "textDocument/didClose", "params": {"textDocument": {"uri": f"{editor.uri}/large.py"}}})
    editor.is_well("closed")
    after = memory(editor.process.pid)[0]
    it.figures["MB before it"], it.figures["MB after it"] = before >> 20, after >> 20
    if after > before + (96 << 20):
        it.fail(f"of a closed buffer {(after - before) >> 20} MB are left")


def never_reads(it, seconds):
    editor = Editor(it)
    it.never_reads(editor.process, "an editor", lambda: editor.request(it.random.randrange(1 << 40), "x" * 100_000, None), seconds)


def main():
    with Attack(__doc__) as it:
        it.run("index", "-q")
        editor = Editor(it)
        if not editor.is_well("second"):
            it.fail("the first request is not answered")
        large(it, editor)
        edits(it, editor)
        thousand_at_once(it, editor)
        fuzz(it, editor, max(2, it.args.seconds / 2))
        it.figures["MB at most"] = memory(editor.process.pid)[1] >> 20
        editor.process.kill()
        never_reads(it, min(10, it.args.seconds / 3))


if __name__ == "__main__":
    main()
