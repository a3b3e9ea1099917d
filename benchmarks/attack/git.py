#!/usr/bin/env python3
"""Git's own data made by a stranger: links to another repository of the user, and objects that stand for gigabytes.

Nothing of the other repository may be shown, and no command may take more than 400 MB or 60 s.
"""

import json
import os
import struct
import subprocess
import sys
import zlib

from attack import Attack, git, memory
from serve import Server

MOST_MB = 400
MOST_SECONDS = 60
SECRET = "victims_own_words"
COMMIT, TREE, DELTA = 1, 2, 6
MANY = 127 * 150_000


def number(value):
    res = b""
    while value >= 128:
        res += bytes([value & 127 | 128])
        value >>= 7
    return res + bytes([value])


def name(value):
    return struct.pack(">I", value * 0x9E3779B9 & 0xFFFFFFFF) + struct.pack(">I", value) + b"Z" * 12


def commit(tree, *parents):
    lines = [f"tree {tree.hex()}", *(f"parent {it.hex()}" for it in parents)]
    return "\n".join([*lines, "author a <a> 1700000000 +0000", "committer a <a> 1700000000 +0000", "", "m"]).encode()


def tree(*entries):
    return b"".join(f"{mode} {path}".encode() + b"\0" + target for mode, path, target in entries)


class Pack:
    """A pack whose objects have any hash; nobody compares them."""

    def __init__(self):
        self.bytes, self.objects = b"PACK" + struct.pack(">II", 2, 0), {}

    def add(self, key, kind, content, base=None):
        at, size = len(self.bytes), len(content)
        head, size = [kind << 4 | size & 15], size >> 4
        while size:
            head[-1] |= 128
            head.append(size & 127)
            size >>= 7
        if base is not None:
            distance = at - base
            back = [distance & 127]
            while distance := distance >> 7:
                distance -= 1
                back.insert(0, distance & 127 | 128)
            head += back
        self.bytes += bytes(head) + zlib.compress(content, 6)
        self.objects[key] = at
        return at

    def write(self, git_dir):
        folder = git_dir / "objects/pack"
        folder.mkdir(parents=True)
        keys = sorted(self.objects)
        counts = b"".join(struct.pack(">I", sum(key[0] <= first for key in keys)) for first in range(256))
        offsets = b"".join(struct.pack(">I", self.objects[key]) for key in keys)
        table = b"\xfftOc" + struct.pack(">I", 2) + counts + b"".join(keys) + bytes(4 * len(keys)) + offsets + bytes(40)
        (folder / "pack-1.pack").write_bytes(self.bytes + bytes(20))
        (folder / "pack-1.idx").write_bytes(table)


def commits():
    pack = Pack()
    pack.add(name(1), COMMIT, commit(name(3), name(2)))
    pack.add(name(2), COMMIT, commit(name(4)))
    pack.add(name(4), TREE, tree(("100644", "a.py", name(99))))
    return pack


def wide_deltas():
    pack = commits()
    base, content = pack.add(name(100), TREE, b""), (b"\x7f" + bytes(127)) * (MANY // 127)
    for at in range(60):
        delta = number(MANY if at else 0) + number(MANY) + content
        base = pack.add(name(3 if at == 59 else 101 + at), DELTA, delta, base)
    return pack


def short_deltas():
    pack, size = commits(), 15 << 20
    base = pack.add(name(100), TREE, bytes(size))
    for at in range(4000):
        delta = number(size) * 2 + b"\xf0" + struct.pack("<I", size)[:3]
        base = pack.add(name(3 if at == 3999 else 101 + at), DELTA, delta, base)
    return pack


def nested_trees():
    pack = commits()
    pack.add(name(200), TREE, tree(*(("100644", f"f{it:03}", name(98)) for it in range(100))))
    for level in range(4):
        below = name(200 + level)
        pack.add(name(3 if level == 3 else 201 + level), TREE, tree(*(("40000", f"d{it:03}", below) for it in range(100))))
    return pack


def own_tree():
    pack = commits()
    pack.add(name(3), TREE, tree(("40000", "d", name(3)), ("40000", "e", name(3))))
    return pack


def many_parents():
    pack, parents = Pack(), [name(1000 + it) for it in range(20_000)]
    content = commit(name(4), *parents)
    pack.add(name(1), COMMIT, content)
    for it in parents[:20]:
        pack.add(it, COMMIT, content)
    return pack


BOMBS = {it.__name__: it for it in (wide_deltas, short_deltas, nested_trees, own_tree, many_parents)}


def make_bomb(root, bomb):
    (root / ".git").mkdir(parents=True)
    (root / ".git/HEAD").write_text(name(1).hex() + "\n")
    (root / "a.py").write_text("def fee():\n    return 1\n")
    bomb().write(root / ".git")


def measured(it, root, *command):
    """Runs a command; a child of its own, so that the memory is of this run alone."""
    code = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], capture_output=True)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, done.returncode)\n"
        "sys.stdout.flush(); sys.stdout.buffer.write(done.stdout + done.stderr)"
    )
    arguments = [sys.executable, "-c", code, it.program, *command]
    try:
        done = subprocess.run(arguments, cwd=root, env=it.environment(), capture_output=True, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        it.fail(f"{root.name}: {command}: not done after {MOST_SECONDS} s")
        return b""
    head, _, out = done.stdout.partition(b"\n")
    peak, code = (int(part) for part in head.split())
    megabytes = peak >> (20 if sys.platform == "darwin" else 10)
    it.most("MB at most", megabytes)
    it.count("commands")
    if megabytes > MOST_MB:
        it.fail(f"{root.name}: {command}: {megabytes} MB")
    if code not in (0, 1, 2) or b"panicked" in out:
        it.fail(f"{root.name}: {command}: {code} {out[-300:]!r}")
    return out


def make_victim(root):
    root.mkdir()
    (root / "plan.py").write_text(f"def {SECRET}():\n    return 1\n")
    (root / "notes.py").write_text("n = 1\n")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "first")
    (root / "plan.py").write_text(f"def {SECRET}():\n    return 2\n")
    git(root, "commit", "-qam", "second")
    return root / ".git", subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True, check=True).stdout


