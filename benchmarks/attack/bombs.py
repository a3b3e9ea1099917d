#!/usr/bin/env python3
"""Texts that stop grammars: each alone in a repository beside an honest file, indexed and chunked.

The scanner of Kotlin never returned from an `@` at the end; that of Ruby aborted the process; C# and Java took 6 GB for
90 kB; HTML took the square of its depth. A text may cost its own quality and some seconds, never the command: the honest
file has to be found, in less than two minutes and with less than 1.5 GB by any process of the program.
"""

import resource
import shutil
import time

from attack import Attack

MOST_SECONDS = 120
MOST_BYTES = 3 << 29


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


def main():
    with Attack(__doc__) as it:
        for name, text in bombs():
            attack(it, name, text)
            if not it.is_time_left() and it.args.seconds < 60:
                break
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10
        it.figures["peak MB"] = peak >> 20
        if peak > MOST_BYTES:
            it.fail(f"a process took {peak >> 20} MB")


if __name__ == "__main__":
    main()
