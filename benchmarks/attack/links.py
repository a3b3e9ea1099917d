#!/usr/bin/env python3
"""Swaps directories of a repository for links to a directory outside, while `foreword search` runs in a loop.

The directory outside has files of the same names with a sentinel in them, which no answer may show. In the end,
with nothing being swapped, an answer must be complete and the index on the disk must not hold the sentinel.
It fails if content from outside was shown, if every answer was complete (the attack did not work then), or if the damage
lasts. Unix only.
"""

import json
import os
import pathlib
import threading
import time

from attack import Attack

SENTINEL = "content_from_outside"
FILES = 400


def build(base: pathlib.Path) -> list[pathlib.Path]:
    """A repository with directories to swap; returns those."""
    directories = []
    for name in ["one", "two/deep", "three"]:
        inside = base / "repository" / name
        for root, text in [(inside, "alpha"), (base / "outside" / name, SENTINEL)]:
            for file in range(FILES // 4):
                path = root / f"package{file % 7}" / f"file{file}.py"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(f"def {text}_{file}(value):\n    return value + {file}\n")
        # An ignore file outside must not decide what is seen inside.
        (base / "outside" / name / ".gitignore").write_text("*\n")
        directories.append(inside)
    return directories


def swap(base: pathlib.Path, inside: pathlib.Path, stop: threading.Event) -> None:
    """Replaces a directory by a link and back, with pauses of a fraction of a millisecond to some milliseconds."""
    name = inside.relative_to(base / "repository")
    aside = base / ("aside-" + str(name).replace("/", "-"))
    outside = base / "outside" / name
    pause = 0
    while not stop.is_set():
        os.rename(inside, aside)
        os.symlink(outside, inside)
        time.sleep(0.0002 * (1 + pause % 40))
        os.unlink(inside)
        os.rename(aside, inside)
        time.sleep(0.0002 * (1 + pause * 7 % 40))
        pause += 1


def touch(files: list[pathlib.Path]) -> None:
    """Gives every file a new time, so that all of them are read again."""
    for path in files:
        try:
            os.utime(path)
        except OSError:
            pass  # Its directory is being swapped.


def search(it, base: pathlib.Path) -> dict:
    query = SENTINEL.replace("_", " ")
    return json.loads(it.run("search", query, "--json", "-k", "50", cwd=base / "repository", timeout=60).stdout)


def attack(it, base: pathlib.Path) -> None:
    directories = build(base)
    files = sorted(base.glob("*/**/*.py"))
    stop = threading.Event()
    threads = [threading.Thread(target=swap, args=(base, inside, stop)) for inside in directories]
    for thread in threads:
        thread.start()
    shown = 0
    try:
        while it.is_time_left():
            touch(files)
            answer = search(it, base)
            it.count("answers")
            it.count("incomplete", not answer["complete"])
            shown += any(SENTINEL in row["text"] for row in answer["results"])
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    if shown:
        it.fail(f"{shown} answers show content from outside")
    if not it.figures.get("incomplete"):
        it.fail("every answer was complete: nothing was swapped in time")
    last = search(it, base)
    expected = sum(1 for _ in base.glob("repository/**/*.py"))
    if any(SENTINEL in row["text"] for row in last["results"]):
        it.fail("content from outside is shown afterwards")
    if not last["complete"] or last["searched"]["files"] != expected:
        it.fail(f"afterwards: {last['searched']['files']} of {expected} files, complete: {last['complete']}")


def main():
    with Attack(__doc__, seconds=20) as it:
        attack(it, it.base / "links")


if __name__ == "__main__":
    main()
