#!/usr/bin/env python3
"""The letters that follow each letter in words: the table of crates/engine/src/secret/rarity.rs.

    train/letter_pairs.py DIRECTORY...

Counts pairs of letters within words (`HttpServer` has two) of 40 MB of source files, in the order of the hashes of their
paths, and prints for each letter those that follow it in more than 1 of 128 pairs.
"""

import collections
import hashlib
import pathlib
import re
import sys

EXTENSIONS = {".c", ".cs", ".go", ".h", ".java", ".js", ".md", ".php", ".py", ".rb", ".rs", ".ts", ".yaml"}
LETTERS = "abcdefghijklmnopqrstuvwxyz"
BYTES = 40_000_000
LEAST = 1 / 128


def main(directories):
    files = [(path.relative_to(root).as_posix(), path) for root in map(pathlib.Path, directories) for path in root.rglob("*")]
    files = [it for it in files if it[1].suffix in EXTENSIONS and it[1].is_file() and not it[1].is_symlink()]
    files.sort(key=lambda it: (hashlib.sha256(it[0].encode()).digest(), it[0]))
    pairs, size = collections.Counter(), 0
    for _, path in files:
        text = path.read_text(encoding="utf-8", errors="ignore")
        size += len(text)
        for word in re.findall("[A-Z]?[a-z]+|[A-Z]+", text):
            pairs.update(a + b for a, b in zip(word.lower(), word.lower()[1:]))
        if size > BYTES:
            break
    for first in LETTERS:
        total = sum(pairs[first + it] for it in LETTERS)
        print(f'    b"{"".join(it for it in LETTERS if pairs[first + it] > total * LEAST)}",')


main(sys.argv[1:])
