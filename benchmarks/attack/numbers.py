#!/usr/bin/env python3
"""Hostile numbers, types and nesting in every field of `mcp`, `serve` and `lsp`.

Every request is answered within 10 s (`serve` with a status below 500), no server ends or takes 400 MB.
"""

import itertools
import json
import time

from attack import META, Attack, memory
from lsp import Editor
from mcp import Agent
from serve import Server

MOST_MB = 400
MOST_SECONDS = 10
VALUES = [
    "0", "-1", "-0", "2147483648", "4294967295", "4294967296", "9007199254740993", "9223372036854775807", "18446744073709551615",
    "18446744073709551616", "1e308", "-1e308", "1e-308", "0.5", "1" + "0" * 300, '"5"', "null", "true", "[]", "{}", '"' + "9" * 100_000 + '"',
    "[" * 100 + "]" * 100, '{"num_predict": 1e300, "num_ctx": -1}',
]
DEPTHS = (200, 10_000, 400_000)
BODIES = {
    "/infill": ({"input_prefix": "def f():\n    return f", "input_suffix": "\n", "prompt": ""}, "n_predict n top_k temperature seed n_indent t_max_predict_ms id_slot stop input_extra n_probs"),
    "/v1/completions": ({"prompt": "def f", "suffix": "\n"}, "max_tokens n best_of logprobs temperature stop seed prompt suffix"),
    "/v1/fim/completions": ({"prompt": "def f", "suffix": ""}, "max_tokens min_tokens temperature random_seed"),
    "/api/generate": ({"model": "m", "prompt": "def f", "suffix": "b"}, "options context keep_alive format"),
    "/v1/chat/completions": ({"messages": [{"role": "user", "content": "what is f"}]}, "max_tokens n temperature messages tools"),
    "/api/ask": ({"question": "what is f"}, "tokens question history"),
    "/api/replay": ({"request": "x"}, "request settings"),
    "/api/feedback": ({"path": "a.py", "line": 1, "vote": 1}, "line vote question"),
}
QUERIES = {"/api/lines?path=a.py": "from to", "/api/context?file=a.py": "line column", "/api/map?": "tokens", "/api/next?file=a.py": "line limit", "/api/files?": "from limit", "/api/requests?": "after limit"}
POSITIONS = ("textDocument/inlineCompletion", "textDocument/completion")


def with_value(body, field, value):
    return json.dumps(body | {field: "@"}).replace('"@"', value)


def check(it, server, what, start, is_answered):
    took, megabytes = time.monotonic() - start, memory(server.process.pid)[1] >> 20
    it.count("requests")
    it.most("MB at most", megabytes)
    if not is_answered or took > MOST_SECONDS or megabytes > MOST_MB:
        it.fail(f"{what[:200]}: {'answered' if is_answered else 'not answered'} after {took:.1f} s, {megabytes} MB")


def mcp(it, values):
    agent, numbers = Agent(it), itertools.count()
    agent.send({"jsonrpc": "2.0", "id": "tools", "method": "tools/list", "params": {"_meta": META}})
    agent.flush()
    known = {"search": {"query": "f"}, "context": {"file": "a.py", "line": 1}, "symbols": {"name": "f"}}
    for tool in agent.answer_to("tools")["result"]["tools"]:
        for field, value in itertools.product(tool["inputSchema"]["properties"], values):
            number, start = next(numbers), time.monotonic()
            call = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool["name"], "arguments": "@", "_meta": META}}
            agent.write(json.dumps(call).replace('"@"', with_value(known.get(tool["name"], {}), field, value)).encode())
            agent.flush()
            check(it, agent, f"mcp: {tool['name']} {field} {value}", start, agent.answer_to(number) is not None)
    for depth in DEPTHS:
        start = time.monotonic()
        agent.write(b'{"id": ' + b"[" * depth + b"]" * depth + b"}")
        check(it, agent, f"mcp: {depth} brackets", start, agent.is_well(f"after {depth}"))
    agent.process.kill()


def serve(it, values):
    server = Server(it)

    def ask(method, path, body=None):
        start = time.monotonic()
        try:
            status = server.ask(method, path, body)[0]
        except OSError as error:
            status = repr(error)
        check(it, server, f"serve: {path} {body}: {status}", start, isinstance(status, int) and status < 500)

    for path, (body, fields) in BODIES.items():
        for field, value in itertools.product(fields.split(), values):
            ask("POST", path, with_value(body, field, value))
        for depth in DEPTHS:
            ask("POST", path, with_value(body, "more", "[" * depth + "]" * depth))
    for path, fields in QUERIES.items():
        for field, value in itertools.product(fields.split(), (it for it in values if it.strip("-.e0123456789") == "")):
            ask("GET", f"{path}&{field}={value}")
    server.process.kill()


def lsp(it, values):
    editor, numbers = Editor(it), itertools.count()
    editor.open("a.py", "def f():\n    return 1\n")

    def send(message, value):
        body = json.dumps(message).replace('"@"', value).encode()
        editor.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    document = {"uri": f"{editor.uri}/a.py", "version": "@"}
    for value, field in itertools.product(values, ("line", "character")):
        position = {"line": 0, "character": 0, field: "@"}
        for method in POSITIONS:
            number, start = next(numbers), time.monotonic()
            params = {"textDocument": document, "position": position, "context": {"triggerKind": 1}}
            send({"jsonrpc": "2.0", "id": number, "method": method, "params": params}, value)
            check(it, editor, f"lsp: {method} {field} {value}", start, editor.answer_to(number) is not None)
        change = [{"range": {"start": position, "end": position}, "text": "x"}]
        send({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": document, "contentChanges": change}}, value)
    for depth in DEPTHS:
        start = time.monotonic()
        send({"jsonrpc": "2.0", "method": "x", "params": "@"}, "[" * depth + "]" * depth)
        check(it, editor, f"lsp: {depth} brackets", start, editor.is_well(f"after {depth}"))
    editor.process.kill()


if __name__ == "__main__":
    with Attack(__doc__) as it:
        (it.repository / "a.py").write_text("def f():\n    return 1\n")
        values = VALUES if it.args.seconds >= 20 else VALUES[::4]
        for door in (mcp, serve, lsp):
            door(it, values)
