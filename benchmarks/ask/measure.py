"""How often `foreword ask` says that there is not enough information, and what its evidence finds.

Usage: measure.py FOREWORD TASKS GIT_DIRS DIR

FOREWORD is the program, TASKS semble's questions (one JSON object a line), GIT_DIRS has a bare clone of `owner/name` at
`owner+name/repo`, and DIR is where trees and indexes are written. Questions of semble can be answered; those of absent.tsv,
about things that are not there, cannot. Both are asked of whole repositories. Thresholds are chosen on half of each: on the
repositories at even places of the sorted list, and on the rows with half `a`.
"""

import json
import os
import subprocess
import sys

program, tasks, git_dirs, directory = sys.argv[1:]
environment = dict(os.environ, FOREWORD_INDEX_DIR=os.path.join(directory, "index"))
ENOUGH = 0.5


def tree(repository, revision):
    """A checkout; None where no clone has the revision."""
    where = os.path.join(directory, "trees", repository.replace("/", "+"))
    if not os.path.isdir(where):
        os.makedirs(where)
        git = os.path.join(git_dirs, repository.replace("/", "+"), "repo")
        command = f"git --git-dir {git} archive {revision} 2>/dev/null | tar -x -C {where} 2>/dev/null"
        subprocess.run(command, shell=True, check=False)
        foreword(where, "index")
    return where if os.listdir(where) else None


def foreword(where, *arguments):
    command = [program, "-q", "-C", where, "--here", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def ask(where, question):
    return json.loads(foreword(where, "--stale", "ask", question, "--json", "--without-model").stdout)


def share(answers):
    refused = sum(it["strength"]["score"] < ENOUGH for it in answers)
    return f"{refused / max(1, len(answers)):.3f} of {len(answers)}"


def main():
    answerable, found = {}, []
    for row in map(json.loads, open(tasks)):
        where = tree(row["repo"], row["corpus"]["rev"])
        if where is None:
            continue
        answer = ask(where, row["query_text"])
        answerable.setdefault(row["repo"], []).append(answer)
        files = {it["path"] for it in answer["evidence"]}
        gold = {it["path"] for it in row["relevant"]}
        first = answer["evidence"][0]["path"] in gold if answer["evidence"] else False
        tokens = sum(it["tokens"] for it in answer["evidence"])
        found.append((len(files & gold) / len(gold), len(files & gold) / max(1, len(files)), first, tokens))
    absent = {"a": [], "b": []}
    here = os.path.dirname(os.path.abspath(__file__))
    for line in open(os.path.join(here, "absent.tsv")).read().splitlines()[1:]:
        repository, half, question = line.split("\t")
        absent[half].append(ask(tree(repository, "HEAD"), question))
    names = sorted(answerable)
    halves = [[it for name in names[at::2] for it in answerable[name]] for at in (0, 1)]
    print("said to be missing, of what is not there:", share(absent["a"]), "|", share(absent["b"]))
    print("said to be missing, of what is there:    ", share(halves[0]), "|", share(halves[1]))
    mean = [sum(column) / len(found) for column in zip(*found)]
    print("files: recall {:.3f}, precision {:.3f}, first piece right {:.3f}; tokens {:.0f}".format(*mean))


if __name__ == "__main__":
    main()
