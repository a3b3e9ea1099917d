#!/usr/bin/env python3
"""Fits the confidence of the embedded model for each kind of hole, and prints how reliable it is.

Usage: train/confidence.py --new RUN.json... --rest RUN.json... [--context N]

The runs are those of `foreword-evaluate next-line --json`: `--new` without a begun line, `--rest` with `--begun`, of which
only lines count that have more than an indentation. N is
1 for the composed pieces, as editors and the command line have them, 2 with the directory, as `serve` has it.

A logistic regression is fitted to what `crates/model/src/embedded/confidence.rs` knows of a line. The repositories are
divided into two halves by the hash of their names; the table has each line with the weights of the other half. The
weights of both halves together go into `preset.rs`.
"""

import argparse
import hashlib
import json
import math

NAMES = ["bias", "probability", "margin", "repeated", "written", "typed"]
MAX_MARGIN = 6.0
RIDGE = 1.0
LEASTS = [0.0, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7]


def half(repository):
    return int(hashlib.sha256(repository.encode()).hexdigest(), 16) % 2


def features(line, found):
    log = lambda it: math.log(max(it, 1e-12))
    margin = min(max(log(found["probability"]) - log(found["second"]), 0.0), MAX_MARGIN)
    sizes = [found["repeated"], len(found["line"].strip()), len(line["begun"].strip())]
    return [1.0, log(found["probability"]), margin, *(math.log1p(it) for it in sizes)]


def read(files, context, is_begun):
    """Lines of runs, begun or not: half, repository, whether in tests, features (None where nothing was found), whether right,
    whether the completion has letters or digits."""
    rows = []
    for file in files:
        with open(file) as run:
            outcomes = json.load(run)["outcomes"]
        for it in outcomes:
            for line in it["lines"]:
                if bool(line["begun"].strip()) != is_begun:
                    continue
                found = line["written"][context]
                known = features(line, found) if found["line"].strip() else None
                has_letters = any(it.isalnum() for it in found["line"])
                rows.append((half(it["repo"]), it["repo"], it["is_test"], known, found["is_right"], has_letters))
    return rows


def solve(matrix, vector):
    """Gaussian elimination."""
    n = len(vector)
    rows = [list(row) + [value] for row, value in zip(matrix, vector)]
    for at in range(n):
        pivot = max(range(at, n), key=lambda it: abs(rows[it][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for other in range(n):
            if other != at:
                factor = rows[other][at] / rows[at][at]
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[at])]
    return [row[n] / row[at] for at, row in enumerate(rows)]


def confidence(weights, known):
    return 0.0 if known is None else 1 / (1 + math.exp(-sum(w * x for w, x in zip(weights, known))))


def fit(rows):
    """Newton's method; the ridge keeps a feature that never varies at 0."""
    known = [(it[3], float(it[4])) for it in rows if it[3] is not None]
    weights = [0.0] * len(NAMES)
    for _ in range(30):
        gradient = [-RIDGE * w * (at > 0) for at, w in enumerate(weights)]
        hessian = [[RIDGE * (a == b) for b in range(len(NAMES))] for a in range(len(NAMES))]
        for x, right in known:
            p = confidence(weights, x)
            for a, xa in enumerate(x):
                gradient[a] += (right - p) * xa
                for b, xb in enumerate(x):
                    hessian[a][b] += p * (1 - p) * xa * xb
        weights = [w + step for w, step in zip(weights, solve(hessian, gradient))]
    return weights


def table(name, scored):
    print(f"\n{name}: {len(scored)} lines\n\n| says | lines | mean | right |\n|---|---|---|---|")
    for low in range(10):
        group = [it for it in scored if low / 10 <= it[0] < (low + 1) / 10 + (low == 9)]
        if group:
            says, right = (sum(it[at] for it in group) / len(group) for at in (0, 1))
            print(f"| {low / 10:.1f} to {low / 10 + 0.1:.1f} | {len(group)} | {says:.2f} | {right:.2f} |")
    print("\n| from | shown | right | right in half a, b | right with letters |\n|---|---|---|---|---|")
    for least in LEASTS:
        kept = [it for it in scored if it[0] >= least and it[0] > 0]
        right = lambda rows: f"{sum(it[1] for it in rows) / len(rows):.3f}" if rows else "–"
        halves = ", ".join(right([it for it in kept if it[2] == half]) for half in (0, 1))
        words = [it for it in kept if it[4]]
        print(f"| {least:.2f} | {len(kept) / len(scored):.3f} ({len(kept)}) | {right(kept)} | {halves} | {right(words)} ({len(words)}) |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--new", nargs="+", required=True)
    parser.add_argument("--rest", nargs="+", required=True)
    parser.add_argument("--context", type=int, default=1)
    args = parser.parse_args()
    for name, files in (("New lines", args.new), ("Rests of lines", args.rest)):
        rows = read(files, args.context, files is args.rest)
        counts = [len({it[1] for it in rows if it[0] == half}) for half in (0, 1)]
        print(f"\n## {name}\n\n{counts[0]} and {counts[1]} repositories.")
        scored = []
        for other in (0, 1):
            weights = fit([it for it in rows if it[0] == other])
            scored += [(confidence(weights, it[3]), it[4], it[0], it[2], it[5]) for it in rows if it[0] != other]
        for kind, in_tests in (("Code", False), ("Tests", True)):
            some = [it for it in scored if it[3] == in_tests]
            if some:
                table(kind, some)
        print("\nWeights:", ", ".join(f"{name} {w:.3f}" for name, w in zip(NAMES, fit(rows))))


if __name__ == "__main__":
    main()
