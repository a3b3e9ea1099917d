"""Writes a Bloom filter of the names that standard libraries declare, for
crates/engine/src/speculate/validate/standard.bin.

Usage: standard.py SOURCES > standard.bin

SOURCES has a folder for each language, named as in DECLARED, with the sources of its standard library, its headers, type
declarations or pages; README.md says where they are from. Python's names are those of the interpreter that runs this.
"""

import builtins
import importlib
import inspect
import pathlib
import re
import sys
import warnings

# As in crates/engine/src/speculate/validate/library.rs.
BITS = 1_400_000
HASHES = 5

# Shorter names are mostly parameters of what is declared.
FEWEST_LETTERS = 3

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


def mark(filter, language, name):
    """Sets the bits of a name: FNV-1a of `language:name`, and double hashing with its two halves."""
    value = 0xCBF29CE484222325
    for byte in language.encode() + b":" + name:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    low, high = value & 0xFFFFFFFF, value >> 32 | 1
    for i in range(HASHES):
        bit = (low + i * high) % BITS
        filter[bit // 8] |= 1 << bit % 8


sources = pathlib.Path(sys.argv[1])
names = {language: declared(sources / language, *how) for language, how in DECLARED.items()}
names["python"] = of_python()
filter = bytearray(BITS // 8)
for language, all in sorted(names.items()):
    all |= {it.rstrip(b"?!") for it in all}
    all = {it for it in all if len(it) >= FEWEST_LETTERS}
    print(f"{language}: {len(all)} names", file=sys.stderr)
    for name in all:
        mark(filter, language, name)
full = sum(bin(it).count("1") for it in filter) / BITS
print(f"{full:.3f} of the bits, {full**HASHES:.4f} of other names pass", file=sys.stderr)
sys.stdout.buffer.write(filter)
