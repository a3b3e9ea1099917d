"""Runs the peers that `peers.sh` installed beside foreword: cold index, then queries from a cold process, in turns."""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

import timing

HERE = os.path.dirname(os.path.abspath(__file__))
QUERIES = {"stdlib": ["parse_url", "how are redirects followed"]}
OTHERS = ["parse_args", "read a file into a string"]


class Peer:
    """How to index (fresh every time) and how to ask. `tree` is a copy that it may write into."""

    def __init__(self, name, index, ask, state, env=None):
        self.name, self.index, self.ask, self.state, self.env = name, index, ask, state, env

    def forget(self):
        for path in self.state:
            shutil.rmtree(path, ignore_errors=True)

    def size(self):
        total = 0
        for path in self.state:
            for folder, _, files in os.walk(path):
                total += sum(os.lstat(os.path.join(folder, it)).st_size for it in files)
        return total


def foreword(tree, work):
    binary = os.environ.get("FOREWORD", os.path.join(HERE, "..", "target", "release", "foreword"))
    index = os.path.join(work, "foreword")
    common = [binary, "-C", tree, "--here", "--index-dir", index, "--quiet"]
    return Peer("foreword", common + ["index"], lambda q: common + ["search", q, "--json"], [index])


def semble(prefix, tree, work):
    """Its whole pipeline, with a model of random numbers in the shape of its own (30,000 × 256): times are as with the
    real one, which has to be fetched from a hub; answers are not."""
    program = os.path.join(prefix, "python", "bin", "semble")
    if not os.path.exists(program):
        return None
    model = os.path.join(prefix, "model")
    if not os.path.exists(model):
        python = os.path.join(prefix, "python", "bin", "python")
        made = subprocess.run([python, os.path.join(HERE, "random_model.py"), tree, model])
        if made.returncode != 0:
            return None
    cache = os.path.join(work, "semble")
    env = os.environ | {"SEMBLE_MODEL_NAME": model, "XDG_CACHE_HOME": cache, "HF_HUB_OFFLINE": "1", "HOME": cache}
    ask = lambda q: [program, "search", q, tree]
    return Peer("semble (random model)", ask("anything"), ask, [cache], env)


def codegraph(prefix, tree):
    program = os.path.join(prefix, "codegraph", "node_modules", ".bin", "codegraph")
    state = os.path.join(tree, ".codegraph")
    env = os.environ | {"CI": "1", "CODEGRAPH_NO_DAEMON": "1", "CODEGRAPH_TELEMETRY": "0", "DO_NOT_TRACK": "1"}
    ask = lambda q: [program, "query", "--path", tree, "--json", q]
    return Peer("codegraph", [program, "init", tree], ask, [state], env) if os.path.exists(program) else None


def zoekt(prefix, tree, work):
    """All words of a question must be in a file."""
    program = os.path.join(prefix, "zoekt", "zoekt")
    index = os.path.join(work, "zoekt")
    ask = lambda q: [program, "-index_dir", index, q]
    return Peer("zoekt", [program + "-index", "-index", index, tree], ask, [index]) if os.path.exists(program) else None


def ripgrep(tree):
    """Lines with the question as it is, or with one of its words of four letters and more."""
    program = shutil.which("rg")
    words = lambda q: "|".join(it for it in q.split() if len(it) > 3) or q
    ask = lambda q: [program, "--line-number", words(q), tree]
    return Peer("ripgrep (no index)", None, ask, []) if program else None


def probe(prefix, tree):
    program = os.path.join(prefix, "probe", "probe")
    ask = lambda q: [program, "search", q, tree, "--max-results", "10"]
    return Peer("probe (no index)", None, ask, []) if os.path.exists(program) else None


def reflex(prefix, tree):
    program = os.path.join(prefix, "reflex", "bin", "rfx")
    state = os.path.join(tree, ".reflex")
    index = ["sh", "-c", f"cd '{tree}' && exec '{program}' index"]
    ask = lambda q: ["sh", "-c", f"cd '{tree}' && exec '{program}' query \"$1\"", "sh", q]
    return Peer("reflex", index, ask, [state]) if os.path.exists(program) else None


def indexing(peers, rounds, source):
    print(f"| cold index, {rounds} rounds | least s | median s | CPU s | peak MB | index / source |\n|---|---|---|---|---|---|")
    results = {it.name: [] for it in peers}
    for _ in range(rounds):
        for peer in peers:
            peer.forget()
            for path in peer.state:
                os.makedirs(os.path.dirname(path), exist_ok=True)
            results[peer.name].append(timing.run(peer.index, peer.env))
    for peer in peers:
        runs = results[peer.name]
        walls = [it[0] for it in runs]
        cpu, peak = min(it[1] for it in runs), max(it[2] for it in runs)
        failed = "" if all(it[3] == 0 for it in runs) else f" (exit code {runs[-1][3]})"
        print(
            f"| {peer.name}{failed} | {min(walls):.2f} | {statistics.median(walls):.2f} | {cpu:.2f} "
            f"| {peak / 1e6:.0f} | {peer.size() / source:.2f} |"
        )
    print()


def asking(peers, rounds, queries):
    print("| query from a cold process | least ms | median ms | peak MB |\n|---|---|---|---|")
    results = {(it.name, q): [] for it in peers for q in queries}
    for _ in range(rounds):
        for peer in peers:
            for query in queries:
                results[peer.name, query].append(timing.run(peer.ask(query), peer.env))
    for (name, query), runs in results.items():
        walls = [it[0] * 1e3 for it in runs]
        failed = "" if runs[-1][3] in (0, 1) else f" (exit code {runs[-1][3]})"
        peak = max(it[2] for it in runs) / 1e6
        print(f"| {name}, “{query}”{failed} | {min(walls):.0f} | {statistics.median(walls):.0f} | {peak:.0f} |")
    print()


def chunking(prefix, tree):
    python = os.path.join(prefix, "python", "bin", "python")
    done = subprocess.run([python, os.path.join(HERE, "astchunk_speed.py"), tree], capture_output=True, text=True)
    print(done.stdout.strip() or f"left out: astchunk ({(done.stderr.strip().splitlines() or ['not installed'])[-1]})")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("prefix")
    parser.add_argument("corpus")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--wait", type=int, default=0)
    arguments = parser.parse_args()
    prefix, corpus = arguments.prefix, os.path.basename(arguments.corpus)
    with tempfile.TemporaryDirectory() as work:
        # Some peers write into the tree, so each has a copy of its own.
        copy = lambda name: shutil.copytree(arguments.corpus, os.path.join(work, name, corpus))
        peers = [foreword(copy("a"), work), semble(prefix, copy("b"), work), codegraph(prefix, copy("c"))]
        peers += [probe(prefix, copy("d")), reflex(prefix, copy("e"))]
        peers += [zoekt(prefix, copy("f"), work), ripgrep(copy("g"))]
        peers = [it for it in peers if it]
        source = sum(os.path.getsize(os.path.join(a, it)) for a, _, files in os.walk(arguments.corpus) for it in files)
        timing.wait_for_quiet(arguments.wait)
        timing.describe(f"peers.sh {corpus}: {source / 1e6:.1f} MB")
        indexing([it for it in peers if it.index], arguments.rounds, source)
        asking(peers, arguments.rounds + 2, QUERIES.get(corpus, OTHERS))
        chunking(prefix, arguments.corpus)
        print(f"\nload at the end {os.getloadavg()[0]:.2f}")


if __name__ == "__main__":
    sys.exit(main())
