"""Makes tasks for `foreword-evaluate ask` from published sets: convert.py GIT_DIRS TARGET

GIT_DIRS has bare clones at `owner+name/repo`: of the sets (peng-weihan/SWE-QA-Bench, TIGER-AI-Lab/SWE-QA-Pro,
eyuansu62/agent-retrieval-bench), and of the repositories that they ask about; questions about others are left out and counted.
TARGET gets one file of tasks a set. The sets have no labels of files: what an answer names is taken for what should be found,
where the commit has such a file, with the lines that stand beside it. SWE-QA-Pro is in Parquet files, for which pyarrow is needed.
"""

import io
import json
import os
import re
import subprocess
import sys

git_dirs, target = sys.argv[1:]

# `a/b.py`, and what says its lines: `(lines 3-5)`, `: line 3`, `:3-5`, `lines 3 to 5`.
PATH = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*\.[A-Za-z]{1,4}\b|[\w.@+-]+(?:/[\w.@+-]+)+")
LINES = re.compile(r"^[`*'\"]*\s*[(,:@]?\s*(?:at |on |in )?(?:[Ll]ines?\s*|L)?(\d+)(?:\s*(?:-|–|to)\s*L?(\d+))?")
# The head of a block of code: ```28:31:a/b.py
BLOCK = re.compile(r"(\d+):(\d+):$")


def git(repository, *arguments, text=True):
    directory = os.path.join(git_dirs, repository.replace("/", "+"), "repo")
    command = ["git", "--git-dir", directory, *arguments]
    res = subprocess.run(command, capture_output=True, text=text, check=False)
    return res.stdout if res.returncode == 0 else None


class Tree:
    """The files of a commit."""

    known = {}

    def __init__(self, repository, revision):
        listing = git(repository, "ls-tree", "-r", "--name-only", revision)
        self.paths = set((listing or "").splitlines())
        self.by_name = {}
        for path in self.paths:
            self.by_name.setdefault(path.rsplit("/", 1)[-1], []).append(path)
        self.repository, self.revision, self.counts = repository, revision, {}

    @classmethod
    def of(cls, repository, revision):
        if (repository, revision) not in cls.known:
            cls.known[repository, revision] = cls(repository, revision)
        return cls.known[repository, revision]

    def resolve(self, written):
        """The one file that is meant; None where there is none or several."""
        written = written.removeprefix("./")
        if written in self.paths:
            return written
        same = self.by_name.get(written.rsplit("/", 1)[-1], [])
        ending = [it for it in same if it.endswith("/" + written)]
        return ending[0] if len(ending) == 1 else None

    def n_lines(self, path):
        if path not in self.counts:
            self.counts[path] = (git(self.repository, "show", f"{self.revision}:{path}", text=False) or b"").count(b"\n") + 1
        return self.counts[path]


def named(answer, tree):
    """The places that an answer names."""
    res = []
    for it in PATH.finditer(answer):
        path = tree.resolve(it.group())
        if path is None:
            continue
        block = BLOCK.search(answer[: it.start()])
        lines = block or LINES.match(answer[it.end() : it.end() + 40])
        first = int(lines.group(1)) if lines else None
        last = int(lines.group(2) or first) if lines else None
        if first and not 1 <= first <= last <= tree.n_lines(path):
            first = last = None
        place = {"path": path, "start_line": first, "end_line": last}
        if place not in res:
            res.append(place)
    with_lines = {it["path"] for it in res if it["start_line"]}
    return [it for it in res if it["start_line"] or it["path"] not in with_lines]


def task(name, repository, revision, question, relevant, **meta):
    return {
        "id": name, "dataset": name.split("/")[0], "task": "nl2file", "repo": repository, "language": "python",
        "corpus": {"kind": "git", "rev": revision}, "query_text": question, "prefix": None, "suffix": None,
        "target_file": None, "position": None, "ground_truth": None, "relevant": relevant, "exclude": [], "meta": meta,
    }  # fmt: skip


def revision_of(repository, revision):
    found = git(repository, "rev-parse", "--verify", "--quiet", revision + "^{commit}")
    return found.strip() if found else None


