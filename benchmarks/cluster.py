#!/usr/bin/env python3
"""Many repositories on one cluster: pushes, sizes, answers and their time, load, and zoekt beside it.

Usage: cluster.py PROGRAM DIRECTORY URL [--questions N] [--rates N,N] [--seconds N] [--zoekt DIRECTORY] [--pushed]

Each directory in DIRECTORY is a repository; it is pushed as bench/NAME to the OpenSearch at URL (ci/opensearch/cluster
starts one). Questions are names that the repositories define and the first sentences of comments on definitions; the
file that has the definition is right. They go to `foreword serve --cluster`, first one after the other by scope, then at
fixed rates from clients that do not wait for each other: of ten, six ask in one repository, two in all, two for a name in
all. `--zoekt` names a directory with zoekt-index and zoekt-webserver, which get the same directories and questions: words
are joined by `or`, with its BM25. `--pushed` leaves the pushes out.
"""

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

SOURCES = {".py", ".rs", ".js", ".ts", ".go", ".java", ".rb", ".php", ".cs", ".kt", ".c", ".swift", ".scala"}
DEFINITION = re.compile(r"^\s*(?:[a-z]+\s+)*(?:def|func|fn|fun|class|function|interface|struct|trait)\s+(?:\([^)]*\)\s*)?(\w{6,})", re.M)
COMMENT = re.compile(r"^\s*(?:///?|#|\*)\s*([A-Z][A-Za-z ,'-]{24,90})\.?\s*$")
INDEX = "foreword-bench"


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else float("nan")


def questions_of(root, rng, most):
    """Pairs of a question and the path that is right: names, and comments straight above a definition."""
    names, sentences = {}, {}
    files = [it for it in sorted(root.rglob("*")) if it.suffix in SOURCES and it.is_file() and not it.is_symlink()]
    rng.shuffle(files)
    for file in files[:200]:
        if file.stat().st_size > 200_000:
            continue
        text = file.read_text(errors="replace")
        path = str(file.relative_to(root))
        for found in DEFINITION.finditer(text):
            names.setdefault(found[1], set()).add(path)
            before = text[: found.start()].rstrip().rsplit("\n", 1)[-1]
            comment = COMMENT.match(before)
            if comment:
                sentences.setdefault(comment[1], set()).add(path)
    pick = lambda all: rng.sample(sorted(it for it in all if len(all[it]) == 1), min(most, sum(len(it) == 1 for it in all.values())))
    chosen = [(it, names[it], "name") for it in pick(names)] + [(it, sentences[it], "comment") for it in pick(sentences)]
    return [(question, next(iter(paths)), kind) for question, paths, kind in chosen]


def push_all(args, roots):
    start, sent, text = time.monotonic(), 0, 0
    slowest = (0, "")
    for root in roots:
        command = [args.program, "-C", str(root), "--here", "push", "--json", "--cluster", args.url, "--cluster-index", INDEX, "--repository", f"bench/{root.name}"]
        began = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"not pushed: {root.name}: {done.stderr.strip()[-200:]}")
            continue
        sent += json.loads(done.stdout)["bytes"]
        slowest = max(slowest, (time.monotonic() - began, root.name))
    seconds = time.monotonic() - start
    print(f"push: {len(roots)} repositories, {seconds:.0f} s, {sent / 1e6:.0f} MB sent, slowest {slowest[1]} {slowest[0]:.1f} s")


def get(url, body=None, headers=None):
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(url, data, {"content-type": "application/json"} | (headers or {}))
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def store(args):
    get(f"{args.url}/{INDEX}/_flush", {})
    time.sleep(11)  # Sizes are up to ten seconds old.
    total = get(f"{args.url}/{INDEX}/_stats/store,docs")["_all"]["primaries"]
    print(f"cluster: {total['docs']['count']} documents, {total['store']['size_in_bytes'] / 1e6:.0f} MB on disk")


def lines_of(roots):
    files = [it for root in roots for it in root.rglob("*") if it.suffix in SOURCES and it.is_file() and not it.is_symlink()]
    texts = [it.read_bytes() for it in files]
    print(f"corpus: {len(roots)} repositories, {len(files)} source files, {sum(map(len, texts)) / 1e6:.0f} MB, {sum(it.count(10) for it in texts) / 1e6:.2f} million lines")


