#!/usr/bin/env python3
"""Kills the workers that parse, at random moments while `foreword index` and `search` run, and compares what is answered
afterwards with what an index answers that nobody disturbed.

A kill says nothing about the file that the worker was at: no file may be left without a syntax tree by it. In full it
goes on until there were 500 kills.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time

from attack import Attack, children

SIGNALS = [signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP]

COMMANDS = [
    ("search", "--exact", "return", "-k", "99999", "--brief"),
    ("search", "how is the value handled", "-k", "40", "--json"),
    ("map", "--tokens", "4000"),
    ("status", "--json"),
]

KILLS = 500


def kill_workers(it, process):
    """Kills workers until the process ends: some as soon as they are there, some while they parse."""
    while process.poll() is None:
        for worker in children(process.pid):
            time.sleep(it.random.random() ** 2 * 0.02)
            try:
                os.kill(worker, it.random.choice(SIGNALS))
                it.count("kills")
            except ProcessLookupError:
                pass
        time.sleep(it.random.random() * 0.03)


def attack(it, number, expected):
    shutil.rmtree(it.index, ignore_errors=True)
    for command in it.random.choice([("index", "-q"), ("search", "return")]), ("index", "-q", "--rebuild"):
        running = it.start_server(*command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        killer = threading.Thread(target=kill_workers, args=(it, running))
        killer.start()
        if running.wait() not in (0, 1):
            it.fail(f"round {number}: {command} ended with {running.returncode}")
        killer.join()
    found = it.answers(it.index, COMMANDS)
    for command, answer in expected.items():
        it.count("comparisons")
        if found[command] != answer:
            it.count("differences")
            it.fail(f"round {number}: `{command}` differs from an undisturbed index")


def main():
    if not pathlib.Path("/proc/self/stat").exists():
        sys.exit("needs /proc to find the workers")
    with Attack(__doc__) as it:
        undisturbed = it.base / "undisturbed"
        it.run("index", "-q", index=undisturbed)
        expected = it.answers(undisturbed, COMMANDS)
        it.figures.update({"kills": 0, "differences": 0})
        rounds = 0
        while rounds == 0 or (it.is_time_left() and it.figures["kills"] < KILLS):
            rounds += 1
            attack(it, rounds, expected)
        if it.figures["kills"] == 0:
            it.fail("no worker was killed")


if __name__ == "__main__":
    main()
