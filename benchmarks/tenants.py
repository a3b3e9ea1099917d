#!/usr/bin/env python3
"""Thousands of small repositories on one cluster: rate of pushes, sizes, answers and their time.

Usage: tenants.py PROGRAM DIRECTORY URL [--tenants N,N] [--workers N] [--minutes N] [--pushed N]

A tenant is a small repository: neighbouring files of a repository in DIRECTORY, 12 in the median, in which a third of the
names that they define have the tenant's own word appended. Tenant N, the same in every run, is pushed as tenant/N to the
OpenSearch at URL. At each size of `--tenants`, `foreword serve --cluster` is asked one question after the other: names and
comments on definitions, in one repository and in all, and names by `/v1/symbols`. An *own* name has the tenant's word;
*shared* questions are such that other tenants can have them too: in all, any copy of the file is right.
`--minutes` ends the pushes early; `--pushed N` says that the first N are there.
"""

import argparse
import json
import os
import random
import re
import resource
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cluster
from cluster import COMMENT, DEFINITION, SOURCES, Server, found_of, get, percentile, request_of

SYLLABLES = [a + b for a in "bdfgjklmnprstvwz" for b in "aeiou"]


def word_of(number):
    """A word that no other tenant has."""
    spread, n = number * 7919 % len(SYLLABLES) ** 3, len(SYLLABLES)
    return SYLLABLES[spread % n] + SYLLABLES[spread // n % n] + SYLLABLES[spread // n**2]


class Tenant:
    def __init__(self, corpus, number):
        rng = random.Random(number)
        self.number, self.name = number, f"tenant/{number:05}"
        self.base, files = rng.choice(corpus)
        most = max(3, min(150, round(rng.lognormvariate(2.5, 0.8))))
        start = rng.randrange(max(1, len(files) - most))
        read = {it: it.read_text(errors="replace") for it in files[start : start + most]}
        defined = sorted({it for text in read.values() for it in DEFINITION.findall(text)})
        word = word_of(number)
        self.own = {it: it + ("_" + word if "_" in it else word.title()) for it in defined if rng.random() < 1 / 3}
        name = re.compile(r"\w{6,}")
        renamed = lambda text: name.sub(lambda it: self.own.get(it[0], it[0]), text)
        self.texts = {str(it.relative_to(self.base)): renamed(text) for it, text in read.items()}

    def questions(self):
        """Own and shared questions with the path that is right."""
        places = {"own": {}, "shared": {}, "comment": {}}
        own = set(self.own.values())
        for path, text in self.texts.items():
            for found in DEFINITION.finditer(text):
                places["own" if found[1] in own else "shared"].setdefault(found[1], set()).add(path)
                if comment := COMMENT.match(text[: found.start()].rstrip().rsplit("\n", 1)[-1]):
                    places["comment"].setdefault(comment[1], set()).add(path)
        return {kind: [(it, *paths) for it, paths in all.items() if len(paths) == 1] for kind, all in places.items()}


def corpus_of(directory):
    fits = lambda it: it.suffix in SOURCES and it.is_file() and not it.is_symlink() and 200 < it.stat().st_size < 60_000
    all = {root: [it for it in sorted(root.rglob("*")) if fits(it)] for root in sorted(directory.iterdir())}
    return [it for it in all.items() if len(it[1]) > 12]


def push(args, corpus, number):
    """Seconds, bytes sent, lines and bytes of text of a tenant."""
    if time.monotonic() > args.end:
        return None
    tenant = Tenant(corpus, number)
    with tempfile.TemporaryDirectory() as work:
        for path, text in tenant.texts.items():
            Path(work, "files", path).parent.mkdir(parents=True, exist_ok=True)
            Path(work, "files", path).write_text(text)
        command = [args.program, "-C", f"{work}/files", "--here", "push", "--json", "--cluster", args.url]
        command += ["--cluster-index", cluster.INDEX, "--repository", tenant.name]
        start = time.monotonic()
        done = subprocess.run(command, capture_output=True, check=False, text=True, env=os.environ | {"FOREWORD_INDEX_DIR": f"{work}/index"})
        seconds = time.monotonic() - start
    if done.returncode:
        return print(f"not pushed: {tenant.name}: {done.stderr.strip()[-200:]}")
    text = "".join(tenant.texts.values())
    return seconds, json.loads(done.stdout)["bytes"], text.count("\n"), len(text)


def push_all(args, corpus, numbers):
    # Processor seconds of the programs that pushed, and of the nodes.
    programs = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    nodes = lambda: sum(it["process"]["cpu"]["total_in_millis"] for it in get(f"{args.url}/_nodes/stats/process")["nodes"].values())
    start, before = time.monotonic(), (programs(), nodes())
    with ThreadPoolExecutor(args.workers) as pool:
        times, sent, lines, text = zip(*filter(None, pool.map(lambda it: push(args, corpus, it), numbers)))
    seconds, n = time.monotonic() - start, len(times)
    print(f"pushed {n} in {seconds:.0f} s, {n / seconds:.1f} a second, p50 / p95 {percentile(times, .5):.2f} / {percentile(times, .95):.2f} s a push")
    print(f"lines p50 / p95 {percentile(lines, .5)} / {percentile(lines, .95)}, all {sum(lines) / 1e6:.2f} M; {sum(text) / 1e6:.0f} MB of text, {sum(sent) / 1e6:.0f} MB sent")
    print(f"processor ms a push: {(programs() - before[0]) / n * 1e3:.0f} of the program, {(nodes() - before[1]) / n:.0f} of the cluster; load {os.getloadavg()[0]:.1f}")
    return n


def ask_all(server, scope, kind, tasks):
    times, first, ten, failed = [], 0, 0, 0
    for tenant, question, path in tasks:
        url, body = request_of(scope, tenant.name, question)
        start, found = time.monotonic(), []
        try:
            found = found_of(scope, get(server.url + url, body))[:10]
        except OSError as error:
            failed += 1
            print(f"failed: {scope} {question}: {error}")
        times.append((time.monotonic() - start) * 1e3)
        right = [it == (tenant.name, path) if scope == "one" or kind == "own" else it[1] == path for it in found]
        first, ten = first + any(right[:1]), ten + any(right)
    print(f"| {scope} | {kind} | {len(tasks)} | {percentile(times, .5):.0f} | {percentile(times, .95):.0f} | {first} | {ten} | {failed} |", flush=True)


def measure(args, corpus, pushed):
    get(f"{args.url}/{cluster.INDEX}/_flush", {})
    time.sleep(11)  # Sizes are up to ten seconds old.
    total = get(f"{args.url}/{cluster.INDEX}/_stats/store,docs,segments")["_all"]["primaries"]
    size = total["store"]["size_in_bytes"]
    print(f"{pushed} tenants: {total['docs']['count']} documents, {total['segments']['count']} segments, {size / 1e6:.0f} MB on disk, {size / pushed / 1e3:.1f} kB a tenant")
    rng, asked = random.Random(11), {"own": [], "shared": [], "comment": []}
    for tenant in (Tenant(corpus, it) for it in rng.sample(range(pushed), min(pushed, 200))):
        for kind, all in tenant.questions().items():
            asked[kind] += [(tenant, *rng.choice(all))] if all else []
    half = lambda kind, other, n: asked[kind][: n // 2] + asked[other][: n // 2]
    scopes = [("one", "shared", half("shared", "comment", 50)), ("all", "own", asked["own"][:30]), ("all", "shared", half("shared", "comment", 30))]
    scopes += [("names", "own", asked["own"][:30]), ("names", "shared", asked["shared"][:30])]
    server = Server(args)
    print("| scope | question | questions | p50 ms | p95 ms | right first | right in ten | failed |\n|---|---|---|---|---|---|---|---|")
    try:
        for scope, kind, tasks in scopes:
            ask_all(server, scope, kind, tasks)
        print(f"memory of the server {server.memory():.0f} MB, load {os.getloadavg()[0]:.1f}", flush=True)
    finally:
        server.process.terminate()
        server.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("directory", type=Path)
    parser.add_argument("url")
    parser.add_argument("--tenants", default="1000,3000,10000")
    for name, default in [("workers", 4), ("minutes", 20), ("pushed", 0)]:
        parser.add_argument(f"--{name}", type=int, default=default)
    args = parser.parse_args()
    cluster.INDEX = "foreword-tenants"
    args.end = time.monotonic() + args.minutes * 60
    corpus, pushed = corpus_of(args.directory), args.pushed
    for size in map(int, args.tenants.split(",")):
        if time.monotonic() < args.end:
            pushed += push_all(args, corpus, range(pushed, size)) if size > pushed else 0
            measure(args, corpus, pushed)


if __name__ == "__main__":
    main()
