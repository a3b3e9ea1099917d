"""Learns the combiner: which factor each input puts on a candidate's score.

    learn.py TRAIN DEV --out weights.json [--learner linear|trees|shares]

TRAIN and DEV are what `foreword-experiments features --out` wrote. The objective is what a piece adds per token to those
that stand before it: a softmax over the candidates of a hole is fitted to it (ListNet), then what a piece adds is
counted anew in the order that this gives, and again. Repositories are held out whole: five groups of the train
repositories choose between settings, the dev repositories are looked at with what was chosen.
"""
import argparse
import json
import sys

import numpy as np

from data import BUDGETS, MEASURES, load, marginal, shown

ROUNDS = 3
# The least square root of a share.
LEAST_ROOT = 1e-3
# More of these is never worse: their weights stay above 0.
RISING = {"score", "place", "likeness", "likeness_after", "shared_names", "shared_lines", "imported"}


def pack(tasks, columns):
    """All candidates below each other, and where each task begins."""
    x = np.concatenate([it.inputs[:, columns] for it in tasks]).astype(np.float64)
    starts = np.cumsum([0] + [len(it.tokens) for it in tasks])
    return x, starts


def targets(tasks, scores, starts):
    """Of each task what its candidates add per token, summing to 1; its weight, 0 where nothing explains anything."""
    res, weights = np.zeros(starts[-1]), np.zeros(len(tasks))
    for idx, it in enumerate(tasks):
        part = slice(starts[idx], starts[idx + 1])
        gain = marginal(it, scores[part])
        total = gain.sum()
        if total > 0:
            res[part], weights[idx] = gain / total, 1.0
    return res, weights


def softmax(scores, starts):
    peaks = np.maximum.reduceat(scores, starts[:-1])
    res = np.exp(scores - np.repeat(peaks, np.diff(starts)))
    return res / np.repeat(np.add.reduceat(res, starts[:-1]), np.diff(starts))


def fit_linear(x, base, starts, target, weights, rising, ridge, start):
    """Adam on the cross-entropy, weights of `rising` columns not below 0 (as factors beside `base`)."""
    spread = x.std(axis=0) + 1e-9
    z, w = x / spread, start * spread
    mean, square = np.zeros_like(w), np.zeros_like(w)
    per_row = np.repeat(weights, np.diff(starts)) / weights.sum()
    for step in range(1, 241):
        p = softmax(base + z @ w, starts)
        gradient = z.T @ ((p - target) * per_row) + ridge * w
        mean, square = 0.9 * mean + 0.1 * gradient, 0.99 * square + 0.01 * gradient**2
        rate = 0.05 if step < 160 else 0.015
        w = w - rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
        w[rising] = np.maximum(w[rising], 0.0)
    return w / spread


class Linear:
    """A weight for each input."""

    name = "linear"

    def __init__(self, names, ridge=1e-4):
        self.names, self.ridge = names, ridge

    def fit(self, tasks, columns):
        x, starts = pack(tasks, columns)
        base = x[:, self.names.index("score")]
        rising = np.array([it in RISING and it != "score" for it in self.names])
        w, scores = np.zeros(len(self.names)), base
        for _ in range(ROUNDS):
            target, weights = targets(tasks, scores, starts)
            w = fit_linear(x, base, starts, target, weights, rising, self.ridge, w)
            scores = base + x @ w
        self.weights = w
        return self

    def factors(self, x):
        return x @ self.weights

    def exported(self):
        kept = [at for at, it in enumerate(self.weights) if abs(it) > 1e-6]
        return {
            "inputs": [self.names[at] for at in kept],
            "linear": [round(float(self.weights[at]), 5) for at in kept],
            "trees": [],
        }


