"""Fits the weights of likely places of the next edit (crates/engine/src/preset/constants/next.rs).

    foreword-evaluate next-edit --git-dirs DIR --half a --candidates --json a.json
    foreword-evaluate next-edit --git-dirs DIR --half b --candidates --json b.json
    python3 train/next_edit.py a.json b.json > weights.rs

The arguments are two disjoint sets of repositories, each a file or a directory of files. The weights of the published
table come from both. To confirm them, each set's places are also ordered by the weights of the other set alone; these
lists, their intervals, their calibration and the methods beside them go to stderr.

Weights: the share of the right places in the softmax over all places of a state is made likely (listwise), with an L2
penalty, since what counts is the order within a state. Chances: a logistic regression of the listed places over their
scores and the logarithms of their shares, by weights of other repositories (four folds). Each repository counts the same.
Features on fewer than `LEAST` places are left out. Needs numpy.
"""

import collections
import json
import pathlib
import sys

import numpy as np

LEAST = 30
PENALTY = 1.0
STEPS = 250
FOLDS = 4
REPEATED = 10
LISTED = 10
METHODS = ["as listed by the binary", "mixed", "same file", "grep", "references only", "co-change only"]


class State:
    def __init__(self, outcome):
        self.repo, self.lists = outcome["repo"], outcome["lists"]
        self.features = [it["features"] for it in outcome["candidates"]]
        self.right = np.array([bool(it["steps"]) for it in outcome["candidates"]], dtype=bool)
        self.next = np.array([it["next"] for it in outcome["candidates"]], dtype=bool)
        self.certain = [it["is_certain"] for it in outcome["candidates"]]
        places = [it["place"].rsplit(":", 1) for it in outcome["candidates"]]
        self.places = [(path, *map(int, lines.split("-"))) for path, lines in places]

    def listed(self, scores):
        """The first places in the engine's order."""
        near = lambda a, b: a[0] == b[0] and a[1] <= b[2] + REPEATED and b[1] <= a[2] + REPEATED
        res, later = [], []
        for at in np.argsort(-scores, kind="stable"):
            it = self.places[at]
            is_near = not self.certain[at] and any(near(it, self.places[known]) for known in res)
            (later if is_near else res).append(at)
            if len(res) == LISTED:
                break
        return (res + later)[:LISTED]


def read(path):
    path = pathlib.Path(path)
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    outcomes = [it for file in files for it in json.loads(file.read_text())["outcomes"]]
    return [State(it) for it in outcomes if it["candidates"]]


def names_of(states):
    count = collections.Counter(name for state in states for it in state.features for name in it)
    return sorted(name for name, n in count.items() if n >= LEAST)


def weigh(states, names):
    index = {name: at for at, name in enumerate(names)}
    for state in states:
        state.x = np.zeros((len(state.features), len(names)), dtype=np.float32)
        for row, it in enumerate(state.features):
            for name, value in it.items():
                if name in index:
                    state.x[row, index[name]] = value


def repository_weights(states):
    count = collections.Counter(state.repo for state in states)
    return np.array([len(states) / len(count) / count[state.repo] for state in states], dtype=np.float32)


def fit(states):
    """Weights by Adam on the listwise loss of the states that have a right place."""
    states = [it for it in states if it.right.any()]
    x, y = np.concatenate([it.x for it in states]), np.concatenate([it.right for it in states])
    n = np.array([len(it.right) for it in states])
    start, owner = np.concatenate([[0], np.cumsum(n)[:-1]]), np.repeat(np.arange(len(states)), n)
    weight = repository_weights(states)[owner]
    w = np.zeros(x.shape[1], dtype=np.float32)
    mean, square = np.zeros_like(w), np.zeros_like(w)
    for step in range(1, STEPS + 1):
        z = x @ w
        e = np.exp(z - np.maximum.reduceat(z, start)[owner])
        share = e / np.add.reduceat(e, start)[owner]
        of_right = e * y / np.add.reduceat(e * y, start)[owner]
        gradient = (x.T @ (weight * (share - of_right)) + PENALTY * w) / len(states)
        mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient**2
        rate = 0.05 * (1 - 0.9 * step / STEPS)
        w = w - rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return w


def sigmoid(z):
    return 1 / (1 + np.exp(-z))


