#!/usr/bin/env python3
"""Writes the licences of everything that is linked into a package, with their texts, as Markdown on stdout.

Usage: packages/third_party.py [PACKAGE [TARGET]], by default of `foreword` for x86_64-unknown-linux-gnu. Whether the
licences are permitted is checked by `cargo deny` (deny.toml); this collects what has to go with the binary. It reads
the sources that cargo has downloaded and asks no network. It fails when a crate states no licence.
"""

import json
import pathlib
import subprocess
import sys

# Crates that are only built with, but whose data is in the binary: the vocabularies.
DATA = {"bpe-openai"}

# What files with licences are called.
NAMES = ("license", "licence", "copying", "notice", "unlicense", "copyright")

# What such a file may be at the most: some crates name a directory of a few sources like one.
MOST_BYTES = 100_000


def metadata(target):
    command = ["cargo", "metadata", "--format-version=1", "--locked", "--filter-platform", target]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def linked(graph, root):
    """The ids of the packages that `root` is linked with."""
    nodes = {it["id"]: it for it in graph["resolve"]["nodes"]}
    packages = {it["id"]: it for it in graph["packages"]}

    def is_linked(dependency):
        kinds = {it["kind"] for it in dependency["dep_kinds"]}
        return None in kinds or packages[dependency["pkg"]]["name"] in DATA

    def is_macro(identity):
        return any("proc-macro" in it["kind"] for it in packages[identity]["targets"])

    found, left = set(), [next(it["id"] for it in graph["packages"] if it["name"] == root)]
    while left:
        identity = left.pop()
        if identity in found or is_macro(identity):
            continue
        found.add(identity)
        left += [it["pkg"] for it in nodes[identity]["deps"] if is_linked(it)]
    return [packages[it] for it in found]


def texts(package):
    """The texts of the licence files of a package, by name."""
    folder = pathlib.Path(package["manifest_path"]).parent
    files = [it for it in folder.iterdir() if it.name.lower().startswith(NAMES) and it.is_file()]
    # A crate can name a file anywhere.
    if package["license_file"]:
        files.append(folder / package["license_file"])
    files = sorted({it.resolve() for it in files if it.suffix.lower() in ("", ".md", ".txt") or it.suffix[1:].isupper()})
    read = [it.read_text(encoding="utf-8", errors="replace") for it in files if it.stat().st_size < MOST_BYTES]
    return ["\n".join(line.rstrip() for line in it.strip().splitlines()) for it in read]


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "foreword"
    target = sys.argv[2] if len(sys.argv) > 2 else "x86_64-unknown-linux-gnu"
    packages = [it for it in linked(metadata(target), root) if it["source"]]
    packages.sort(key=lambda it: (it["name"], it["version"]))
    unnamed = [it["name"] for it in packages if not it["license"] and not it["license_file"]]
    if unnamed:
        sys.exit(f"no licence is stated by {', '.join(unnamed)}")
    print(f"# What is in {root}, and its licences\n\n{len(packages)} packages for {target}.\n")
    print("| package | version | licence | from |\n|---|---|---|---|")
    for it in packages:
        print(f"| {it['name']} | {it['version']} | {it['license'] or 'see its text'} | {it['repository'] or ''} |")
    users = {}
    for it in packages:
        for text in texts(it):
            users.setdefault(text, []).append(f"{it['name']} {it['version']}")
    bare = [f"{it['name']} ({', '.join(it['authors']) or 'authors not named'})" for it in packages if not texts(it)]
    if bare:
        print(f"\nWithout a file of their own, under the standard text of the licence named above: {'; '.join(bare)}.")
    for text, names in users.items():
        print(f"\n## {', '.join(names)}\n\n```text\n{text.replace('```', chr(39) * 3)}\n```")


if __name__ == "__main__":
    main()