class Trees:
    """Boosted trees beside the linear weights' place: LightGBM's LambdaRank from the engine's score on."""

    name = "trees"

    def __init__(self, names, n=60, leaves=8, rate=0.08):
        self.names, self.n, self.leaves, self.rate = names, n, leaves, rate

    def fit(self, tasks, columns):
        import lightgbm

        x, starts = pack(tasks, columns)
        base = x[:, self.names.index("score")]
        scores = base
        for _ in range(2):
            target, _ = targets(tasks, scores, starts)
            peaks = np.repeat(np.maximum.reduceat(target, starts[:-1]), np.diff(starts))
            grades = np.minimum(np.floor(target / np.maximum(peaks, 1e-12) * 10), 10).astype(int)
            rows = lightgbm.Dataset(
                x, label=grades, group=np.diff(starts), init_score=base, feature_name=self.names
            )
            settings = {
                "objective": "lambdarank", "num_leaves": self.leaves, "learning_rate": self.rate,
                "min_data_in_leaf": 200, "lambdarank_truncation_level": 12, "label_gain": list(range(11)),
                "monotone_constraints": [1 if it in RISING else 0 for it in self.names],
                "feature_fraction": 0.7, "lambda_l2": 10.0, "seed": 1, "num_threads": 1, "verbose": -1,
                "deterministic": True, "force_row_wise": True,
            }
            self.model = lightgbm.train(settings, rows, num_boost_round=self.n)
            scores = base + self.model.predict(x, raw_score=True)
        return self

    def factors(self, x):
        return self.model.predict(x, raw_score=True, num_threads=1)

    def exported(self):
        trees = [nodes_of(it["tree_structure"]) for it in self.model.dump_model()["tree_info"]]
        # The mean of all is no evidence for any.
        for nodes in trees:
            shift = nodes[0]["value"]
            for node in nodes:
                node["value"] = round(node["value"] - shift, 6)
        return {"inputs": self.names, "linear": [], "trees": trees}


class Shares:
    """Boosted trees that foretell the square root of what a piece adds to those before it in the engine's order. Its
    square and the engine's score have a geometric mean, by which candidates are ordered."""

    name = "shares"

    def __init__(self, names, n=200, leaves=31, rate=0.05):
        self.names, self.n, self.leaves, self.rate = names, n, leaves, rate

    def fit(self, tasks, columns):
        import lightgbm

        x, _ = pack(tasks, columns)
        repos = [it.repo for it in tasks]
        added = [added_share(it, it.inputs[:, 0].astype(np.float64)) for it in tasks]
        weights = [np.full(len(it.tokens), repos.count(it.repo) ** -0.5) for it in tasks]
        rows = lightgbm.Dataset(
            x, label=np.sqrt(np.concatenate(added)), weight=np.concatenate(weights), feature_name=self.names
        )
        settings = {
            "objective": "regression", "num_leaves": self.leaves, "learning_rate": self.rate,
            "min_data_in_leaf": 300, "feature_fraction": 0.6, "bagging_fraction": 0.7, "bagging_freq": 1,
            "lambda_l2": 10.0, "seed": 1, "num_threads": 1, "verbose": -1, "deterministic": True,
            "force_row_wise": True,
        }
        self.model = lightgbm.train(settings, rows, num_boost_round=self.n)
        return self

    def factors(self, x):
        root = np.maximum(self.model.predict(x, num_threads=1), LEAST_ROOT)
        return np.log(root) - 0.5 * x[:, self.names.index("score")]

    def exported(self):
        trees = [nodes_of(it["tree_structure"]) for it in self.model.dump_model()["tree_info"]]
        # A split at the root stands for nothing by itself: leaves hold all of the sum.
        for nodes in trees:
            nodes[0]["value"] = 0.0 if len(nodes) > 1 else nodes[0]["value"]
        return {"output": "root-of-share", "inputs": self.names, "linear": [], "trees": trees}


def added_share(task, scores, most=2000):
    """The share of the hole that each candidate adds to those before it, of which `most` tokens are shown."""
    res, left, seen = np.zeros(len(scores)), most, (set(), set(), set())
    for at in np.lexsort((np.arange(len(scores)), -scores)):
        tokens = task.tokens[at]
        if not tokens:
            continue
        res[at] = task.use(at, seen)
        if tokens <= left:
            left -= tokens
            for m in range(3):
                seen[m].update(task.items[m][at])
    return res


def nodes_of(root):
    """The nodes of one of LightGBM's trees, each before its children."""
    nodes = []

    def add(node):
        at = len(nodes)
        nodes.append({"value": round(node.get("leaf_value", node.get("internal_value", 0.0)), 6)})
        if "split_feature" in node:
            left, right = add(node["left_child"]), add(node["right_child"])
            threshold = float(np.float32(node["threshold"]))
            nodes[at].update(input=node["split_feature"], threshold=threshold, left=left, right=right)
        return at

    add(root)
    return nodes


