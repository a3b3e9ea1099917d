#!/usr/bin/env python3
"""Trains a table of term vectors so that a text and the definition that it is about are near each other.

    train/terms/train.py --data DIR --out FILE.npz [--dimensions 256] [--batch 2048] [--epochs 3]

The vector of a text is the sum of the vectors of its terms, each weighed by 1 + ln of how often it occurs and by a
learned weight of its own for questions; of a definition, the same over its fields, each with a learned weight. Trained
with the symmetric InfoNCE loss over batches in which each definition occurs once (Henderson et al. 2017, van den Oord et al. 2018) at several
dimensions at once (Matryoshka, Kusupati et al. 2022), by Adam. A part of the words that a text shares with its definition is dropped. A batch is made of groups of rows of one source: the other
rows of the group are its hard negatives. Gradients are written out, so numpy and scipy are all it needs; one core does.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp

DOC_FIELDS = ("place", "names", "body")


def main():
    args = arguments()
    data = Data(args.data)
    rng = np.random.default_rng(args.seed)
    model = Model.start(data, args, rng)
    optimiser = Adam(model.parameters())
    batches = data.batches(args.batch, args.group, rng)
    n = int(args.epochs * len(data.train) / args.batch)
    started, loss = time.time(), 0.0
    for step in range(n):
        rate = args.rate * schedule(step, n)
        text, doc = data.rows(next(batches))
        text = without_shared(text, doc, args.forget, rng)
        value, gradients = model.step(text, doc, args)
        optimiser.update(model.parameters(), gradients, rate)
        loss = value if step == 0 else 0.95 * loss + 0.05 * value
        if step % args.every == 0 or step + 1 == n:
            score = data.score(model, args)
            print(f"{step}/{n} loss {loss:.3f} held out {score} {time.time() - started:.0f} s", flush=True)
            model.save(args.out, data.terms)
        if time.time() - started > args.seconds:
            print("out of time", flush=True)
            break
    print(json.dumps({"rows": len(data.train), "steps": step + 1, "held_out": data.score(model, args)}))
    model.save(args.out, data.terms)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="what prepare.py wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--dimensions", type=int, default=256)
    parser.add_argument("--nested", type=int, nargs="*", default=[64], help="shorter vectors that are trained too")
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--group", type=int, default=32, help="rows of one source that stand together in a batch")
    parser.add_argument("--epochs", type=float, default=3)
    parser.add_argument("--rate", type=float, default=0.02)
    parser.add_argument("--scale", type=float, default=20, help="what similarities are multiplied by")
    parser.add_argument("--forget", type=float, default=0.0, help="the share of words that a text and its definition both have, and that the text loses")
    parser.add_argument("--seconds", type=float, default=3600, help="the most that training takes")
    parser.add_argument("--every", type=int, default=100, help="steps between scores")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def schedule(step, n):
    """Rises over the first twentieth, then falls as a cosine."""
    warm = max(1, n // 20)
    return (step + 1) / warm if step < warm else 0.5 + 0.5 * np.cos(np.pi * (step - warm) / max(1, n - warm))


class Data:
    """The rows, as counts of terms."""

    def __init__(self, folder):
        load = lambda name: damped(sp.load_npz(folder / f"{name}.npz").astype(np.float32))
        self.text = load("text")
        self.doc = [load(it) for it in DOC_FIELDS]
        rows = np.load(folder / "rows.npz")
        self.source, self.key, self.language = rows["source"], rows["key"], rows["language"]
        self.terms = (folder / "terms.txt").read_text().split("\n")[:-1]
        full = (np.diff(self.text.indptr) >= 2) & (np.diff(self.doc[2].indptr) >= 3)
        held = rows["held_out"][self.source]
        self.train = np.flatnonzero(full & ~held)
        self.held_out = np.flatnonzero(full & held)
        document = np.asarray((self.doc[2][self.train] > 0).sum(0)).ravel()
        self.idf = np.log((len(self.train) + 1) / (document + 1)).astype(np.float32)

    def rows(self, at):
        return self.text[at], [it[at] for it in self.doc]

    def batches(self, size, group, rng):
        """Batches without end: groups of rows of one source, no definition or text twice."""
        by_source = [it[np.argsort(self.source[it], kind="stable")] for it in [self.train]][0]
        cuts = np.flatnonzero(np.diff(self.source[by_source])) + 1
        members = np.split(by_source, cuts)
        while True:
            groups = []
            for rows in members:
                rows = rng.permutation(rows)
                groups += [rows[at : at + group] for at in range(0, len(rows), group)]
            order = rng.permutation(len(groups))
            rows = np.concatenate([groups[at] for at in order])
            for at in range(0, len(rows) - size + 1, size):
                batch = rows[at : at + size]
                yield batch[np.unique(self.key[batch], return_index=True)[1]]

    def score(self, model, args, pool=1000, most=12):
        """Of held-out sources: how high the right definition stands among up to 1,000 of its source (MRR), by kind."""
        rng = np.random.default_rng(7)
        scores = []
        sources = [it for it in np.unique(self.source[self.held_out])]
        for source in sources[:: max(1, len(sources) // most)]:
            rows = self.held_out[self.source[self.held_out] == source]
            rows = rng.permutation(rows)[:pool]
            _, first = np.unique(self.key[rows], return_index=True)
            rows = rows[np.sort(first)]
            if len(rows) < 50:
                continue
            text, doc = self.rows(rows)
            similar = model.texts(text)[0] @ model.docs(doc)[0].T
            rank = (similar > np.diag(similar)[:, None]).sum(1) + 1
            scores.append((1 / rank).mean())
        return f"{np.mean(scores):.4f} ({len(scores)} sources)" if scores else "-"


def without_shared(text, doc, share, rng):
    """Texts without some of the words that their definitions have: what words alone can find is BM25's to find."""
    shared = text.multiply(sum(doc) > 0).tocsr()
    shared.data *= rng.random(len(shared.data), np.float32) < share
    rest = (text - shared).tocsr()
    rest.eliminate_zeros()
    return rest


