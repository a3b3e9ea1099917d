"""Asks peers semble's questions and scores the files that they find as `foreword-evaluate search` does: nDCG@10 over results,
where a second result of one file costs a place.

Usage: peer_questions.py PREFIX TASKS CORPORA [--repo NAME…] [--peer NAME…]

    PREFIX   where peers.sh installed them; what is not there is left out by name
    TASKS    semble.jsonl
    CORPORA  a directory with a checkout for each repository, by the last part of its name

sifs is asked with `--mode bm25 --offline`, its default for code that has no model. semble is asked by its own library with
the weight of its model at 0: its model has to be fetched from a hub, which was not to be had, so these are its words and its
rules of ranking; its published figures with the model are in the results.
"""

import argparse
import json
import math
import os
import subprocess
import sys
from collections import defaultdict

DEV = "Alamofire Dapper axum cobra commons-lang express flask libuv monolog plug telescope.nvim zod".split()
DEPTH = 10


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prefix")
    parser.add_argument("tasks")
    parser.add_argument("corpora")
    parser.add_argument("--repo", action="append", help="only this repository; the development ones without it")
    parser.add_argument("--peer", action="append", choices=list(PEERS))
    arguments = parser.parse_args()
    tasks = defaultdict(list)
    for line in open(arguments.tasks, encoding="utf-8"):
        task = json.loads(line)
        name = task["repo"].split("/")[-1]
        if task["task"] == "nl2file" and name in (arguments.repo or DEV) and task["relevant"]:
            tasks[name].append(task)
    for peer in arguments.peer or PEERS:
        ask = PEERS[peer](arguments.prefix)
        if ask is None:
            print(f"left out: {peer} (not in {arguments.prefix})")
            continue
        scores = []
        for name in sorted(tasks):
            own = [(task, score(ask, arguments.corpora, name, task)) for task in tasks[name]]
            scores += own
            print(f"{peer:8} {name:16} {len(own):4} {mean(own):.3f}", flush=True)
        for kind in sorted({category(task) for task, _ in scores}):
            of_kind = [it for it in scores if category(it[0]) == kind]
            print(f"{peer:8} {kind:16} {len(of_kind):4} {mean(of_kind):.3f}")
        print(f"{peer:8} {'all':16} {len(scores):4} {mean(scores):.3f}", flush=True)


def category(task):
    return task["meta"].get("category") or "none"


def mean(scores):
    return sum(it[1] for it in scores) / max(1, len(scores))


def score(ask, corpora, name, task):
    subdir = task["corpus"].get("subdir") or ""
    root = os.path.join(corpora, name, subdir)
    inside = lambda path: path[len(subdir):].lstrip("/") if subdir and path.startswith(subdir) else path
    gold = sorted({inside(it["path"]) for it in task["relevant"]})
    found = [os.path.relpath(it, root) if os.path.isabs(it) else it for it in ask(root, task["query_text"])[:DEPTH]]
    gained = sum(1 / math.log2(found.index(it) + 2) for it in gold if it in found)
    return gained / sum(1 / math.log2(at + 2) for at in range(min(DEPTH, len(gold))))


def sifs(prefix):
    program = os.path.join(prefix, "sifs", "bin", "sifs")
    if not os.path.exists(program):
        return None

    def ask(root, question):
        command = [program, "search", question, "--source", root, "--mode", "bm25", "--offline", "-k", str(DEPTH), "--json"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"sifs: {done.stderr.strip()[-300:]}")
        return paths(json.loads(done.stdout))

    return ask


def paths(value):
    """The files of the results of an answer, in order, whatever the answer calls them."""
    if isinstance(value, dict):
        for key in ("results", "matches", "hits"):
            if isinstance(value.get(key), list):
                return [place(it) for it in value[key]]
    return [place(it) for it in value] if isinstance(value, list) else []


def place(result):
    inner = result.get("chunk") if isinstance(result.get("chunk"), dict) else result
    return inner.get("file_path") or inner.get("path") or inner.get("file") or ""


def semble(prefix):
    sys.path[:0] = [os.path.join(prefix, "python", "lib", it, "site-packages") for it in python_versions(prefix)]
    try:
        from semble.index.index import SembleIndex
    except ModuleNotFoundError:
        return None
    indexes = {}

    def ask(root, question):
        if root not in indexes:
            indexes[root] = words_only(SembleIndex, prefix, root)
        return [it.chunk.file_path for it in indexes[root].search(question, top_k=DEPTH, alpha=0.0)]

    return ask


def python_versions(prefix):
    lib = os.path.join(prefix, "python", "lib")
    return sorted(os.listdir(lib)) if os.path.isdir(lib) else []


def words_only(index, prefix, root):
    """Its index with a model of random numbers, whose weight is 0."""
    os.environ.setdefault("SEMBLE_MODEL_NAME", os.path.join(prefix, "model"))
    os.environ["HF_HUB_OFFLINE"] = "1"
    return index.from_path(root)


PEERS = {"sifs": sifs, "semble": semble}

if __name__ == "__main__":
    main()
