#!/usr/bin/env python3
"""Kills `foreword index` at random moments, and compares what is answered then with what a fresh index answers.

The files are edited between the kills. The last run before a comparison is not killed. Nothing may be lost, nothing that
was removed may be found, and no file of the index may be left over that makes a command fail.
"""

import subprocess
import time

from attack import Attack

COMMANDS = [
    ("search", "--exact", "return", "-k", "99999", "--brief"),
    ("search", "how is the value handled", "-k", "40", "--json"),
    ("map", "--tokens", "1000"),
]


def edit(it, files, round_number):
    for path in it.random.sample(files, min(len(files), it.random.randrange(1, 30))):
        kind = it.random.random()
        if kind < 0.2:
            path.unlink(missing_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"def edited_{round_number}():\n    return {it.random.randrange(1 << 30)}\n")


def main():
    with Attack(__doc__) as it:
        files = sorted(path for path in it.repository.rglob("*.*") if path.is_file() and ".git" not in path.parts)
        start = time.monotonic()
        it.run("index", "-q")
        took = time.monotonic() - start
        rounds = 0
        while it.is_time_left() or rounds == 0:
            rounds += 1
            for _ in range(it.random.randrange(1, 8)):
                edit(it, files, rounds)
                command = ["index", "-q"] + ["--rebuild"] * (it.random.random() < 0.3)
                running = it.start_server(*command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(it.random.random() ** 2 * took * 1.2)
                running.kill()
                it.count("killed" if running.wait() < 0 else "done before the kill")
            fresh = it.base / f"fresh{rounds}"
            found, expected = it.answers(it.index, COMMANDS), it.answers(fresh, COMMANDS)
            for command, answer in expected.items():
                it.count("comparisons")
                if found[command] != answer:
                    it.fail(f"round {rounds}: `{command}` differs from a fresh index")


if __name__ == "__main__":
    main()
