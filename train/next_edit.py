"""Fits the weights of likely places of the next edit (crates/engine/src/preset/constants/next.rs).

    foreword-evaluate next-edit --git-dirs DIR --half a --candidates --json a.json
    foreword-evaluate next-edit --git-dirs DIR --half b --candidates --json b.json
    python3 train/next_edit.py a.json b.json > weights.rs

Logistic regression with an L2 penalty over the weighed places of half A: whether a later step of the commit is there.
Each repository counts the same. Features on fewer than `LEAST` places are left out. Lists and calibration on both
halves go to stderr. Needs numpy.
"""

import collections
import json
import sys

import numpy as np

LEAST = 30
PENALTY = float(sys.argv[3]) if len(sys.argv) > 3 else 3.0
REPEATED = 10


def read(path):
    with open(path) as file:
        return json.load(file)["outcomes"]


def matrix(states, names):
    index = {name: at for at, name in enumerate(names)}
    candidates = [it for state in states for it in state["candidates"]]
    x = np.zeros((len(candidates), len(names)))
    for row, it in enumerate(candidates):
        for name, value in it["features"].items():
            if name in index:
                x[row, index[name]] = value
    y = np.array([bool(it["steps"]) for it in candidates], dtype=float)
    count = collections.Counter(state["repo"] for state in states for _ in state["candidates"])
    weight = np.array([1 / count[state["repo"]] for state in states for _ in state["candidates"]])
    return x, y, weight * len(candidates) / len(count)


def fit(x, y, weight):
    w = np.zeros(x.shape[1])
    penalty = np.full(x.shape[1], PENALTY)
    for _ in range(30):
        p = 1 / (1 + np.exp(-x @ w))
        gradient = x.T @ (weight * (p - y)) + penalty * w
        hessian = (x * (weight * p * (1 - p))[:, None]).T @ x + np.diag(penalty)
        step = np.linalg.solve(hessian, gradient)
        w -= step
        if np.abs(step).max() < 1e-6:
            break
    return w


def listed(state, scores):
    """The places of a state in order, as the engine lists them."""
    order = sorted(range(len(scores)), key=lambda it: -scores[it])
    res, later = [], []
    for at in order:
        it = state["candidates"][at]
        path, lines = it["place"].rsplit(":", 1)
        first, last = map(int, lines.split("-"))
        near = any(
            path == p and f <= last + REPEATED and first <= l + REPEATED for p, f, l, _ in res
        )
        (later if near and not it["is_certain"] else res).append((path, first, last, at))
    return [it[3] for it in res + later]


def report(name, states, p):
    at, rows, told = 0, collections.defaultdict(list), []
    for state in states:
        n = len(state["candidates"])
        scores = p[at : at + n]
        at += n
        places = [(state["candidates"][it], scores[it]) for it in listed(state, scores)][:10]
        told += places
        any_right = [bool(it["steps"]) for it, _ in places]
        next_right = [it["next"] for it, _ in places]
        rows[state["repo"]].append(
            [any(next_right[:5]), any_right[:1] == [True], any(any_right[:5]), any(any_right)]
        )
    means = np.mean([np.mean(it, axis=0) for it in rows.values()], axis=0)
    print(name, "next@5 any@1 any@5 any@10", np.round(means, 3), file=sys.stderr)
    score = np.array([it[1] for it in told])
    right = np.array([bool(it[0]["steps"]) for it in told])
    error = 0
    for low in np.arange(0, 1, 0.1):
        here = (score >= low) & (score < low + 0.1)
        if here.any():
            error += here.mean() * abs(score[here].mean() - right[here].mean())
    for least in [0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6]:
        here = score >= least
        share = right[here].mean() if here.any() else 0
        n = here.sum() / len(states)
        print(f"  {least:.2f} {n:.2f} a state, right {share:.3f}", file=sys.stderr)
    print(f"  calibration error {error:.3f}", file=sys.stderr)


def main():
    a, b = read(sys.argv[1]), read(sys.argv[2])
    count = collections.Counter(n for s in a for it in s["candidates"] for n in it["features"])
    names = sorted(name for name, n in count.items() if n >= LEAST)
    x, y, weight = matrix(a, names)
    w = fit(x, y, weight)
    sigmoid = lambda it: 1 / (1 + np.exp(-it))
    report("half A", a, sigmoid(x @ w))
    report("half B", b, sigmoid(matrix(b, names)[0] @ w))
    for name, value in zip(names, w):
        first, _, second = name.partition(" ")
        if abs(value) >= 0.005:
            print(f'    ("{first}", "{second}", {value:.2f}),')


main()
