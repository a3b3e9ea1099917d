#!/usr/bin/env python3
"""The first answers of a clone without an index, with a cluster in the user's configuration and without one.

Usage: first_answers.py PROGRAM CLONE URL FILE:LINE QUESTION... [--index NAME]

CLONE is pushed to the OpenSearch at URL (ci/opensearch/cluster starts one). Then, for each question, with an empty index
directory: the seconds from the start of `foreword mcp` to the answer of its `search`, and from the start of `foreword lsp`
to the page that explains the prompt at the end of the line, first to any page and then to the one that a finished index
gives. Medians and ranges; an answer that differs from the index's is counted.
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path


class Server:
    """A process that speaks JSON-RPC, by lines or with headers."""

    def __init__(self, args, command, environment, has_headers):
        self.has_headers, self.last = has_headers, 0
        line = [args.program, "-C", str(args.clone), *command]
        self.process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)

    def tell(self, method, params, **more):
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params} | more).encode()
        head = f"Content-Length: {len(body)}\r\n\r\n".encode() if self.has_headers else b""
        self.process.stdin.write(head + body + (b"" if self.has_headers else b"\n"))
        self.process.stdin.flush()

    def receive(self):
        if not self.has_headers:
            return json.loads(self.process.stdout.readline())
        length = 0
        while (line := self.process.stdout.readline().strip()):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))

    def ask(self, method, params):
        self.last += 1
        self.tell(method, params, id=self.last)
        while True:
            message = self.receive()
            if message.get("id") == self.last and "method" not in message:
                return message["result"]

    def end(self):
        self.process.kill()
        self.process.wait()


def agent(args, environment, question):
    """Seconds to the answer of an agent's search, and the answer without its last line, and whether it is the cluster's."""
    start = time.monotonic()
    server = Server(args, ["mcp"], environment | {"FOREWORD_STRUCTURED": "1"}, False)
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
    server.ask("initialize", client)
    server.tell("notifications/initialized", {})
    answer = server.ask("tools/call", {"name": "search", "arguments": {"query": question, "wait_ms": 60_000}})
    seconds = time.monotonic() - start
    server.end()
    structured = answer["structuredContent"]
    return seconds, structured["results"], structured.get("answered_from")


def editor(args, environment, expected=None):
    """Seconds to the first page and to the expected one; the last page."""
    path, line = args.place.rsplit(":", 1)
    file = args.clone / path
    uri, row = file.as_uri(), int(line) - 1
    at = {"line": row, "character": len(file.read_text().split("\n")[row])}
    start = time.monotonic()
    server = Server(args, ["lsp"], environment, True)
    folder = {"uri": args.clone.as_uri(), "name": "clone"}
    server.ask("initialize", {"processId": None, "rootUri": folder["uri"], "workspaceFolders": [folder], "capabilities": {}})
    server.tell("initialized", {})
    document = {"uri": uri, "languageId": "x", "version": 0, "text": file.read_text()}
    server.tell("textDocument/didOpen", {"textDocument": document})
    first, last = None, ""
    while time.monotonic() - start < 60:
        asked = {"textDocument": {"uri": uri}, "range": {"start": at, "end": at}, "context": {"diagnostics": []}}
        command = server.ask("textDocument/codeAction", asked)[0]["command"]
        shown = server.ask("workspace/executeCommand", command)["uri"].removeprefix("file://")
        page = Path(shown).read_text().replace("\nFrom the cluster, while this clone is indexed.\n", "")
        now = time.monotonic() - start
        first = first or now
        if expected is None and page == last and now > args.settle:
            break
        last = page
        if page == expected:
            break
        time.sleep(0.02)
    server.end()
    return first, now, last


def spread(values):
    return f"{statistics.median(values):.2f} ({min(values):.2f}–{max(values):.2f})"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("clone", type=lambda it: Path(it).resolve())
    parser.add_argument("url")
    parser.add_argument("place")
    parser.add_argument("questions", nargs="+")
    parser.add_argument("--index", default="foreword-first-answers")
    parser.add_argument("--settle", type=float, default=15, help="seconds after which the index is finished")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        home = Path(home)
        base = os.environ | {"HOME": str(home), "XDG_STATE_HOME": str(home / "state"), "FOREWORD_INDEX_DIR": str(home / "whole")}
        plain, seeded = base | {"XDG_CONFIG_HOME": str(home / "plain")}, base | {"XDG_CONFIG_HOME": str(home / "seeded")}
        (home / "seeded/foreword").mkdir(parents=True)
        (home / "seeded/foreword/config.toml").write_text(f"[cluster]\nurl = '{args.url}'\nindex = '{args.index}'\n")
        push = [args.program, "-C", str(args.clone), "push", "--cluster", args.url, "--cluster-index", args.index]
        print(subprocess.run(push, check=True, capture_output=True, text=True, env=plain).stdout.strip())
        expected = {it: agent(args, plain, it)[1] for it in args.questions}
        page = editor(args, plain)[2]
        for name, environment in [("without a cluster", plain), ("with [cluster]", seeded)]:
            searches, firsts, finals, wrong, from_cluster = [], [], [], 0, 0
            for n, question in enumerate(args.questions):
                def empty(kind):
                    return environment | {"FOREWORD_INDEX_DIR": str(home / f"{kind}{n}{name}")}
                seconds, results, source = agent(args, empty("mcp"), question)
                searches.append(seconds)
                wrong += results != expected[question]
                from_cluster += source == "cluster"
                first, final, _ = editor(args, empty("lsp"), page)
                firsts.append(first)
                finals.append(final)
            print(f"{name}: search {spread(searches)} s, {from_cluster} from the cluster, {wrong} differ; page: first {spread(firsts)} s, that of the index {spread(finals)} s")


if __name__ == "__main__":
    main()
