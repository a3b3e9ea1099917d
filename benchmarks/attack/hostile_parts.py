"""What a hostile repository may hold: one function a kind, each fills a part of a directory from a random source."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import threading
import time

from attack import git
from hostile import GIT_CONFIG, NAMES, TEXTS

ESCAPES = "\x1b]0;owned\x07\x1b[2J\x1b[31m\x9b31m\x08\x7f\x0e\x00"
BIDIRECTIONAL = "\u202e\u2066\u2069\u200f\u061c"
TOKENS = ["a.", "a::", "(", "<", "[", "{", "`", '"', "'", "/*", "//", "#", "@", "\\", "é", "\u0301", "\t", "a ", "if ", "xoxb-", "ghp_", "0", "=", "->", "<a>",
          "\u202e", "\r", "${", "<<", "%", "&a ", "- ", "> "]
SUFFIXES = ["py", "rs", "js", "ts", "tsx", "go", "java", "kt", "rb", "c", "cpp", "cs", "php", "swift", "scala", "lua", "sh", "html", "css", "json", "yaml",
            "toml", "md", "xml", "sql", "vue", "svelte", "astro", "hs", "jl", "ex", "zig", "ipynb", "txt", "jsonl", "proto"]
NUMBERS = ["-1", "0", "1e400", "99999999999999999999", "nan", "-inf", "0.1e-999", "1_000_000_000_000"]


def write(root, name, data):
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    # Writing into a pipe waits, and into a link goes elsewhere.
    path.unlink(missing_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))


def odd_names(root, random):
    for name in random.sample(NAMES, 8):
        try:
            with open(os.fsencode(root) + b"/" + name, "wb") as file:
                file.write(b"def in_an_odd_name(): pass\n")
        except OSError:
            pass


def encodings(root, random):
    for name in random.sample(sorted(TEXTS), 6):
        write(root, name, TEXTS[name])


def controls(root, random):
    mark = random.choice([ESCAPES, BIDIRECTIONAL])
    write(root, "controls.py", f"# honest {mark}\ndef honest_{mark}function():\n    '''{mark}'''\n    return '{mark}'\n")
    write(root, "controls.md", f"# Honest {mark}\n\n![{mark}](http://127.0.0.1:9/{mark})\n")
    write(root, f"honest{BIDIRECTIONAL}.py", "def honest_in_name(): pass\n")


def links_and_pipes(root, random):
    os.mkfifo(root / random.choice(["pipe.py", "Makefile", "README.md", "package.json", "tsconfig.json"]))
    here = os.getcwd()
    os.chdir(root)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket.py")
    os.chdir(here)
    targets = ["circle_b", "circle_a", ".", "..", "/etc/passwd", "/dev/zero", "/proc/self", "/proc/self/fd/0", "/"]
    for n, target in enumerate(targets):
        (root / ("circle_a" if n == 0 else "circle_b" if n == 1 else f"link{n}.py")).symlink_to(target)


def huge_line(root, random):
    suffix = random.choice(SUFFIXES)
    write(root, f"line.{suffix}", random.choice(["var a=" + "[1]," * 220_000, "x" * 990_000, "a b " * 240_000, "\u202e" * 300_000]))


def repeated_token(root, random):
    for _ in range(2):
        write(root, f"token{random.randrange(99)}.{random.choice(SUFFIXES)}", random.choice(TOKENS) * 100_000)


def many_files(root, random):
    suffix = random.choice(["py", "md", "json", "txt"])
    for n in range(2_000):
        write(root, f"many/t{n}.{suffix}", "x = 1\n")


def deep(root, random):
    write(root, "/".join(["d"] * 300) + "/deep.py", "def deep(): pass\n")
    opened, closed = random.choice(["()", "[]", "{}", "<>"])
    write(root, f"nested.{random.choice(SUFFIXES)}", opened * 20_000 + closed * 20_000)
    write(root, "blocks.py", "".join(" " * n + "if x:\n" for n in range(400)) + " " * 400 + "pass\n")


def notebooks(root, random):
    code = {"cell_type": "code", "source": ["def in_notebook():\n", "    pass\n"]}
    for n, text in enumerate([
        "{", "[]", '{"cells": 1}', '{"cells": [1, null, {"source": 3}]}', json.dumps({"cells": [code], "nbformat": 1e308}),
        '{"cells":' * 2_000, json.dumps({"cells": [code] * 3_000}), json.dumps({"cells": [{"cell_type": ESCAPES, "source": ESCAPES}]}),
    ]):
        write(root, f"n{n}.ipynb", text)


def own_folder(root, random):
    glob = random.choice(["*" * 60 + "zz", "{" * 400, "[z-a]", "**/" * 300, "\\", "../../**", "/etc/*"])
    number = random.choice(NUMBERS)
    lines = [
        f"[[faq]]\nquestion = \"{'a' * 9_000}\"\nanswer = \"\"\"\u202e see honest.py\"\"\"\n", f"[paths]\nprefer = ['{glob}']\n",
        f"[[pin]]\npath = '{glob}'\nweight = {number}\n", f"[tags]\nodd = ['{glob}']\n", "a = " + "[" * 3_000, f"weight = {number}\n", "[" * 5_000,
    ]
    for n, text in enumerate(random.sample(lines, 4)):
        write(root, f".foreword/f{n}.toml", text)
    write(root, ".foreword/page.md", f"# {ESCAPES}\n" + "word " * 50_000)
    write(root, ".foreword/issues.json", random.choice(["[", json.dumps([{"number": 1e300, "title": ESCAPES}]), "[" * 9_000]))
    os.mkfifo(root / ".foreword/pipe.toml")
    (root / ".foreword/link.toml").symlink_to("/etc/passwd")


def ignore_files(root, random):
    patterns = ["*" * 60 + "zz", "[", "\\", "!", "/**/**/**/**/zz", "{" * 500, "\u202e", "[z-a]", "**/" * 300 + "zz", "!*", "\0", ESCAPES]
    for name in [".gitignore", ".ignore", ".forewordignore", "sub/.gitignore"]:
        write(root, name, "\n".join(random.sample(patterns, 6) + [f"no{n}*x?[ab]" for n in range(random.choice([10, 5_000]))]))


def attributes(root, random):
    lines = ["* filter=evil diff=evil merge=evil", "*.py linguist-generated=true", "[attr]" + "x" * 60_000, "* " + "a " * 30_000, "\0\xff", "*.py -text eol=crlf"]
    write(root, ".gitattributes", "\n".join(random.sample(lines, 4)))


def project_files(root, random):
    number = random.choice(NUMBERS)
    write(root, "tsconfig.json", '{"extends": "./tsconfig.json", "compilerOptions": {"paths": {"*": ["*/*/*"]}, "baseUrl": "../../.."}}')
    write(root, "package.json", random.choice(['{"name": 1, "workspaces": ["**", "../**"]}', '{"exports":' * 3_000, f'{{"version": {number}}}']))
    write(root, "Cargo.toml", f"[workspace]\nmembers = ['**', '../*']\n[package]\nname = {number}\n")
    write(root, "go.mod", "module " + "a/" * 20_000 + "\nreplace x => ../../../../etc\n")
    write(root, "composer.json", '{"autoload": {"psr-4": {"": ["/", ".."]}}}')
    write(root, "pyproject.toml", "[" * 9_000)


def bundle(root, random):
    parts = [f"function f{n}(a,b){{return a(b)?f{n + 1}:{random.randrange(9)}}}" for n in range(12_000)]
    write(root, "dist/app.min.js", ";".join(parts))
    write(root, "app.js.map", json.dumps({"version": 3, "mappings": "A" * 300_000, "sources": ["honest.py"] * 5_000}))


def secrets(root, random):
    write(root, ".env", "PASSWORD=hunter2hunter2\n")
    write(root, "id_rsa", "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIE" * 400 + "\n-----END RSA PRIVATE KEY-----\n")
    write(root, "keys.py", "".join(f"k{n} = '{random.choice(['ghp_', 'AKIA', 'xoxb-', 'sk_live_'])}{random.randrange(1 << 130):036x}'\n" for n in range(2_000)))


def data(root, random):
    write(root, "anchors.yaml", "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40)))
    write(root, "laughs.xml", "<!DOCTYPE l [<!ENTITY a 'a'>" + "".join(f"<!ENTITY a{n} '&a;&a;'>" for n in range(200)) + "]><l>&a199;</l>")
    write(root, "wide.csv", ",".join(f"c{n}" for n in range(60_000)))
    write(root, "numbers.json", "[" + ",".join(NUMBERS * 2_000) + "]")
    write(root, "names.json", json.dumps({f"key{n}": {"honest_function": n} for n in range(8_000)}))


def binary(root, random):
    for n in range(4):
        write(root, f"binary{n}.{random.choice(SUFFIXES)}", random.randbytes(60_000))
    with (root / "sparse.py").open("wb") as file:
        file.truncate(8 << 30)


def identifiers(root, random):
    write(root, "marks.py", "def a" + "\u0301" * 50_000 + "(): pass\n")
    write(root, "long.py", "def " + "honest_" * 60_000 + "(): pass\n")
    write(root, "same.py", "def honest_function(): pass\n" * random.choice([10, 9_000]))


def real_git(root, random):
    """A repository of git's own making; what comes after may break it."""
    if not (root / ".git").exists():
        git(root, "init", "-q")
        git(root, "add", "honest.py")
        git(root, "commit", "-qm", f"first {BIDIRECTIONAL}\x1b[31m")
        with (root / "honest.py").open("a") as file:
            file.write("\ndef honest_second():\n    return honest_function()\n")
        git(root, "commit", "-qam", "second")


