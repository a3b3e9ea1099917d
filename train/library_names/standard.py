"""Prints the names of standard libraries that at least two of the given repositories use, for
crates/engine/src/speculate/validate/standard.txt; those of library.txt are left out.

Usage: standard.py SOURCES GIT_DIR... > standard.txt

SOURCES has a folder for each language, named as in DECLARED, with the sources of its standard library, its headers, type
declarations or pages; README.md says where they are from. Python's names are those of the interpreter that runs this. A
repository uses a name if it is in the code of the same language, or in one whose libraries it shares.
"""

import builtins
import collections
import importlib
import inspect
import pathlib
import re
import subprocess
import sys
import warnings

# Endings of the sources, and what stands before a declared name.
DECLARED = {
    "c": (".h", [rb"\b([A-Za-z]\w+) ?\(", rb"#\s*define\s+([A-Za-z]\w+)", rb"struct ([A-Za-z]\w+)", rb"\b(\w+_t)\b"]),
    "cpp": ("", [rb"\b([A-Za-z]\w+)\(", rb"(?:class|struct) ([A-Za-z]\w+)"]),
    "csharp": (".cs", [rb"public [^;{=(]*?(\w+)(?:<[^>]*>)? ?[({;]", rb"(?:class|struct|interface|enum) (\w+)"]),
    "ecmascript": (
        ".d.ts",
        [
            rb"^\s*(?:readonly |static )?(\w+)\??(?:<[^>]*>)?[(:]",
            rb"(?:function|interface|class|const|let|var|type|namespace) (\w+)",
        ],
    ),
    "elixir": (".ex", [rb"^\s*def(?:macro|guard|delegate)? (\w+[?!]?)"]),
    "go": (".txt", [rb"(?:func|type|const|var) ([A-Z]\w*)", rb"^pkg [^,]+, method \([^)]*\) (\w+)", rb"struct, (\w+)"]),
    "haskell": (".hs", [rb"^([a-z]\w*)\s+::", rb"(?:data|newtype|class|type) (\w+)"]),
    "java": (
        ".java",
        [
            rb"(?:public|protected|default|abstract|static)\s[\w<>\[\], .?&@]*?(\w+)\s*\(",
            rb"(?:class|interface|record|enum) (\w+)",
            rb"^    [\w<>\[\], .?]+ (\w+)\([^)]*\)[^;{]*;",
            rb"static final \w+ (\w+)",
        ],
    ),
    "kotlin": (
        ".kt",
        [rb"fun (?:<[^>]*> )?(?:[\w<>?, .]+\.)?(\w+)\(", rb"(?:class|interface|object|va[lr]) (?:[\w<>?, ]+\.)?(\w+)"],
    ),
    "php": (
        ".php",
        [rb"function &?(\w+)", rb"(?:class|interface|const) (\w+)", rb"define\('(\w+)'"],
    ),
    "ruby": (
        ".rbs",
        [
            rb"def (?:self\.|self\?\.)?([a-z_]\w*[?!]?)",
            rb"alias (?:self\.)?([a-z_]\w*[?!]?)",
            rb"(?:class|module) (?:\w+::)*(\w+)",
        ],
    ),
    "rust": (".html", [rb'id="(?:ty)?method\.(\w+)"']),
    "scala": (".scala", [rb"(?:def|class|trait|object) (\w+)"]),
    "swift": (".swift", [rb"(?:public|open).*?(?:func|var|let|class|struct|enum|protocol|typealias) (\w+)"]),
}
ENDINGS = {
    "c": "c h",
    "cpp": "cc cpp hpp cxx",
    "csharp": "cs",
    "ecmascript": "ts tsx js jsx mjs cjs vue",
    "elixir": "ex exs",
    "go": "go",
    "haskell": "hs",
    "java": "java",
    "kotlin": "kt kts",
    "php": "php",
    "python": "py",
    "ruby": "rb rake",
    "rust": "rs",
    "scala": "scala",
    "swift": "swift",
}
SHARED = {"kotlin": ["java"], "scala": ["java"], "cpp": ["c"]}
NAME = re.compile(rb"[A-Za-z_][A-Za-z0-9_]{2,39}[?!]?")
FEWEST_REPOSITORIES = 2


def declared(folder, ending, patterns):
    found = set()
    for path in folder.rglob("*"):
        if path.is_file() and path.name.endswith(ending):
            text = path.read_bytes()
            for pattern in patterns:
                found.update(re.findall(pattern, text, re.MULTILINE))
            if ending == ".html":
                found.update(re.findall(rb"(?:fn|struct|macro|trait|enum)\.(\w+)\.html", text))
    return found


def of_python():
    warnings.simplefilter("ignore")
    modules = [builtins]
    for name in sorted(sys.stdlib_module_names):
        if not name.startswith("_") and name not in ("antigravity", "this", "idlelib", "turtledemo"):
            try:
                modules.append(importlib.import_module(name))
            except Exception:  # not on this system
                pass
    members = [(name, getattr(module, name, None)) for module in modules for name in dir(module)]
    found = {name for name, _ in members}.union(*(dir(it) for _, it in members if inspect.isclass(it)))
    return {name.encode() for name in found if not name.startswith("_")}


def git(directory, *arguments, given=None):
    command = ["git", "--git-dir", directory, *arguments]
    return subprocess.run(command, input=given, capture_output=True, check=True).stdout


def used(directory, known):
    objects = collections.defaultdict(list)
    by_ending = {ending: language for language, all in ENDINGS.items() for ending in all.split()}
    for entry in git(directory, "ls-tree", "-r", "-z", "HEAD").split(b"\0"):
        meta, _, path = entry.partition(b"\t")
        language = by_ending.get(path.rsplit(b".", 1)[-1].decode("latin-1"))
        if meta.startswith(b"100") and language:
            objects[language].append(meta.split()[2])
    found = set()
    for language, all in objects.items():
        texts = git(directory, "cat-file", "--batch", given=b"".join(it + b"\n" for it in all))
        words = set(NAME.findall(texts))
        words |= {it.rstrip(b"?!") for it in words}
        found |= words & known[language]
    return found


sources = pathlib.Path(sys.argv[1])
known = {language: declared(sources / language, *how) for language, how in DECLARED.items()}
known["python"] = of_python()
for language, others in SHARED.items():
    known[language] = known[language].union(*(known[it] for it in others))
counts = collections.Counter()
for directory in sys.argv[2:]:
    counts.update(used(directory, known))
library = pathlib.Path(__file__).parent.parent.parent / "crates/engine/src/speculate/validate/library.txt"
listed = set(library.read_bytes().split())
for name in sorted(name for name, n in counts.items() if n >= FEWEST_REPOSITORIES and name not in listed):
    print(name.decode())
