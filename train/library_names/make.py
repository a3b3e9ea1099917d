"""Prints the names that at least three of the given repositories call or access, for
crates/engine/src/speculate/validate/library.txt.

Usage: make.py GIT_DIR... > library.txt

Of each repository the code of HEAD is read; files of 400 kB and more are left out. A name is called or accessed if it
stands after `.`, `:`, `>` or `@`, or before `(`, `<` or `!`.
"""

import collections
import re
import subprocess
import sys

ENDINGS = set("py go rs ts tsx js jsx mjs java kt swift rb php c h cpp hpp cc cs scala ex exs lua hs dart clj".split())
NAME = re.compile(rb"(?<=[.:>@])[A-Za-z_][A-Za-z0-9_]{2,31}|\b[A-Za-z_][A-Za-z0-9_]{2,31}(?=[(<!])")
LARGEST_FILE = 400_000
FEWEST_REPOSITORIES = 3


def git(directory, *arguments, given=None):
    command = ["git", "--git-dir", directory, *arguments]
    return subprocess.run(command, input=given, capture_output=True, check=True).stdout


def names(directory):
    objects = []
    for entry in git(directory, "ls-tree", "-r", "-z", "HEAD").split(b"\0"):
        meta, _, path = entry.partition(b"\t")
        if meta.startswith(b"100") and path.rsplit(b".", 1)[-1].decode("latin-1") in ENDINGS:
            objects.append(meta.split()[2])
    given = b"".join(it + b"\n" for it in objects)
    texts = git(directory, "cat-file", "--batch", given=given)
    found, at = set(), 0
    while at < len(texts):
        end = texts.index(b"\n", at)
        header = texts[at:end].split()
        if header[-1] == b"missing":
            at = end + 1
            continue
        size = int(header[2])
        if size < LARGEST_FILE:
            found.update(NAME.findall(texts, end + 1, end + 1 + size))
        at = end + size + 2
    return found


counts = collections.Counter()
for directory in sys.argv[1:]:
    counts.update(names(directory))
for name in sorted(name for name, n in counts.items() if n >= FEWEST_REPOSITORIES):
    print(name.decode())