def swe_qa():
    source = "peng-weihan/SWE-QA-Bench"
    for line in (git(source, "show", "HEAD:repo_commit.txt") or "").split("\n"):
        if not line.strip():
            continue
        address, revision = line.split()
        repository = "/".join(address.split("/")[-2:])
        short = repository.split("/")[1]
        rows = (git(source, "show", f"HEAD:Benchmark/{short}.jsonl") or "").splitlines()
        rows = [json.loads(it) for it in rows if it.strip()]
        yield from ((f"swe-qa/{short}/{n}", repository, revision, it["question"], it["answer"]) for n, it in enumerate(rows))


def swe_qa_pro():
    import pyarrow.parquet as parquet

    for name in ("train", "test"):
        data = git("TIGER-AI-Lab/SWE-QA-Pro", "show", f"HEAD:train/RL/verl-tool/dataset/{name}.parquet", text=False)
        for it in parquet.read_table(io.BytesIO(data)).to_pylist():
            truth, it = it["reward_model"]["ground_truth"], it["extra_info"]
            id = f"swe-qa-pro/{name}/{it['index']}"
            yield id, it["repo_name"], it["commit_id"], it["question"], it["answer"] or truth or ""


def answered(rows, file):
    """Questions with an answer that names places."""
    made, absent, unnamed = [], 0, 0
    for id, repository, revision, question, answer in rows:
        full = revision_of(repository, revision)
        relevant = named(answer, Tree.of(repository, full)) if full else []
        absent += full is None
        unnamed += full is not None and not relevant
        if relevant:
            made.append(task(id, repository, full, question, relevant))
    write(made, file, f"{absent} of repositories or commits that are not there, {unnamed} whose answer names no file")


def arb_question(it):
    query = it["query"]
    parts = [query.get(key, "") for key in ("pr_title", "pr_body", "review_comment", "raw_signal")]
    return "\n\n".join(part for part in parts if part)


def agent_retrieval_bench():
    source = "eyuansu62/agent-retrieval-bench"
    rows = [json.loads(it) for it in (git(source, "show", "HEAD:data/benchmark/v0_1/samples.jsonl") or "").splitlines()]
    made, absent = [], 0
    for it in rows:
        revision = revision_of(it["repo"], it["base_commit"])
        gold = it["gold"]
        key = {"code2test": "related_tests", "trace2code": "root_cause_files", "comment2context": "supporting_files"}
        paths = gold[key[it["task_type"]]] if revision else []
        absent += revision is None
        paths = [path for path in paths if path in Tree.of(it["repo"], revision).paths] if revision else []
        if paths:
            relevant = [{"path": path, "start_line": None, "end_line": None} for path in paths]
            question = arb_question(it)
            made.append(task(f"arb/{it['id']}", it["repo"], revision, question, relevant, category=it["task_type"]))
    write(made, "arb.jsonl", f"{absent} of repositories or commits that are not there")


def arb_abstention():
    source = "eyuansu62/agent-retrieval-bench"
    text = git(source, "show", "HEAD:data/benchmark/v2_abstention_pilot/abstention.jsonl") or ""
    made, absent = [], 0
    for it in map(json.loads, text.splitlines()):
        revision = revision_of(it["repo"], it["base_commit"])
        absent += revision is None
        if revision:
            made.append(task(f"arb-none/{it['id']}", it["repo"], revision, it["query"]["text"], [], category=it["gold"]["reason"]))
    write(made, "arb-none.jsonl", f"{absent} of repositories or commits that are not there")


def write(tasks, file, left_out):
    with open(os.path.join(target, file), "w", encoding="utf-8") as out:
        out.writelines(json.dumps(it) + "\n" for it in tasks)
    print(f"{file}: {len(tasks)} questions of {len({it['repo'] for it in tasks})} repositories; left out: {left_out}")


os.makedirs(target, exist_ok=True)
answered(swe_qa(), "swe-qa.jsonl")
answered(swe_qa_pro(), "swe-qa-pro.jsonl")
agent_retrieval_bench()
arb_abstention()
