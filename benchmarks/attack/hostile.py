#!/usr/bin/env python3
"""Puts into a repository what somebody who is up to no good could put there, and runs every command.

Names with line breaks, escape sequences and bytes that are no UTF-8; texts in bad encodings; pipes, sockets and links in
circles; a sparse file of 8 GB; thousands of tiny files and hundreds of nested directories; a git configuration that runs
programs; pipes in place of git's own files; ignore files with patterns that explode. No command may hang, crash, run
anything, write into the repository, print an escape sequence or take more than 1 GB; the honest file is found.
"""

import os
import resource
import socket

from attack import Attack, git

# A program that git would run, in each of the places where git looks for one.
GIT_CONFIG = """
[core]
	fsmonitor = {canary}
	pager = {canary}
	editor = {canary}
	sshCommand = {canary}
	hooksPath = {hooks}
	worktree = /etc
	excludesFile = /etc/passwd
[include]
	path = /etc/shadow
[diff]
	external = {canary}
[filter "evil"]
	clean = {canary}
	smudge = {canary}
	process = {canary}
[alias]
	status = !{canary}
"""

TEXTS = {
    "utf16_without_mark.py": "def f():\n    pass\n".encode("utf-16-le"),
    "utf16.py": "def f():\n    pass\n".encode("utf-16"),
    "latin.py": "# caf\xe9\ndef f(): pass\n".encode("latin-1"),
    "zeros.py": b"def f():\0\0\0\n",
    "surrogates.py": b"x = '\xed\xa0\x80\xed\xb0\x80'\n",
    "overlong.py": b"x = '\xc0\x80\xf8\x88\x80\x80\x80'\n",
    "escapes.py": b"# \x1b]0;owned\x07\x1b[2J\x1b[31m\x9b31m\ndef escapes_in_text(): pass\n",
    "bidirectional.py": "def f(): # \u202e\u2066 if admin\n    pass\n".encode(),
    "returns.py": b"a = 1\rb = 2\r\n\rc = 3\x85d\xe2\x80\xa8e",
    "one_line.js": b"var a=" + b"[1]," * 100_000 + b"0",
    "no_line_end.py": b"x" * 900_000,
    "only_mark.py": b"\xef\xbb\xbf",
    "empty.py": b"",
}

NAMES = [
    b"line\nbreak.py", b"tab\there.py", b"escape\x1b[31m.py", b"bell\x07.py", b"not\xff\xfeutf8.py", b"-rf.py", b"--help.py",
    b" leading and trailing .py", b"quote'\"`$(id).py", b"back\\slash.py", b"co:lon.py", "\u202egnp.py".encode(), b"%2e%2e%2f.py",
    b"x" * 250 + b".py", b"....py", b"~.py", b"CON.py", b"a:1:2.py",
]

COMMANDS = [
    ("index",), ("search", "honest_function"), ("search", "--exact", "def ", "-k", "9999"), ("search", "--regex", "escape", "-k", "99"),
    ("symbols", "honest_function"), ("map",), ("status",), ("doctor",), ("status", "--json"), ("search", "escapes in text", "--json"),
    ("context", "honest.py:2", "--prompt"), ("chunk", "honest.py"),
]


def fill(it, few):
    root = it.repository
    os.chdir(root)
    (root / "honest.py").write_text("def honest_function():\n    return 1\n")
    for name, text in TEXTS.items():
        (root / name).write_bytes(text)
    for name in NAMES:
        try:
            with open(os.fsencode(root) + b"/" + name, "wb") as file:
                file.write(b"def in_an_odd_name(): pass\n")
        except OSError:
            it.count("names that the system refuses")
    for name in ["pipe.py", "src.pipe", "Makefile"]:
        os.mkfifo(root / name)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket.py")
    for name, target in [("circle_a", "circle_b"), ("circle_b", "circle_a"), ("self", "."), ("up", ".."), ("secret.py", "/etc/passwd"),
                         ("device.py", "/dev/zero"), ("process", "/proc/self")]:
        (root / name).symlink_to(target)
    with (root / "sparse.py").open("wb") as file:
        file.truncate(8 << 30)
    deep = root / "deep"
    for _ in range(200 if few else 400):
        deep = deep / "d"
    deep.mkdir(parents=True)
    (root / "many").mkdir()
    for n in range(2_000 if few else 100_000):
        (root / "many" / f"t{n}.py").write_text("x = 1\n")
    patterns = ["*" * 60 + "zz", "[", "\\", "!", "/**/**/**/**/zz", "{" * 500, "\u202e", "[z-a]", "**/" * 300 + "zz"]
    (root / ".gitignore").write_text("\n".join(patterns + [f"no{n}*x?[ab]" for n in range(5_000)]))


def fill_git(it):
    dot_git = it.repository / ".git"
    if not dot_git.is_dir():
        git(it.repository, "init", "-q")
    canary, hooks = it.base / "canary", it.base / "hooks"
    script = f"#!/bin/sh\ntouch {it.base}/owned\n"
    hooks.mkdir(exist_ok=True)
    for path in [canary, hooks / "post-checkout", hooks / "post-index-change", hooks / "reference-transaction"]:
        path.write_text(script)
        path.chmod(0o755)
    (dot_git / "config").write_text(GIT_CONFIG.format(canary=canary, hooks=hooks))
    (dot_git / "info").mkdir(exist_ok=True)
    (dot_git / "info" / "attributes").write_text("* filter=evil\n")


def listing(root):
    """What is in the repository, with times of modification: nothing may change."""
    res = {}
    for folder, folders, names in os.walk(os.fsencode(root)):
        for name in folders + names:
            path = os.path.join(folder, name)
            it = os.lstat(path)
            res[path] = (it.st_size, it.st_mtime_ns, it.st_mode)
    return res


def run_all(it, what):
    for command in COMMANDS:
        done = it.run(*command, timeout=120)
        it.count("runs")
        if b"\x1b" in done.stdout + done.stderr or b"\x07" in done.stdout:
            it.fail(f"{what}: {command} prints an escape sequence")
        if b"root:x:0" in done.stdout:
            it.fail(f"{what}: {command} prints a file from outside")
        if command[:2] == ("search", "honest_function") and b"honest.py" not in done.stdout:
            it.fail(f"{what}: the honest file is not found: {done.stdout[-200:]!r}")


def main():
    with Attack(__doc__) as it:
        few = it.args.seconds < 60
        fill(it, few)
        run_all(it, "files")
        fill_git(it)
        before = listing(it.repository)
        run_all(it, "git's configuration")
        if listing(it.repository) != before:
            it.fail("something was written into the repository")
        for name in ["config", "HEAD", "packed-refs", "commondir", "index"]:
            path = it.repository / ".git" / name
            saved = path.read_bytes() if path.is_file() else None
            path.unlink(missing_ok=True)
            os.mkfifo(path)
            it.run("search", "honest_function", timeout=30)
            it.run("status", timeout=30)
            path.unlink()
            if saved is not None:
                path.write_bytes(saved)
            it.count("pipes in .git")
        if (it.base / "owned").exists():
            it.fail("a program from the repository's configuration was run")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10
        it.figures["peak MB"] = peak >> 20
        if peak > 1 << 30:
            it.fail(f"{peak >> 20} MB were taken")


if __name__ == "__main__":
    main()