def damped(counts):
    """1 + ln of each count: a term that occurs often says little more."""
    counts.data = 1 + np.log(counts.data)
    return counts


class Model:
    """`table`: a vector for each term; `question`: the logarithm of its weight in a text; `fields`: of each field."""

    def __init__(self, table, question, fields):
        self.table, self.question, self.fields = table, question, fields

    @classmethod
    def start(cls, data, args, rng):
        table = rng.standard_normal((len(data.terms), args.dimensions), np.float32)
        table *= data.idf[:, None] / np.sqrt(args.dimensions)
        return cls(table, np.zeros(len(data.terms), np.float32), np.zeros(len(DOC_FIELDS), np.float32))

    def parameters(self):
        return [self.table, self.question, self.fields]

    def texts(self, counts):
        """Unit vectors of texts, their lengths before, and the weighed counts."""
        weighed = counts.copy()
        weighed.data = weighed.data * np.exp(self.question[weighed.indices])
        return *unit(weighed @ self.table), weighed

    def docs(self, counts):
        """Unit vectors of definitions, their lengths before, and the sums of each field."""
        sums = [it @ self.table for it in counts]
        return *unit(sum(np.exp(w) * it for w, it in zip(self.fields, sums))), sums

    def step(self, text, doc, args):
        """The loss of a batch, and the gradients of the parameters."""
        q, q_len, weighed = self.texts(text)
        d, d_len, sums = self.docs(doc)
        loss, dq, dd = 0.0, np.zeros_like(q), np.zeros_like(d)
        for size in [args.dimensions, *args.nested]:
            part = contrast(q[:, :size], d[:, :size], args.scale)
            loss += part[0] / (1 + len(args.nested))
            dq[:, :size] += part[1]
            dd[:, :size] += part[2]
        dq, dd = through_unit(dq, q, q_len), through_unit(dd, d, d_len)
        table = weighed.T.tocsr() @ dq
        fields = np.zeros_like(self.fields)
        for at, (w, counts, total) in enumerate(zip(self.fields, doc, sums)):
            table += np.exp(w) * (counts.T.tocsr() @ dd)
            fields[at] = np.exp(w) * (dd * total).sum()
        of_row = np.repeat(np.arange(len(q)), np.diff(weighed.indptr))
        along = np.einsum("ij,ij->i", dq[of_row], self.table[weighed.indices]) * weighed.data
        question = np.bincount(weighed.indices, along, len(self.question)).astype(np.float32)
        return loss, [table, question, fields]

    def save(self, path, terms):
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, table=self.table, question=self.question, fields=self.fields, terms=np.array(terms))


def unit(sums):
    length = np.sqrt((sums * sums).sum(1, keepdims=True)) + 1e-6
    return sums / length, length


def through_unit(gradient, unit_vectors, length):
    """The gradient before vectors were made unit vectors."""
    along = (gradient * unit_vectors).sum(1, keepdims=True)
    return (gradient - unit_vectors * along) / length


def contrast(q, d, scale):
    """The symmetric InfoNCE loss of parts of vectors, made unit vectors again, and its gradients."""
    q, q_len = unit(q)
    d, d_len = unit(d)
    logits = scale * (q @ d.T)
    logits -= logits.max()
    np.exp(logits, out=logits)
    n = len(q)
    right = np.diag(logits).copy()
    rows, columns = logits.sum(1), logits.sum(0)
    loss = 0.5 * (np.log(rows / right).mean() + np.log(columns / right).mean())
    gradient = logits * (0.5 / rows[:, None] + 0.5 / columns[None, :])
    gradient[np.arange(n), np.arange(n)] -= 1.0
    gradient *= scale / n
    return loss, through_unit(gradient @ d, q, q_len), through_unit(gradient.T @ q, d, d_len)


class Adam:
    """Kingma and Ba 2015, without weight decay."""

    def __init__(self, parameters):
        self.first = [np.zeros_like(it) for it in parameters]
        self.second = [np.zeros_like(it) for it in parameters]
        self.steps = 0

    def update(self, parameters, gradients, rate):
        self.steps += 1
        for it, gradient, first, second in zip(parameters, gradients, self.first, self.second):
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient * gradient - second)
            bias = np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
            it -= (rate * bias) * first / (np.sqrt(second) + 1e-8)


if __name__ == "__main__":
    main()
