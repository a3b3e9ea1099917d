"""What a coding agent waits for: `foreword mcp` over stdio on a repository, first cold, then warm.

    benchmarks/agents.py target/release/foreword DIR [--queries 200] [--edits 20] [--cold 100] [--warm 15]

* first: from the start of the process to the answer to its first question, with no index at all; what is there is
  answered, and flagged;
* search: questions made of names that the repository has, drawn by a fixed seed, warm;
* after an edit: a file is written, and the question for what was written comes at once;
* map: the first of a state, and the same again.

DIR is copied, so that edits are edits of a copy. With --cold N and --warm N the exit code says whether the first answer
(the median of five starts) and the 95th percentile of searches are below so many milliseconds.
"""

import argparse
import json
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import tempfile
import time

from timing import describe

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "benchmark", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Agent:
    """A server of its own."""

    def __init__(self, program, root, index):
        self.started = time.perf_counter()
        self.child = subprocess.Popen(
            [program, "-C", root, "--index-dir", index, "mcp", "--structured"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def call(self, tool, **arguments):
        """The answer, and the milliseconds that it took."""
        start = time.perf_counter()
        params = {"name": tool, "arguments": arguments, "_meta": META}
        request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        self.child.stdin.write(json.dumps(request).encode() + b"\n")
        self.child.stdin.flush()
        answer = json.loads(self.child.stdout.readline())["result"]
        assert not answer["isError"], answer
        return answer["structuredContent"], (time.perf_counter() - start) * 1e3

    def end(self):
        self.child.stdin.close()
        self.child.wait()


def cold(program, root, name):
    """Milliseconds from the start to the first answer, and how many files it speaks of."""
    with tempfile.TemporaryDirectory() as index:
        agent = Agent(program, root, index)
        found, _ = agent.call("search", query=name)
        waited = (time.perf_counter() - agent.started) * 1e3
        agent.child.kill()
        agent.child.wait()
        return waited, found["files"], found["complete"]


def names(root, n):
    """Names of functions that the repository defines, by a fixed seed."""
    files = sorted(it for it in pathlib.Path(root).rglob("*") if it.suffix in {".rs", ".py", ".go", ".ts", ".js"})
    found = set()
    for file in random.Random(1).sample(files, min(len(files), 400)):
        text = file.read_text(errors="replace")
        found.update(re.findall(r"\b(?:fn|def|func|function) (\w{6,})", text))
    return random.Random(2).sample(sorted(found), min(len(found), n))


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def percentiles(times):
    return f"p50 {percentile(times, 0.5):.1f} ms, p95 {percentile(times, 0.95):.1f} ms of {len(times)}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("dir")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--edits", type=int, default=20)
    parser.add_argument("--cold", type=float)
    parser.add_argument("--warm", type=float)
    args = parser.parse_args()
    describe(args.dir)
    with tempfile.TemporaryDirectory() as place:
        root, index = f"{place}/{pathlib.Path(args.dir).resolve().name}", f"{place}/index"
        shutil.copytree(args.dir, root, symlinks=True)
        asked = names(root, args.queries)
        starts = [cold(args.program, root, asked[0]) for _ in range(5)]
        first = statistics.median(it[0] for it in starts)
        print(f"first answer, cold: {first:.0f} ms (of {starts[0][1]} files, complete: {starts[0][2]})")

        agent = Agent(args.program, root, index)
        found, ms = agent.call("search", query=asked[0], wait_ms=120_000)
        print(f"indexed: {found['files']} files in {ms / 1e3:.1f} s")
        for name in asked:
            agent.call("search", query=name)
        words = [" ".join(name.split("_")) for name in asked]
        searches = [agent.call("search", query=query)[1] for query in asked + words]
        print("search:", percentiles(searches))
        edits = []
        for n in range(args.edits):
            name = f"invented_by_the_benchmark_{n}"
            pathlib.Path(root, "invented.py").write_text(f"def {name}():\n    pass\n")
            found, ms = agent.call("search", query=name)
            assert found["results"][0]["path"] == "invented.py", found
            edits.append(ms)
        print("search after an edit:", percentiles(edits))
        first_map, *again = [agent.call("map")[1] for _ in range(21)]
        print(f"map: {first_map:.0f} ms, the same again {percentiles(again)}")
        agent.end()
    is_slow = (args.cold and first > args.cold) or (args.warm and percentile(searches, 0.95) > args.warm)
    return 1 if is_slow else 0


if __name__ == "__main__":
    raise SystemExit(main())
