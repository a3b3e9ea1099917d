#!/usr/bin/env python3
"""Trains on a few hundred made rows, to see in seconds that the steps fit together: what was learned must separate topics.

    train/terms/smoke.py        (needs numpy and scipy)
"""

import gzip
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
TOPICS = {
    "read": ["open", "stream", "buffer", "bytes"],
    "draw": ["canvas", "colour", "pixel", "brush"],
    "sort": ["compare", "order", "swap", "pivot"],
    "send": ["socket", "packet", "address", "port"],
}


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        write_pairs(folder)
        (folder / "evaluated").mkdir()
        (folder / "evaluated" / "keys").write_text(f"{0:016x}\n")
        run("prepare.py", "--pairs", folder / "pairs", "--evaluated", folder / "evaluated", "--out", folder / "data")
        run("train.py", "--data", folder / "data", "--out", folder / "model.npz", "--dimensions", 64,
            "--nested", 32, "--batch", 64, "--group", 8, "--epochs", 30, "--every", 1000)
        run("export.py", "--model", folder / "model.npz", "--out", folder / "table.bin")
        check(np.load(folder / "model.npz"), (folder / "table.bin").read_bytes())
    print("1 passed, 0 failed")


def write_pairs(folder):
    """Texts that name a topic, and code of the topic's words; the two have no word in common."""
    (folder / "pairs").mkdir()
    rng = random.Random(1)
    for source in range(12):
        with gzip.open(folder / "pairs" / f"{source}.gz", "wt") as out:
            for at in range(120):
                topic = rng.choice(sorted(TOPICS))
                body = " ".join(rng.choices(TOPICS[topic], k=6) + [f"common{rng.randrange(5)}"])
                row = {"source": f"s{source}", "pair": "doc", "language": "rust", "kind": "function",
                       "key": f"{source * 1000 + at:016x}", "text": f"{topic} it now {at}", "place": "src lib",
                       "names": "run", "body": body}
                out.write(json.dumps(row) + "\n")


def run(script, *args):
    subprocess.run([sys.executable, HERE / script, *map(str, args)], check=True, stdout=subprocess.DEVNULL)


def check(model, table):
    """A topic's name is nearer to each of its words than to any other's; the file has the vectors."""
    terms = list(model["terms"])
    vectors = model["table"] / np.linalg.norm(model["table"], axis=1, keepdims=True)
    of = {term: vectors[terms.index(term)] for term in terms}
    for topic, words in TOPICS.items():
        own = min(of[topic] @ of[word] for word in words)
        others = max(of[topic] @ of[word] for other in TOPICS if other != topic for word in TOPICS[other])
        assert own > others, (topic, own, others)
    assert table.startswith(b"fwterms1") and len(table) > len(terms) * 64


if __name__ == "__main__":
    main()
