"""Prints the words that at least half of the given repositories have, for crates/engine/src/retrieve/words/common.txt.

Usage: make.py GIT_DIR... > common.txt

Of each repository the smallest files of HEAD are read, together at most 4 MB. Words are runs of at least three ASCII
letters, identifiers split at capitals and underscores, in lower case.
"""

import collections
import re
import subprocess
import sys
import textwrap

WORD = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{3,}(?![a-z])")
MOST_BYTES = 4_000_000
LARGEST_FILE = 200_000
FEWEST_WORDS = 500
SHARE = 0.5
# Pieces of hashes, of which every repository has some, apart from those that are words.
OF_HASHES = re.compile(r"[a-f]{3}")
WORDS_ALL_THE_SAME = {"abc", "ace", "add", "bad", "bed", "dad", "dec", "def", "fed", "fee"}


def git(directory, *arguments, given=None):
    command = ["git", "--git-dir", directory, *arguments]
    return subprocess.run(command, input=given, capture_output=True, check=True).stdout


def words(directory):
    """All words of a repository."""
    blobs = []
    for line in git(directory, "ls-tree", "-r", "-l", "HEAD").decode("utf-8", "replace").splitlines():
        _, kind, name, size = line.partition("\t")[0].split()
        if kind == "blob" and size.isdigit() and 0 < int(size) < LARGEST_FILE:
            blobs.append((int(size), name))
    total, taken = 0, []
    for size, name in sorted(blobs):
        if total + size > MOST_BYTES:
            break
        total += size
        taken.append(name)
    text = git(directory, "cat-file", "--batch=%(objectname)", given="\n".join(taken).encode())
    return {it.lower() for it in WORD.findall(text.decode("utf-8", "replace"))}


def main(directories):
    counts, repositories = collections.Counter(), 0
    for directory in directories:
        try:
            found = words(directory)
        except subprocess.CalledProcessError as error:
            print(f"{directory}: {error}", file=sys.stderr)
            continue
        if len(found) >= FEWEST_WORDS:
            repositories += 1
            counts.update(found)
    common = []
    for word in sorted(counts):
        is_word = not OF_HASHES.fullmatch(word) or word in WORDS_ALL_THE_SAME
        if counts[word] >= SHARE * repositories and is_word:
            common.append(word)
    print(textwrap.fill(" ".join(common), 118))


if __name__ == "__main__":
    main(sys.argv[1:])