class Server:
    """`foreword serve --cluster`."""

    def __init__(self, args):
        command = [args.program, "serve", "--cluster", args.url, "--cluster-index", INDEX, "--port", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = re.search(r"http://\S+", self.process.stdout.readline())[0].rstrip("/")

    def memory(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1e3

    def ticks(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def request_of(scope, repository, question):
    if scope == "one":
        return "/v1/search", {"query": question, "repository": repository, "brief": True}
    if scope == "all":
        return "/v1/search", {"query": question, "brief": True}
    return "/v1/symbols", {"name": question}


def found_of(scope, answer):
    """Places of the answer as (repository, path)."""
    if scope == "names":
        return [(it["repository"], d["path"]) for it in answer["repositories"] for d in it["definitions"]]
    return [(it["repository"], it["path"]) for it in answer["results"]]


def alone(server, tasks):
    """One question after the other, by scope."""
    print("| scope | questions | p50 ms | p95 ms | right in first 10 |\n|---|---|---|---|---|")
    for scope in ["one", "all", "names"]:
        asked = [it for it in tasks if scope != "names" or it[3] == "name"]
        times, right = [], 0
        for repository, question, path, _ in asked:
            url, body = request_of(scope, repository, question)
            start = time.monotonic()
            answer = get(server.url + url, body)
            times.append((time.monotonic() - start) * 1e3)
            right += (repository, path) in found_of(scope, answer)[:10]
        print(f"| {scope} | {len(asked)} | {percentile(times, .5):.0f} | {percentile(times, .95):.0f} | {right / max(len(asked), 1):.3f} |")


async def send(server, path, body):
    host, port = server.url.split("//")[1].split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    data = json.dumps(body).encode()
    writer.write(f"POST {path} HTTP/1.1\r\nhost: {host}:{port}\r\ncontent-type: application/json\r\ncontent-length: {len(data)}\r\nconnection: close\r\n\r\n".encode() + data)
    answer = await reader.read()
    writer.close()
    return int(answer.split(b" ", 2)[1])


async def load(server, tasks, rate, seconds, rng):
    times, failed = {"one": [], "all": [], "names": []}, 0

    async def one(at, scope, task):
        nonlocal failed
        await asyncio.sleep(at - time.monotonic())
        status = await send(server, *request_of(scope, task[0], task[1]))
        failed += status != 200
        times[scope].append((time.monotonic() - at) * 1e3)

    names = [it for it in tasks if it[3] == "name"]
    begin, before = time.monotonic() + 0.5, server.ticks()
    jobs = []
    for n in range(int(rate * seconds)):
        scope = ["one", "one", "all", "one", "names", "one", "one", "all", "one", "names"][n % 10]
        jobs.append(one(begin + n / rate, scope, rng.choice(names if scope == "names" else tasks)))
    await asyncio.gather(*jobs)
    took = time.monotonic() - begin
    cpu = (server.ticks() - before) / len(jobs) * 1e3
    cells = [f"{percentile(times[it], .5):.0f} / {percentile(times[it], .95):.0f}" for it in ["one", "all", "names"]]
    print(f"| {rate} | {len(jobs) / took:.1f} | {' | '.join(cells)} | {failed} | {cpu:.1f} | {server.memory():.0f} |")


def zoekt(args, roots, tasks):
    with tempfile.TemporaryDirectory() as work:
        start = time.monotonic()
        for root in roots:
            subprocess.run([f"{args.zoekt}/zoekt-index", "-index", work, str(root)], check=True, capture_output=True)
        size = sum(it.stat().st_size for it in Path(work).iterdir())
        print(f"zoekt: indexed in {time.monotonic() - start:.0f} s, {size / 1e6:.0f} MB on disk")
        server = subprocess.Popen([f"{args.zoekt}/zoekt-webserver", "-index", work, "-listen", "127.0.0.1:6071", "-rpc"], stderr=subprocess.DEVNULL)
        try:
            time.sleep(10)
            print("| zoekt, scope | questions | p50 ms | p95 ms | right in first 10 |\n|---|---|---|---|---|")
            for scope in ["one", "all"]:
                times, right = [], 0
                for repository, question, path, kind in tasks:
                    words = [it for it in re.findall(r"\w+", question) if len(it) > 3] or [question]
                    query = f"({' or '.join(words)})" if kind == "comment" else question
                    name = repository.split("/")[1]
                    query += f" r:^{re.escape(name)}$" if scope == "one" else ""
                    options = {"UseBM25Scoring": True, "MaxDocDisplayCount": 10}
                    start = time.monotonic()
                    answer = get("http://127.0.0.1:6071/api/search", {"Q": query, "Opts": options})
                    times.append((time.monotonic() - start) * 1e3)
                    files = answer["Result"].get("Files") or []
                    right += (name, path) in [(it["Repository"], it["FileName"]) for it in files[:10]]
                print(f"| {scope} | {len(tasks)} | {percentile(times, .5):.0f} | {percentile(times, .95):.0f} | {right / len(tasks):.3f} |")
        finally:
            server.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("directory", type=Path)
    parser.add_argument("url")
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--rates", default="5,10,20")
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--zoekt")
    parser.add_argument("--pushed", action="store_true")
    args = parser.parse_args()
    rng = random.Random(7)
    roots = sorted(it for it in args.directory.iterdir() if it.is_dir())
    lines_of(roots)
    if not args.pushed:
        push_all(args, roots)
    store(args)
    each = -(-args.questions // (2 * len(roots)))
    tasks = [(f"bench/{root.name}", *it) for root in roots for it in questions_of(root, rng, each)]
    rng.shuffle(tasks)
    tasks = tasks[: args.questions]
    server = Server(args)
    try:
        alone(server, tasks)
        print("| asked a second | answered | one, p50 / p95 ms | all | names | failed | CPU ms a question | peak MB |\n|---|---|---|---|---|---|---|---|")
        for rate in filter(None, args.rates.split(",")):
            asyncio.run(load(server, tasks, float(rate), args.seconds, rng))
    finally:
        server.process.terminate()
    if args.zoekt:
        zoekt(args, roots, tasks)


if __name__ == "__main__":
    main()