def git_programs(root, random):
    real_git(root, random)
    canary = root.parent / "canary"
    write(root, ".git/config", GIT_CONFIG.format(canary=canary, hooks=canary.parent))


def git_broken(root, random):
    real_git(root, random)
    if random.random() < 0.6:
        subprocess.run(["git", "gc", "-q"], cwd=root, capture_output=True)
    dot_git = root / ".git"
    files = [it for it in sorted(dot_git.rglob("*")) if it.is_file() and "hooks" not in it.parts]
    for path in random.sample(files, min(3, len(files))):
        old = path.read_bytes()
        path.chmod(0o644)
        path.write_bytes(random.choice([b"", old[: len(old) // 2], random.randbytes(len(old)), old[:-9] + b"\xff" * 9, old * 2]))
    heads = ["ref: refs/heads/a", "ref: ../../../../etc/passwd", "ref: HEAD", "0" * 40, "f" * 40, "\0" * 9_000, ESCAPES, "ref: refs/heads/" + "x/" * 9_000]
    write(root, ".git/HEAD", random.choice(heads) + "\n")
    write(root, ".git/refs/heads/a", "ref: refs/heads/b\n")
    write(root, ".git/refs/heads/b", "ref: refs/heads/a\n")
    write(root, ".git/packed-refs", random.choice([b"\xff" * 5_000, b"^" * 9_000, b"# pack-refs\n" + b"f" * 40 + b" refs/heads/a\n"]))


def git_elsewhere(root, random):
    shutil.rmtree(root / ".git", ignore_errors=True)
    places = ["/etc", "..", ".", "/proc/self", "/dev/zero", "x" * 9_000, ".git", "/nonexistent"]
    write(root, ".git", "gitdir: " + random.choice(places) + "\n")


class Changing:
    """Files that change while they are read: their texts, their kinds, their being there."""

    def __init__(self, root, random):
        self.root, self.stop = root / "changing", threading.Event()
        self.random = type(random)(random.random())
        self.root.mkdir()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.stop.wait(0.002):
            path = self.root / f"c{self.random.randrange(6)}.py"
            try:
                kind = self.random.randrange(5)
                if kind < 2:
                    path.write_text("def changing(): pass\n" * self.random.randrange(3_000))
                elif kind == 2:
                    path.unlink(missing_ok=True)
                elif kind == 3:
                    path.unlink(missing_ok=True)
                    path.symlink_to("/etc/passwd")
                else:
                    os.truncate(path, 3)
            except OSError:
                pass
            time.sleep(0)

    def end(self):
        self.stop.set()
        self.thread.join()


PARTS = [odd_names, encodings, controls, links_and_pipes, huge_line, repeated_token, many_files, deep, notebooks, own_folder, ignore_files, attributes,
         project_files, bundle, secrets, data, binary, identifiers, real_git, git_programs, git_broken, git_elsewhere, Changing]


def make(root, random, parts):
    """Fills a directory; returns the names of its parts, and what goes on changing it."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    write(pathlib.Path(root), "honest.py", "def honest_function():\n    return 1\n")
    going_on = []
    for part in parts:
        try:
            made = part(root, random)
        except FileExistsError:
            # Two parts want the same name.
            made = None
        if part is Changing:
            going_on.append(Changing(root, random) if made is None else made)
    return [it.__name__ for it in parts], going_on