def own_git(root, victim, head):
    own = root / ".git"
    (own / "objects/info").mkdir(parents=True)
    (own / "refs").mkdir()
    (own / "HEAD").write_text(head)
    (own / "index").write_bytes((victim / "index").read_bytes())
    return own


def by_file(root, victim, _):
    (root / ".git").write_text(f"gitdir: {victim}\n")


def by_link(root, victim, _):
    (root / ".git").symlink_to(victim)


def by_common_directory(root, victim, head):
    (own_git(root, victim, head) / "commondir").write_text(f"{victim}\n")


def by_link_to_objects(root, victim, head):
    own = own_git(root, victim, head)
    (own / "objects/info").rmdir()
    (own / "objects").rmdir()
    (own / "objects").symlink_to(victim / "objects")


def by_links_to_directories(root, victim, head):
    own = own_git(root, victim, head)
    for it in victim.joinpath("objects").iterdir():
        if it.name != "info":
            (own / "objects" / it.name).symlink_to(it)


def by_alternates(root, victim, head):
    (own_git(root, victim, head) / "objects/info/alternates").write_text(f"{victim}/objects\n")


WAYS = (by_file, by_link, by_common_directory, by_link_to_objects, by_links_to_directories, by_alternates)
COMMANDS = (("next", "plan.py:1", "--format", "zeta1"), ("next", "--format", "zeta2"), ("next", "--json"), ("--rev", "HEAD", "search", SECRET, "--json"))


def outside(it):
    victim, head = make_victim(it.base / "victim")
    for way in WAYS:
        root = it.base / way.__name__
        root.mkdir()
        # The victim's file has another text here, so a difference to its commit would show it.
        (root / "plan.py").write_text("def other():\n    return 3\n")
        way(root, victim, head)
        for command in COMMANDS if it.args.seconds >= 20 else COMMANDS[1::2]:
            out = measured(it, root, *command)
            shown = out.replace(b'"' + SECRET.encode() + b'"', b"")
            if f"def {SECRET}".encode() in shown:
                it.fail(f"{way.__name__}: {command} shows another repository")
        if b"not read" not in measured(it, root, "status") and way not in (by_links_to_directories,):
            it.fail(f"{way.__name__}: `status` does not say that git is not read")


def served(it, root):
    """A server there, which compares commits for its answers."""
    it.repository = root
    server = Server(it)
    fill = json.dumps({"input_prefix": "def f():\n    return f", "input_suffix": "\n", "prompt": "", "n_predict": 8, "filename": "a.py"})
    for method, path, body in (("GET", "/api/next?file=a.py&line=1", None), ("POST", "/infill", fill), ("GET", "/api/index", None)):
        status, answer = server.ask(method, path, body)
        if status != 200:
            it.fail(f"{root.name}: serve: {path}: {status} {answer[-300:]!r}")
    megabytes = memory(server.process.pid)[1] >> 20
    it.most("MB of serve at most", megabytes)
    if megabytes > MOST_MB or not server.is_well():
        it.fail(f"{root.name}: serve: {megabytes} MB")
    server.process.kill()
    server.process.wait()


with Attack(__doc__) as it:
    if os.name == "posix":
        outside(it)
    for made, bomb in BOMBS.items():
        make_bomb(it.base / made, bomb)
        commands = ("next", "a.py:1", "--json"), ("index",), ("status",)
        for command in commands if it.args.seconds >= 20 else commands[:1]:
            measured(it, it.base / made, *command)
        served(it, it.base / made)
        it.figures[f"KB of {made}"] = (it.base / made / ".git/objects/pack/pack-1.pack").stat().st_size >> 10
