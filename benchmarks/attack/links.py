#!/usr/bin/env python3
"""Swaps directories of a repository for links to a directory outside, while `foreword search` runs in a loop.

    benchmarks/attack/links.py [--binary target/debug/foreword] [--seconds 20]

The directory outside has files of the same names with a sentinel in them, which no answer may show. In the end,
with nothing being swapped, an answer must be complete and the index on the disk must not hold the sentinel.
Exits with 1 if content from outside was shown, if every answer was complete (the attack did not work then), or if the
damage lasts. Unix only.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

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


def search(binary: str, base: pathlib.Path, query: str) -> dict:
    env = {**os.environ, "FOREWORD_INDEX_DIR": str(base / "index"), "HOME": str(base)}
    run = subprocess.run(
        [binary, "search", query, "--json", "-k", "50"],
        cwd=base / "repository",
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
    )
    if run.returncode not in (0, 1):
        raise SystemExit(f"exit {run.returncode}: {run.stderr}")
    return json.loads(run.stdout)


def attack(binary: str, seconds: float, base: pathlib.Path) -> int:
    directories = build(base)
    files = sorted(base.glob("*/**/*.py"))
    stop = threading.Event()
    threads = [threading.Thread(target=swap, args=(base, it, stop)) for it in directories]
    for thread in threads:
        thread.start()
    start = time.monotonic()
    answers = shown = incomplete = 0
    try:
        while time.monotonic() - start < seconds:
            touch(files)
            answer = search(binary, base, SENTINEL.replace("_", " "))
            answers += 1
            shown += any(SENTINEL in it["text"] for it in answer["results"])
            incomplete += not answer["complete"]
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    print(f"{answers} answers, {shown} with content from outside, {incomplete} not complete")
    last = search(binary, base, SENTINEL.replace("_", " "))
    files = last["searched"]["files"]
    expected = sum(1 for _ in base.glob("repository/**/*.py"))
    print(f"afterwards: {files} of {expected} files, complete: {last['complete']}")
    lasting = any(SENTINEL in it["text"] for it in last["results"])
    healthy = last["complete"] and files == expected and not lasting
    return 0 if shown == 0 and incomplete > 0 and healthy else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--binary", default="target/debug/foreword")
    parser.add_argument("--seconds", type=float, default=20)
    args = parser.parse_args()
    binary = str(pathlib.Path(args.binary).resolve())
    with tempfile.TemporaryDirectory() as base:
        return attack(binary, args.seconds, pathlib.Path(base).resolve())


if __name__ == "__main__":
    sys.exit(main())
