"""Asks questions whose answers are known by lines, through the command line, beside BM25 over blocks of 40 lines.

Usage: questions.py FOREWORD CHECKOUTS TASKS…

    FOREWORD   the program
    CHECKOUTS  a directory with a checkout for each repository, by the last part of its name
    TASKS      JSON Lines in the form of docs/evaluation.md: query_text, repo, relevant (path, start_line, end_line, grade),
               meta.category; a row without relevant places asks for something that the repository does not have

A place is right if it has a line of a primary answer (grade 2). Means are those of the repositories' means, with 95 %
bootstrap intervals by repository. `--json FILE` writes each question's outcome.
"""

import argparse
import collections
import json
import math
import os
import random
import re
import subprocess

BLOCK = 40
DEPTHS = (3, 5, 10)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("foreword")
    parser.add_argument("checkouts")
    parser.add_argument("tasks", nargs="+")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    tasks = [json.loads(line) for path in arguments.tasks for line in open(path, encoding="utf-8")]
    by_repository = collections.defaultdict(list)
    for task in tasks:
        by_repository[task["repo"].split("/")[-1]].append(task)
    outcomes = []
    for name, own in sorted(by_repository.items()):
        root = os.path.join(arguments.checkouts, name)
        if not os.path.isdir(root):
            print(f"left out: {name} (not in {arguments.checkouts})")
            continue
        blocks = Blocks(root)
        outcomes += [outcome(arguments.foreword, root, name, blocks, task) for task in own]
    report(outcomes)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(it) + "\n" for it in outcomes)


def outcome(foreword, root, name, blocks, task):
    question, gold = task["query_text"], [it for it in task["relevant"] if (it["grade"] or 2) >= 2]
    search, _ = run(foreword, root, "search", question, "-k", "10")
    ask, code = run(foreword, root, "ask", question)
    found = [(it["path"], it["start_line"], it["end_line"]) for it in search.get("results", [])]
    shown = [(it["path"], it["start_line"], it["end_line"]) for it in ask.get("evidence", [])]
    return {
        "id": task["id"],
        "repository": name,
        "category": task["meta"]["category"],
        "question": question,
        "search": rank(gold, found),
        "ask": rank(gold, shown),
        "blocks": rank(gold, blocks.search(question)),
        "refused": code == 1,
        "unsure": not ask.get("strength", {}).get("enough", True),
        "tokens": sum(it["tokens"] for it in ask.get("evidence", [])),
        "top": [list(it) for it in found[:3]],
        "ask_top": [list(it) for it in shown[:3]],
    }


def run(foreword, root, *arguments):
    command = [foreword, "-C", root, arguments[0], "--json", *arguments[2:], "--", arguments[1]]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{command}: {done.stderr}")
    return json.loads(done.stdout or "{}"), done.returncode


def rank(gold, found):
    """The number, from 1, of the first place with a line of an answer; None if there is none."""
    for number, (path, first, last) in enumerate(found, 1):
        if any(it["path"] == path and it["start_line"] <= last and first <= it["end_line"] for it in gold):
            return number
    return None


class Blocks:
    """BM25 (k1 1.2, b .75) over blocks of lines; identifiers are split into their words."""

    def __init__(self, root):
        self.places, self.words, files = [], [], subprocess.run(
            ["grep", "-rIl", "--exclude-dir=.git", ".", root], capture_output=True, text=True
        ).stdout.splitlines()
        for file in sorted(files):
            lines = open(file, encoding="utf-8", errors="replace").read().split("\n")
            for start in range(0, len(lines), BLOCK):
                words = collections.Counter(split("\n".join(lines[start : start + BLOCK])))
                self.places.append((os.path.relpath(file, root), start + 1, start + BLOCK))
                self.words.append(words)
        self.lengths = [sum(it.values()) for it in self.words]
        self.mean = sum(self.lengths) / max(1, len(self.lengths))
        self.postings = collections.defaultdict(list)
        for number, words in enumerate(self.words):
            for word, count in words.items():
                self.postings[word].append((number, count))

    def search(self, question):
        scores = collections.Counter()
        for word in set(split(question)):
            found = self.postings.get(word, [])
            weight = math.log(1 + (len(self.places) - len(found) + 0.5) / (len(found) + 0.5))
            for number, count in found:
                norm = 0.25 + 0.75 * self.lengths[number] / self.mean
                scores[number] += weight * count * 2.2 / (count + 1.2 * norm)
        return [self.places[it] for it, _ in sorted(scores.items(), key=lambda it: (-it[1], it[0]))[:10]]


def split(text):
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", text)
    return [word.lower() for word in words]


def report(outcomes):
    answerable = [it for it in outcomes if it["category"] != "absent"]
    absent = [it for it in outcomes if it["category"] == "absent"]
    categories = ["all", *sorted({it["category"] for it in answerable})]
    print(f"{len(answerable)} answerable, {len(absent)} absent, {len({it['repository'] for it in outcomes})} repositories")
    for category in categories:
        own = [it for it in answerable if category in ("all", it["category"])]
        for way in ("search", "ask", "blocks"):
            hits = [mean_of(own, lambda it, d=depth: it[way] is not None and it[way] <= d) for depth in (*DEPTHS, 99)]
            print(f"{category:8} {way:7} lines @3 @5 @10 @any  " + "  ".join(hits))
        print(f"{category:8} refused {mean_of(own, lambda it: it['refused'])}  not sure {mean_of(own, lambda it: it['unsure'])}")
    print(f"absent: not there {mean_of(absent, lambda it: it['refused'])}  or not sure {mean_of(absent, lambda it: it['unsure'])}")
    print(f"tokens of ask: {sum(it['tokens'] for it in answerable) / max(1, len(answerable)):.0f}")


def mean_of(outcomes, value):
    groups = collections.defaultdict(list)
    for it in outcomes:
        groups[it["repository"]].append(float(value(it)))
    means = [sum(it) / len(it) for _, it in sorted(groups.items())]
    if not means:
        return "-"
    generator = random.Random(1)
    resampled = sorted(sum(generator.choices(means, k=len(means))) / len(means) for _ in range(2000))
    return f"{sum(means) / len(means):.3f} [{resampled[50]:.2f}, {resampled[1949]:.2f}]"


if __name__ == "__main__":
    main()
