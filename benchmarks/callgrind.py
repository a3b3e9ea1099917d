"""Counts the instructions of a program and of the processes that it starts, by valgrind, and splits them by function.

Counts depend neither on the load of the machine nor on its clock. They differ by a few thousandths between runs: threads
wait in another order, and tables of hashes have other seeds.
"""

import collections
import glob
import os
import re
import shutil
import subprocess
import tempfile


def is_there():
    return shutil.which("valgrind") is not None


class Counts:
    """The instructions of one run, of all its processes together."""

    def __init__(self, directory):
        self.total = 0
        # By function, with all that it called, as seen by its callers.
        self.inclusive = collections.Counter()
        for path in glob.glob(os.path.join(directory, "*.out")):
            self._read(path)

    def _read(self, path):
        names, function, callee, is_call = {}, None, None, False
        with open(path, errors="replace") as profile:
            for line in profile:
                if line[0] in "0123456789+-*":
                    # A position and a cost; after `calls=` the cost is that of the call.
                    if is_call and callee != function:
                        self.inclusive[callee] += int(line.rsplit(None, 1)[-1])
                    is_call = False
                elif line.startswith("calls="):
                    is_call = True
                elif line.startswith(("fn=", "cfn=")):
                    # `fn=(12) name` the first time, then `fn=(12)`.
                    key, _, value = line.rstrip().partition("=")
                    number, _, name = value.partition(" ")
                    if name:
                        names[number] = name
                    if key == "fn":
                        function = names[number]
                    else:
                        callee = names[number]
                elif line.startswith("totals:"):
                    self.total += int(line.split()[1])

    def of(self, pattern):
        """Instructions of the functions with names that match, with all that they called. They do not call each
        other."""
        return sum(cost for name, cost in self.inclusive.items() if re.search(pattern, name))


def count(command, env=None):
    """Runs a command, whose exit code must be 0."""
    with tempfile.TemporaryDirectory() as directory:
        valgrind = ["valgrind", "--quiet", "--tool=callgrind", "--trace-children=yes"]
        valgrind.append(f"--callgrind-out-file={directory}/%p.out")
        done = subprocess.run(valgrind + command, env=env, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: exit {done.returncode}: {done.stderr[-2000:]}")
        return Counts(directory)
