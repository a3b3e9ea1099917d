"""Reads what `foreword-experiments features` writes, and plays selections on it.

An order is worth what it shows: pieces are taken best first while tokens last, as the engine does it, and an identifier,
word or line of the hole counts once.
"""
import json
import math

import numpy as np

BUDGETS = (500, 1000, 2000, 4000)
MEASURES = ("identifiers", "words", "lines")
# The engine's rules (`trim/select.rs`, `preset`): what scores less than this share of the best is left out, and no
# piece is looked for in fewer tokens.
LEAST_SCORE = 0.05
LEAST_TOKENS = 60


class Task:
    """A hole and its candidates, in the order of the engine."""

    def __init__(self, row, inputs):
        self.id, self.repo, self.language = row["id"], row["repo"], row["language"]
        self.is_test, self.is_session = row["is_test"], row["is_session"]
        self.kind = ("session " if self.is_session else "") + ("tests" if self.is_test else "code")
        self.inputs = inputs
        self.totals = (row["identifiers"], sum(row["words"]), row["lines"])
        candidates = row["candidates"]
        self.tokens = np.array([it["tokens"] for it in candidates], dtype=np.int64)
        self.weights = (None, row["words"], None)
        self.items = [[it[m] for it in candidates] for m in MEASURES]

    def new_share(self, measure, at, seen):
        """The share of the hole's items that a candidate adds to those seen."""
        total = self.totals[measure]
        if not total:
            return 0.0
        weights = self.weights[measure]
        fresh = [it for it in self.items[measure][at] if it not in seen]
        return sum(weights[it] if weights else 1 for it in fresh) / total

    def use(self, at, seen):
        """What a candidate adds: the mean of its shares of identifiers, words and lines."""
        present = [m for m in range(3) if self.totals[m]]
        return sum(self.new_share(m, at, seen[m]) for m in present) / max(len(present), 1)

    def alone(self):
        """The use of each candidate by itself."""
        nothing = (set(), set(), set())
        return np.array([self.use(at, nothing) for at in range(len(self.tokens))])


def load(name):
    """The names of the inputs, and the tasks that have candidates."""
    with open(f"{name}.jsonl", encoding="utf-8") as file:
        header = json.loads(file.readline())
        rows = [json.loads(line) for line in file]
    names = header["inputs"]
    values = np.fromfile(f"{name}.f32", dtype="<f4").reshape(-1, len(names))
    tasks, at = [], 0
    for row in rows:
        n = len(row["candidates"])
        if n and (row["identifiers"] or row["words"] or row["lines"]):
            tasks.append(Task(row, values[at : at + n]))
        at += n
    assert at == len(values), "the two files do not belong together"
    return names, tasks


def shown(task, scores, budgets=BUDGETS):
    """The shares of identifiers, words and lines shown within each budget; None where the hole has none."""
    order = np.lexsort((np.arange(len(scores)), -scores))
    res = []
    for budget in budgets:
        left, seen = budget, (set(), set(), set())
        for at in order:
            if scores[at] < scores[order[0]] + math.log(LEAST_SCORE) or left < min(LEAST_TOKENS, budget // 33):
                break
            tokens = task.tokens[at]
            if 0 < tokens <= left:
                left -= tokens
                for m in range(3):
                    seen[m].update(task.items[m][at])
        row = []
        for m in range(3):
            weights = task.weights[m]
            got = sum(weights[it] if weights else 1 for it in seen[m])
            row.append(got / task.totals[m] if task.totals[m] else None)
        res.append(row)
    return res


def marginal(task, scores, most=4000):
    """What each candidate adds per token to those that stand before it in an order, within `most` tokens before it."""
    order = np.lexsort((np.arange(len(scores)), -scores))
    res, left, seen = np.zeros(len(scores)), most, (set(), set(), set())
    for at in order:
        if not task.tokens[at]:
            continue
        res[at] = task.use(at, seen) / (task.tokens[at] + 20)
        if task.tokens[at] <= left:
            left -= task.tokens[at]
            for m in range(3):
                seen[m].update(task.items[m][at])
    return res
