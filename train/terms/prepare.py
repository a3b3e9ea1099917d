#!/usr/bin/env python3
"""Turns collected pairs into numbers: the vocabulary, and sparse counts of the terms of each text and definition.

    train/terms/prepare.py --pairs DIR --evaluated DIR --out DIR [--terms 30000]

Left out: rows of code that the folder of evaluated keys has, repeated rows, and rows whose text or definition has less
than two known terms. Sources are held out whole: one in twelve, by the hash of its name.
"""

import argparse
import gzip
import hashlib
import json
from collections import Counter
from pathlib import Path

import numpy as np
import scipy.sparse as sp

FIELDS = ("text", "place", "names", "body")
# A source of many rows would teach its own words.
MOST_OF_A_SOURCE = 30_000


def main():
    args = arguments()
    evaluated = set()
    for path in sorted(args.evaluated.iterdir()):
        evaluated.update(path.read_text().split())
    rows, seen = [], set()
    for path in sorted(args.pairs.glob("*.gz")):
        rows += rows_of(path, evaluated, seen)
    vocabulary = choose_terms(rows, args.terms)
    numbers = {term: at for at, term in enumerate(vocabulary)}
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "terms.txt").write_text("\n".join(vocabulary) + "\n")
    for at, field in enumerate(FIELDS):
        sp.save_npz(args.out / f"{field}.npz", counts([it[at] for it in rows], numbers), compressed=False)
    sources = sorted({it[4] for it in rows})
    place = {name: at for at, name in enumerate(sources)}
    np.savez(
        args.out / "rows.npz",
        source=np.array([place[it[4]] for it in rows], np.int32),
        held_out=np.array([is_held_out(name) for name in sources]),
        kind=np.array([it[5] for it in rows]),
        language=np.array([it[6] for it in rows]),
        key=np.array([int(it[7], 16) for it in rows], np.uint64),
    )
    print(f"{len(rows)} rows of {len(sources)} sources, {len(evaluated)} evaluated keys, {len(vocabulary)} terms")
    print("by language:", Counter(it[6] for it in rows).most_common())
    print("by kind:", Counter(it[5] for it in rows).most_common())


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, required=True, help="what collect.py wrote")
    parser.add_argument("--evaluated", type=Path, required=True, help="keys of what is evaluated on")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--terms", type=int, default=30_000)
    return parser.parse_args()


def rows_of(path, evaluated, seen):
    """(text, place, names, body, source, kind, language, key) of a file."""
    rows = []
    try:
        lines = gzip.open(path, "rt", encoding="utf-8").readlines()
    except (EOFError, OSError):
        return rows
    for line in lines:
        row = json.loads(line)
        mark = hash((row["text"], row["key"]))
        if row["key"] in evaluated or mark in seen or row["text"].count(" ") < 1:
            continue
        seen.add(mark)
        parts = (row["text"], row["place"], row["names"], row["body"])
        rows.append((*parts, row["source"], row["pair"], row["language"], row["key"]))
    if len(rows) > MOST_OF_A_SOURCE:
        rows.sort(key=lambda it: hashlib.blake2b((it[7] + it[0]).encode()).digest())
        rows = rows[:MOST_OF_A_SOURCE]
    return rows


def choose_terms(rows, n):
    """The terms that most definitions and texts have; those of texts count double."""
    found = Counter()
    step = max(1, len(rows) // 400_000)
    for text, place, names, body, *_ in rows[::step]:
        found.update(set(body.split()))
        found.update(set(text.split()))
        found.update(set(names.split()) | set(place.split()))
    by_number = [it for it, _ in sorted(found.items(), key=lambda it: (-it[1], it[0]))]
    # Numbers and hashes say nothing.
    return [it for it in by_number if not it.isdigit() and len(it) <= 24][:n]


def counts(texts, numbers):
    """How often each row has each term."""
    columns, starts = [], [0]
    for text in texts:
        columns.append(np.fromiter((numbers[it] for it in text.split() if it in numbers), np.int32))
        starts.append(starts[-1] + len(columns[-1]))
    columns = np.concatenate(columns)
    matrix = sp.csr_matrix(
        (np.ones(len(columns), np.float32), columns, np.array(starts, np.int64)), (len(texts), len(numbers))
    )
    matrix.sum_duplicates()
    return matrix


def is_held_out(name):
    return hashlib.blake2b(name.encode()).digest()[0] % 12 == 0


if __name__ == "__main__":
    main()