def table(tasks, scores_of):
    """Means by kind of task, budget and measure, and their differences to the engine's order by repository."""
    seen = {}
    for it in tasks:
        ours, theirs = shown(it, scores_of(it)), shown(it, it.inputs[:, 0].astype(np.float64))
        for b, budget in enumerate(BUDGETS):
            for m, measure in enumerate(MEASURES):
                if ours[b][m] is not None:
                    seen.setdefault((it.kind, budget, measure), []).append((it.repo, ours[b][m], theirs[b][m]))
    return seen


def interval(rows, seed=1):
    """The mean difference, and its 95 % interval over repositories drawn again."""
    by_repo = {}
    for repo, ours, theirs in rows:
        by_repo.setdefault(repo, []).append(ours - theirs)
    means = np.array([np.mean(it) for it in by_repo.values()])
    random = np.random.default_rng(seed)
    drawn = random.choice(means, (2000, len(means))).mean(axis=1)
    return means.mean(), *np.percentile(drawn, [2.5, 97.5])


def report(title, tasks, scores_of):
    print(f"\n## {title}\n\n| kind | tokens | " + " | ".join(MEASURES) + " |\n|---|---|---|---|---|")
    seen = table(tasks, scores_of)
    for kind in sorted({it[0] for it in seen}):
        for budget in BUDGETS:
            cells = []
            for measure in MEASURES:
                rows = seen.get((kind, budget, measure), [])
                mean, low, high = interval(rows)
                star = "*" if low > 0 or high < 0 else ""
                cells.append(f"{np.mean([it[2] for it in rows]):.3f} → {np.mean([it[1] for it in rows]):.3f}"
                             f" ({mean:+.3f} [{low:+.3f}, {high:+.3f}]){star}")
            print(f"| {kind} | {budget} | " + " | ".join(cells) + " |")
    sys.stdout.flush()


def held_out(make, tasks, columns, groups=5):
    """The factors of every task by models that did not see its repository."""
    repos = sorted({it.repo for it in tasks})
    group_of = {it: at % groups for at, it in enumerate(np.random.default_rng(7).permutation(repos))}
    factors = {}
    for group in range(groups):
        model = make().fit([it for it in tasks if group_of[it.repo] != group], columns)
        for it in tasks:
            if group_of[it.repo] == group:
                factors[it.id] = model.factors(it.inputs[:, columns].astype(np.float64))
    return factors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("train", help="one, or several parts with commas")
    parser.add_argument("dev", nargs="*")
    parser.add_argument("--learner", choices=["linear", "trees", "shares"], default="linear")
    parser.add_argument("--without", nargs="*", default=[], help="inputs to leave out")
    parser.add_argument("--cross", action="store_true", help="also hold out groups of the train repositories")
    parser.add_argument("--run", default="unnamed")
    parser.add_argument("--out")
    parser.add_argument("--ridge", type=float, default=1e-4)
    parser.add_argument("--trees", type=int, default=60)
    args = parser.parse_args()
    names, tasks = [], []
    for part in args.train.split(","):
        names, more = load(part)
        tasks += more
    columns = [at for at, it in enumerate(names) if it not in args.without]
    names = [names[at] for at in columns]
    score = names.index("score")

    def make():
        return {
            "linear": lambda: Linear(names, args.ridge),
            "trees": lambda: Trees(names, args.trees),
            "shares": lambda: Shares(names),
        }[args.learner]()

    def scores_by(factors):
        return lambda it: it.inputs[:, columns][:, score].astype(np.float64) + factors(it)

    print(f"{len(tasks)} tasks of {len({it.repo for it in tasks})} repositories, {len(names)} inputs")
    if args.cross:
        factors = held_out(make, tasks, columns)
        report(f"{args.learner}, held out groups of the train repositories", tasks, scores_by(lambda it: factors[it.id]))
    model = make().fit(tasks, columns)
    if args.learner == "linear":
        for weight, name in sorted(zip(model.weights, names), key=lambda it: -abs(it[0])):
            print(f"  {name} {weight:+.3f}")
    for name in args.dev:
        dev_names, dev = load(name)
        assert [dev_names[at] for at in columns] == names, "train and dev have other inputs"
        report(f"{args.learner}, {name}", dev,
               scores_by(lambda it: model.factors(it.inputs[:, columns].astype(np.float64))))
    if args.out:
        with open(args.out, "w", encoding="utf-8") as file:
            json.dump({"run": args.run, **model.exported()}, file)
            file.write("\n")


if __name__ == "__main__":
    main()