def terms(scores):
    """A constant, the score, and the logarithm of the share."""
    most = scores.max()
    all_of_state = np.log(np.exp(scores - most).sum()) + most
    return np.stack([np.ones_like(scores), scores, scores - all_of_state], axis=1).astype(float)


def calibrate(states):
    """Weights of `terms`, by scores of weights from other repositories."""
    repos = sorted({it.repo for it in states})
    x, y, weight = [], [], []
    for fold in range(FOLDS):
        held = set(repos[fold::FOLDS])
        w = fit([it for it in states if it.repo not in held])
        own = [it for it in states if it.repo in held]
        for state, of_state in zip(own, repository_weights(own)):
            scores = state.x @ w
            listed = state.listed(scores)
            x.append(terms(scores)[listed])
            y.append(state.right[listed])
            weight += [of_state] * len(listed)
    x, y, weight = np.concatenate(x), np.concatenate(y), np.array(weight)
    c = np.zeros(3)
    for _ in range(30):
        p = sigmoid(x @ c)
        hessian = (x * (weight * p * (1 - p))[:, None]).T @ x + 1e-3 * np.eye(3)
        c -= np.linalg.solve(hessian, x.T @ (weight * (p - y)) + 1e-3 * c)
    return c


def measures(next_right, right):
    return [any(next_right[:5]), any(right[:1]), any(right[:5]), any(right[:10])]


def by_repository(states, rows):
    res = collections.defaultdict(list)
    for state, row in zip(states, rows):
        res[state.repo].append(row)
    return np.array([np.mean(it, axis=0) for it in res.values()])


def interval(values):
    """Mean, and the 95 % interval over repositories."""
    draws = np.random.default_rng(1).integers(0, len(values), (2000, len(values)))
    low, high = np.percentile(values[draws].mean(axis=1), [2.5, 97.5], axis=0)
    return "  ".join(f"{m:+.3f} [{a:+.3f}, {b:+.3f}]" for m, a, b in zip(values.mean(axis=0), low, high))


def report(name, states, w, c):
    print(f"{name}: {len(states)} states; next@5, any@1, any@5, any@10", file=sys.stderr)
    told, ours = [], []
    for state in states:
        scores = state.x @ w
        listed = state.listed(scores)
        ours.append(measures(state.next[listed], state.right[listed]))
        told += zip(sigmoid(terms(scores) @ c)[listed], state.right[listed])
    ours = by_repository(states, ours)
    print("  fitted".ljust(26), interval(ours), file=sys.stderr)
    for at, method in enumerate(METHODS):
        lists = [state.lists[at] for state in states]
        rows = [measures([i["next"] for i in it], [bool(i["steps"]) for i in it]) for it in lists]
        rows = by_repository(states, rows)
        print(f"  {method}".ljust(26), interval(rows), file=sys.stderr)
        print("    fitted over it".ljust(26), interval(ours - rows), file=sys.stderr)
    score, right = np.array([it[0] for it in told]), np.array([it[1] for it in told])
    error = 0
    for low in np.arange(0, 1, 0.1):
        here = (score >= low) & (score < low + 0.1)
        if here.any():
            error += here.mean() * abs(score[here].mean() - right[here].mean())
            row = f"  {low:.1f} {here.sum()} places, said {score[here].mean():.3f}, right {right[here].mean():.3f}"
            print(row, file=sys.stderr)
    for least in [0.3, 0.4, 0.5, 0.6]:
        here = score >= least
        share = right[here].mean() if here.any() else 0
        print(f"  from {least:.1f}: {here.sum() / len(states):.2f} a state, right {share:.3f}", file=sys.stderr)
    print(f"  expected calibration error {error:.3f}", file=sys.stderr)


def main():
    a, b = read(sys.argv[1]), read(sys.argv[2])
    for title, own, other in [("B by weights of A", a, b), ("A by weights of B", b, a)]:
        names = names_of(own)
        weigh(a + b, names)
        report(title, other, fit(own), calibrate(own))
    names = names_of(a + b)
    weigh(a + b, names)
    w, c = fit(a + b), calibrate(a + b)
    report("both, by their own weights", a + b, w, c)
    print("pub(crate) const CALIBRATION: [f32; 3] = [" + ", ".join(f"{it:.3f}" for it in c) + "];")
    for name, value in zip(names, w):
        first, _, second = name.partition(" ")
        if abs(value) >= 0.005:
            print(f'    ("{first}", "{second}", {value:.2f}),')


if __name__ == "__main__":
    main()
