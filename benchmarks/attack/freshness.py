#!/usr/bin/env python3
"""Edits files in every way that could go unnoticed, and checks after each that answers are of the disk as it is.

Files are written, appended to, renamed, removed, replaced by links, and rewritten with the same size and the same time
of modification; branches are switched. Every version has a word of its own; a search for all of them has to find those
that are on the disk, in their files, and no other. The command line and a long-lived server (mcp) are asked.
"""

import json
import os
import re
import subprocess

from attack import Attack, git, tool_call

WORD = re.compile(r"fresh_[0-9a-f]{8}")


def word(it):
    return f"fresh_{it.random.randrange(1 << 32):08x}"


def change(it, folder):
    """Changes one file; says how."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.is_symlink())
    kind = it.random.choice(["new", "rewrite", "rewrite", "same stamp", "append", "rename", "remove", "link", "branch"])
    if not files or kind == "new" or len(files) < 5:
        (folder / f"file{it.random.randrange(1000)}.py").write_text(f"def {word(it)}():\n    pass\n")
        return "new"
    path = it.random.choice(files)
    if kind == "rewrite":
        path.write_text(f"def {word(it)}():\n    pass\n")
    elif kind == "same stamp":
        before = path.stat()
        text = path.read_text()
        path.write_text(WORD.sub(lambda _: word(it), text))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    elif kind == "append":
        with path.open("a") as file:
            file.write(f"x = '{word(it)}'\n")
    elif kind == "rename":
        path.rename(folder / f"renamed{it.random.randrange(1000)}.py")
    elif kind == "remove":
        path.unlink()
    elif kind == "link":
        # What links point to outside of the repository is not indexed.
        outside = it.base / "outside.py"
        outside.write_text(f"def {word(it)}():\n    pass\n")
        path.unlink()
        path.symlink_to(outside)
    elif kind == "branch":
        git(it.repository, "add", "-A")
        git(it.repository, "commit", "-qm", "state", "--allow-empty")
        git(it.repository, "checkout", "-q", it.random.choice(["attack-a", "attack-b"]))
    return kind


def on_disk(folder):
    files = [path for path in folder.iterdir() if path.is_file() and not path.is_symlink()] if folder.is_dir() else []
    return {(path.name, found) for path in files for found in WORD.findall(path.read_text())}


def by_command_line(it):
    out = it.run("search", "--exact", "fresh_", "-k", "99999", "--json").stdout
    try:
        results = json.loads(out)["results"]
    except ValueError:
        return {("no answer", out.decode(errors="replace"))}
    return {(row["path"].rsplit("/", 1)[-1], found) for row in results for found in WORD.findall(json.dumps(row))}


class Agent:
    """A server that goes on."""

    def __init__(self, it):
        self.process = it.start_server("mcp", "--structured", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number = 0

    def found(self):
        self.number += 1
        arguments = {"query": "fresh_", "mode": "exact", "limit": 100, "tokens": 20000, "wait_ms": 60000}
        self.process.stdin.write(json.dumps(tool_call(self.number, arguments)).encode() + b"\n")
        self.process.stdin.flush()
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.number:
                result = answer["result"]
                return set(WORD.findall(json.dumps(result["content"]))), result["structuredContent"]


def main():
    with Attack(__doc__) as it:
        folder = it.repository / "attacked"
        if not (it.repository / ".git").exists():
            git(it.repository, "init", "-q")
        for branch in ["attack-a", "attack-b"]:
            git(it.repository, "checkout", "-q", "-B", branch)
            folder.mkdir(exist_ok=True)
            for n in range(12):
                (folder / f"file{n}.py").write_text(f"def {word(it)}():\n    pass\n")
            git(it.repository, "add", "-A")
            git(it.repository, "commit", "-qm", branch, "--allow-empty")
        it.run("index", "-q")
        agent = Agent(it)
        while it.is_time_left():
            kinds = [change(it, folder) for _ in range(it.random.randrange(1, 4))]
            folder.mkdir(exist_ok=True)
            expected = on_disk(folder)
            found = by_command_line(it)
            it.count("checks by the command line")
            if found != expected:
                it.fail(f"after {kinds}: ghosts {sorted(found - expected)[:3]}, missing {sorted(expected - found)[:3]}")
            words, fields = agent.found()
            it.count("checks by mcp")
            if not fields["complete"]:
                it.count("incomplete answers of mcp")
            elif words != {it for _, it in expected}:
                ghosts, missing = words - {it for _, it in expected}, {it for _, it in expected} - words
                it.fail(f"mcp after {kinds}: ghosts {sorted(ghosts)[:3]}, missing {sorted(missing)[:3]}")
        agent.process.kill()


if __name__ == "__main__":
    main()
