#!/usr/bin/env python3
"""Collects pairs of texts and code from the sources in sources.tsv, by the chunker of this project.

    train/terms/collect.py --evaluate target/release/foreword-evaluate --mirrors DIR --packages DIR --out DIR

One gzip file of JSON lines a source, written at once: a run that was stopped goes on where it was. A source whose
licence is not permissive, or that exclude.txt names, is left out, and the log says why.
"""

import argparse
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
PERMISSIVE = re.compile(
    r"\b(MIT|BSD|Apache|ISC|PSF|Python Software Foundation|Zlib|Unlicense|0BSD|CC0|BSL-1\.0|Boost|HPND|Vim|Public Domain)\b",
    re.IGNORECASE,
)
COPYLEFT = re.compile(r"\b(A?GPL|LGPL|GNU (Affero|General|Lesser)|SSPL|BUSL|Business Source)", re.IGNORECASE)


def main():
    args = arguments()
    args.out.mkdir(parents=True, exist_ok=True)
    excluded = set()
    for line in (HERE / "exclude.txt").read_text().splitlines():
        excluded.update(it.lower() for it in line.split() if not line.startswith("#"))
    for kind, name, version, path in sources(args):
        target = args.out / f"{kind}.{name.replace('/', '+')}.gz"
        if target.exists() or name.lower() in excluded:
            continue
        licence = licence_of(kind, path)
        if not PERMISSIVE.search(licence) or COPYLEFT.search(licence):
            print(f"left out: {kind} {name}: licence {licence[:60]!r}", flush=True)
            continue
        rows = collect(args, kind, name, version, path, target)
        print(f"{rows}\t{kind}\t{name}\t{version}\t{licence.strip().splitlines()[0][:40]}", flush=True)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evaluate", type=Path, required=True, help="the program foreword-evaluate")
    parser.add_argument("--sources", type=Path, default=HERE / "sources.tsv", help="kind, name and version of each")
    parser.add_argument("--mirrors", type=Path, help="bare repositories, at owner+name/repo")
    parser.add_argument("--packages", type=Path, action="append", default=[], help="wheels, tarballs and crates")
    parser.add_argument("--commits", type=int, default=400, help="how many commits of a repository are read")
    parser.add_argument("--seconds", type=int, default=120, help="the most that one source may take")
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args()


def sources(args):
    """(kind, name, version, path) of what is there: repositories of sources.tsv, then packages in order of names."""
    pinned = {}
    for line in args.sources.read_text().splitlines():
        if line and not line.startswith("#"):
            kind, name, version = line.split("\t")[:3]
            pinned[kind, name] = version
    for (kind, name), version in pinned.items():
        path = args.mirrors and args.mirrors / name.replace("/", "+") / "repo"
        if kind == "git" and path and path.is_dir():
            yield kind, name, version, path
    for folder in args.packages:
        for path in sorted(folder.iterdir()):
            if found := package(path):
                yield (*found, path)


def package(path):
    """(kind, name, version) of a file or folder of packages."""
    if path.suffix == ".whl":
        name, version = path.name.split("-")[:2]
        return "pypi", name.replace("_", "-"), version
    if path.suffix == ".tgz":
        name, version = re.fullmatch(r"(.+?)-(\d.*)\.tgz", path.name).groups()
        return "npm", name, version
    if path.is_dir() and (path / "Cargo.toml").is_file():
        found = re.fullmatch(r"(.+?)-(\d.*)", path.name)
        return ("crate", *found.groups()) if found else None
    if path.is_dir() and (path / "debian" / "copyright").is_file():
        name, _, version = path.name.rpartition("-")
        return "debian", name, version
    return None


def licence_of(kind, path):
    """What a source says of its licence: a name, or the beginning of its text."""
    if kind == "git":
        names = git(path, "ls-tree", "--name-only", "HEAD").splitlines()
        found = [it for it in names if re.match(r"(?i)(licen[cs]e|copying|unlicense)", it)]
        text = "\n".join(git(path, "show", f"HEAD:{it}")[:1500] for it in found)
        return text if PERMISSIVE.search(text) or COPYLEFT.search(text) else terms_of(text)
    if kind == "pypi":
        with zipfile.ZipFile(path) as wheel:
            meta = next(it for it in wheel.namelist() if it.endswith(".dist-info/METADATA"))
            lines = wheel.read(meta).decode(errors="replace").split("\n\n")[0].splitlines()
        said = [it for it in lines if it.startswith(("License:", "License-Expression:", "Classifier: License"))]
        return " ".join(said)[:300]
    if kind == "npm":
        with tarfile.open(path) as archive:
            names = [it for it in archive.getnames() if it.count("/") == 1 and it.endswith("/package.json")]
            manifest = json.load(archive.extractfile(names[0])) if names else {}
        return str(manifest.get("license"))
    if kind == "crate":
        manifest = tomllib.loads((path / "Cargo.toml").read_text())
        return str(manifest["package"].get("license", ""))
    if kind == "debian":
        text = (path / "debian" / "copyright").read_text(errors="replace")
        return " ".join(re.findall(r"^License:.*", text, re.MULTILINE)[:1])
    return ""


def terms_of(text):
    """The name of a licence whose text does not say it."""
    marks = {
        "MIT": "Permission is hereby granted, free of charge",
        "BSD": "Redistribution and use in source and binary forms",
        "ISC": "Permission to use, copy, modify, and",
        "Unlicense": "free and unencumbered software",
    }
    joined = " ".join(text.split())
    return next((name for name, mark in marks.items() if mark in joined), "unknown")


def git(path, *args):
    done = subprocess.run(["git", "--git-dir", path, *args], capture_output=True, check=False)
    return done.stdout.decode(errors="replace")


def collect(args, kind, name, version, path, target):
    """Writes the pairs of a source; how many there are."""
    command = [args.evaluate, "pairs", "--print", "terms", "--name", f"{kind}:{name}"]
    with tempfile.TemporaryDirectory() as unpacked:
        if kind == "git":
            command += ["--git-dir", path, "--rev", version, "--commits", str(args.commits)]
        else:
            command += ["--dir", unpack(kind, path, Path(unpacked) / "code")]
        environment = os.environ | {"RAYON_NUM_THREADS": "1"}
        printed = Path(unpacked) / "printed"
        with printed.open("wb") as out:
            try:
                done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, env=environment,
                                      timeout=args.seconds, check=False)
                if done.returncode:
                    print(f"failed: {kind} {name}: {done.stderr[-200:]!r}", file=sys.stderr, flush=True)
            except subprocess.TimeoutExpired:
                # Doc comments come first, then commits from the last one back: what is there is good.
                print(f"cut after {args.seconds} s: {kind} {name}", flush=True)
        rows = printed.read_bytes()
        rows = rows[: rows.rfind(b"\n") + 1]
    part = target.with_suffix(".part")
    with gzip.open(part, "wb", compresslevel=1) as out:
        out.write(rows)
    part.rename(target)
    return rows.count(b"\n")


def unpack(kind, path, folder):
    """The directory with a package's code."""
    if kind == "pypi":
        with zipfile.ZipFile(path) as wheel:
            wheel.extractall(folder, [it for it in wheel.namelist() if it.endswith((".py", ".pyi", ".js", ".ts"))])
        return folder
    if kind == "npm":
        with tarfile.open(path) as archive:
            archive.extractall(folder, filter="data")
        return folder
    # A crate may lie in a folder that ignore files hide.
    shutil.copytree(path, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.o", "*.a", "*.rlib"))
    return folder


if __name__ == "__main__":
    main()
