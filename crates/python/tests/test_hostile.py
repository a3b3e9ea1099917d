"""Hostile values for every argument of the module: no call ends the process, hangs, takes much memory or raises what the
page does not name.

The calls run in a process of their own, which prints each before it is made.
"""

import faulthandler
import inspect
import os
import pathlib
import subprocess
import sys
import tempfile

import foreword

NUMBERS = [
    0, 1, -1, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**64), 10**300,
    0.0, -0.0, 0.5, 1e300, -1e300, 1e-300, float("nan"), float("inf"), True, False,
]
OTHERS = [
    None, "", "5", "-1", "1e300", "nan", "\0", "\ud800", "9" * 100_000, "x/../" * 1000, "lines=0", "lines=-1", f"lines={2**32}",
    f"lines={2**64}", f"lines={10**300}", b"5", [], [1], {}, (), object(), int, 1j,
]
# Those of the page docs/python.md.
EXPECTED = (ValueError, IndexError, OSError, TypeError)
MOST_MB = 300
MOST_SECONDS = 10
TEXT = "class Store:\n    def load(self, path):\n        return open(path)\n" * 20


def calls(index, root):
    """What can be called, each with arguments that are right."""
    yield foreword.languages, {}
    yield foreword.chunk, {"text": TEXT, "language": "python"}
    yield foreword.Index, {"path": root, "index_dir": root.parent / "index"}
    for name in dir(foreword.Index):
        if not name.startswith("_") and callable(getattr(foreword.Index, name)):
            right = {
                "search": {"query": "load store"},
                "context": {"path": "store.py", "line": 2},
                "symbols": {"name": "load"},
                "outline": {"path": "store.py"},
                "next": {"path": "store.py"},
                "ask": {"question": "where are stores loaded"},
            }
            yield getattr(index, name), right.get(name, {})


def most_megabytes():
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return int(next(it.split()[1] for it in lines if it.startswith("VmHWM"))) >> 10


def attempt(function, arguments, what):
    """Makes a call, and reads all that it returns."""
    print(what, flush=True)
    faulthandler.dump_traceback_later(MOST_SECONDS, exit=True)
    try:
        res = function(**arguments)
        for it in res if isinstance(res, list) else [res]:
            _ = repr(it), [getattr(it, name) for name in dir(it) if not name.startswith("_")]
    except EXPECTED as error:
        assert str(error), "says nothing"
    finally:
        faulthandler.cancel_dump_traceback_later()


def main(place):
    root = place / "shop"
    root.mkdir()
    (root / "store.py").write_text(TEXT)
    os.chdir(root)
    index = foreword.Index(root, index_dir=place / "index")
    before, count = most_megabytes(), 0
    for function, right in calls(index, root):
        for argument in inspect.signature(function).parameters:
            for value in NUMBERS + OTHERS:
                attempt(function, right | {argument: value}, f"{function.__name__}: {argument}={str(value)[:40]!r}")
                count += 1
    took = most_megabytes() - before
    assert took < MOST_MB, f"{took} MB"
    print(f"{count} calls, {took} MB at most")


def test_hostile_values_raise_errors_that_are_documented():
    done = subprocess.run([sys.executable, __file__], capture_output=True, text=True, timeout=600)
    last = done.stdout.splitlines()[-1:]
    assert done.returncode == 0 and "calls" in last[0], f"{done.returncode}: {last} {done.stderr[-2000:]}"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as it:
        main(pathlib.Path(it))
