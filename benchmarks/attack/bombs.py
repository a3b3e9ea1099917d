#!/usr/bin/env python3
"""Texts that stop grammars: each alone in a repository beside an honest file, indexed and chunked.

The scanner of Kotlin never returned from an `@` at the end; that of Ruby aborted the process; C# and Java took 6 GB for
90 kB; HTML took the square of its depth. A text may cost its own quality and some seconds, never the command: the honest
file has to be found, in less than two minutes and with less than 1.5 GB by any process of the program.

Then many together beside 200 honest files: each would take ten seconds of processor time. The first answer may wait for
15 seconds of it and for no more than 600 MB of all processes; an index that is killed has kept what it has learned.
"""

import json
import resource
import shutil
import subprocess
import time

from attack import Attack, children, memory

MOST_SECONDS = 120
MOST_BYTES = 3 << 29

# Of processor time, for the first answer beside many bombs; some 4 on a quiet machine.
MOST_PROCESSOR_SECONDS = 15
MOST_TREE_BYTES = 600 << 20


def bombs():
    """Names and texts. The first eleven are from attacks that worked."""
    yield "at.kt", "val i = 1\n@"
    yield "heredoc.rb", 'buf <<"' + "x" * 256 + '"\n'
    yield "heredoc.sh", "cat <<" + "x" * 300 + "\n"
    yield "nested.py", "".join(" " * n + "if x:\n" for n in range(512)) + " " * 512 + 'f"{x}"\n'
    yield "quotes.cs", "x = " + "a<\n" * 30_000
    yield "quotes.java", "x = " + "a<\n" * 30_000
    yield "quotes.cpp", "x = " + "a<\n" * 30_000
    yield "brackets.py", "[" * 900_000
    yield "divs.html", "<div>" * 48_000
    yield "quotes.js", "`${" * 100_000
    yield "at_end.kts", "@" * 20_000
    for name, opened in [("a.rs", "("), ("a.go", "{"), ("a.ts", "<"), ("a.php", "<?php ["), ("a.json", "["), ("a.scala", "{"),
                         ("a.swift", "("), ("a.lua", "{"), ("a.c", "("), ("a.css", "a{"), ("a.jl", "("), ("a.hs", "(")]:
        yield name, opened * 60_000
    yield "a.yaml", "".join(" " * n + "a:\n" for n in range(1_500))
    yield "anchors.yaml", "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 60))
    yield "a.md", "> " * 20_000 + "x\n" + "[" * 20_000
    yield "a.xml", "<a>" * 100_000
    yield "a.toml", "a = " + "[" * 100_000
    yield "a.sql", "select (" * 50_000
    yield "a.sh", "$(" * 30_000
    yield "a.rb", "%w[" * 30_000
    yield "a.ex", "fn -> " * 30_000


def attack(it, name, text):
    shutil.rmtree(it.repository, ignore_errors=True)
    it.repository.mkdir()
    (it.repository / name).write_text(text)
    (it.repository / "honest.py").write_text("def honest_function():\n    return 1\n")
    index = it.base / "bomb-index"
    shutil.rmtree(index, ignore_errors=True)
    start = time.monotonic()
    it.run("index", "-q", index=index, timeout=MOST_SECONDS)
    took = time.monotonic() - start
    if took > it.figures.get("slowest index, s", 0):
        it.figures["slowest index, s"], it.figures["of"] = round(took, 1), name
    found = it.run("search", "honest_function", index=index, timeout=MOST_SECONDS)
    if b"honest.py" not in found.stdout:
        it.fail(f"{name}: the honest file is not found")
    chunks = it.run("chunk", name, index=index, timeout=MOST_SECONDS)
    if chunks.returncode != 0:
        it.fail(f"{name}: not chunked: {chunks.stderr[-200:]!r}")
    again = it.run("index", "-q", index=index, timeout=MOST_SECONDS)
    if again.returncode not in (0, 1):
        it.fail(f"{name}: a second index fails")
    it.count("texts")


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def tree_memory(process):
    """Bytes that a process and those that it started have resident."""
    return sum(memory(pid)[0] for pid in [process.pid, *children(process.pid)])


def unparsed(it, index):
    """Numbers of files without a syntax tree, by reason."""
    status = json.loads(it.run("status", "--json", index=index).stdout or b"{}")
    return {group["code"]: group["files"] for group in status.get("unparsed", [])}


def together(it, bombs):
    """Texts that take ten seconds each, beside files that take none."""
    shutil.rmtree(it.repository, ignore_errors=True)
    it.repository.mkdir()
    for n in range(200):
        functions = "".join(f"def honest_{n}_{k}(value):\n    return value + {k}\n\n" for k in range(12))
        (it.repository / f"honest{n}.py").write_text(functions)
    for n in range(bombs):
        (it.repository / f"bomb{n}.zig").write_text(f"const a{n} = 1;\n" + ") !\r\n" * 1800)
    index = it.base / "together"
    for answer in ("first", "second"):
        before, start = processor_seconds(), time.monotonic()
        found = it.run("search", "honest_7_3", index=index, timeout=MOST_SECONDS)
        used = processor_seconds() - before
        it.figures[f"{answer} answer beside {bombs} bombs, s of processor and wall"] = (
            round(used, 1), round(time.monotonic() - start, 1))
        if b"honest7.py" not in found.stdout or b"no syntax tree yet" not in found.stderr:
            it.fail(f"{answer} answer: {found.stdout[:200]!r} {found.stderr[:200]!r}")
        if used > (MOST_PROCESSOR_SECONDS if answer == "first" else 1):
            it.fail(f"the {answer} answer took {used:.1f} s of processor time")
    # A minute a processor.
    if it.args.seconds >= 60:
        killed_index(it, index, bombs)


def killed_index(it, index, bombs):
    """Kills `index` while it parses the texts that were deferred; what it has learned until then stays."""
    running = subprocess.Popen([it.program, "index", "-q"], cwd=it.repository, env=it.environment(index),
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    start, peak, kept = time.monotonic(), 0, {}
    while "timed-out" not in kept and time.monotonic() - start < 300 and running.poll() is None:
        time.sleep(0.5)
        peak = max(peak, tree_memory(running))
        kept = unparsed(it, index)
    running.kill()
    running.wait()
    it.figures["MB of the process tree"] = peak >> 20
    if peak > MOST_TREE_BYTES:
        it.fail(f"the processes took {peak >> 20} MB together")
    left = unparsed(it, index)
    it.figures["kept by a killed index"] = left
    if not 0 < left.get("deferred", 0) < bombs:
        it.fail(f"a killed index kept {left}")
    it.run("index", "-q", index=index, timeout=MOST_SECONDS + 20 * bombs)
    if unparsed(it, index) != {"timed-out": bombs}:
        it.fail(f"in the end {unparsed(it, index)}")


def main():
    with Attack(__doc__) as it:
        for name, text in bombs():
            attack(it, name, text)
            if not it.is_time_left() and it.args.seconds < 60:
                break
        together(it, 6)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10
        it.figures["peak MB"] = peak >> 20
        if peak > MOST_BYTES:
            it.fail(f"a process took {peak >> 20} MB")


if __name__ == "__main__":
    main()
