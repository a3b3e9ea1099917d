#!/usr/bin/env python3
"""Prepares the repositories of repositories.tsv for `foreword-evaluate pass`, and makes its tasks.

    benchmarks/pass/prepare.py OUT [--git-dirs DIR] [--evaluate PROGRAM] [--limit N] [--repo NAME ...]

Below OUT it makes owner+name/tree (the pinned commit with the packages of its tests, built once), owner+name/tools,
owner+name/environment.toml, git/owner+name/repo (a bare clone; DIR has some already) and tasks.jsonl: up to N functions
of each repository, removed by `foreword-evaluate remove`. Needs git, and for each kind of repository Python, Node with
npm, Go or Rust. It downloads packages and runs their builds: the sandbox is for the tests that `pass` runs later.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def run(*command, **options):
    subprocess.run([str(it) for it in command], check=True, **options)


def said(*command):
    return subprocess.run([str(it) for it in command], check=True, capture_output=True, text=True).stdout.strip()


def outside_of_usr(*paths):
    return [str(it) for it in paths if not str(it).startswith("/usr/") or str(it).startswith("/usr/local/")]


def python(tree, tools, packages):
    run(sys.executable, "-m", "venv", tools / "venv")
    pip = [tools / "venv/bin/python", "-m", "pip", "install", "--quiet"]
    run(*pip, *packages, "--editable", tree)
    base = said(tools / "venv/bin/python", "-c", "import sys; print(sys.base_prefix)")
    return {
        "path": [tools / "venv/bin"],
        "read": outside_of_usr(base),
        "variables": {"PYTHONDONTWRITEBYTECODE": "1"},
    }


def node(tree, _tools, _packages):
    run("npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", cwd=tree)
    program = pathlib.Path(shutil.which("node")).resolve()
    return {"path": [program.parent], "read": outside_of_usr(program), "variables": {}}


def go(tree, tools, _packages):
    root = said("go", "env", "GOROOT")
    cache = tools / "cache"
    # Modules become files of the tree, which the sandbox copies; the build cache is only read there, and is warm.
    run("go", "mod", "vendor", cwd=tree)
    variables = {"GOFLAGS": "-mod=vendor", "GOPROXY": "off", "GOTOOLCHAIN": "local", "CGO_ENABLED": "0"}
    run("go", "test", "-run", "^$", "./...", cwd=tree, env={**os.environ, **variables, "GOCACHE": str(tree / ".cache")})
    return {"path": [f"{root}/bin"], "read": outside_of_usr(root), "variables": {**variables, "GOCACHE": str(tree / ".cache")}}


def rust(tree, tools, _packages):
    root = said("rustc", "--print", "sysroot")
    (tree / ".cargo").mkdir(exist_ok=True)
    configuration = subprocess.run(
        ["cargo", "vendor"], cwd=tree, check=True, capture_output=True, text=True
    ).stdout
    with (tree / ".cargo/config.toml").open("a") as file:
        file.write(configuration)
    variables = {"CARGO_HOME": str(tree / ".cargo/home"), "CARGO_INCREMENTAL": "1", "CARGO_PROFILE_DEV_DEBUG": "0"}
    environment = {**os.environ, **variables, "PATH": f"{root}/bin:{os.environ['PATH']}"}
    environment.pop("CARGO_TARGET_DIR", None)
    run("cargo", "test", "--offline", "--quiet", "--no-run", cwd=tree, env=environment)
    return {"path": [f"{root}/bin"], "read": outside_of_usr(root), "variables": variables}


def written(value):
    """A value in TOML: JSON's strings and lists are TOML's."""
    return json.dumps(value if isinstance(value, str) else [str(it) for it in value])


def prepare(out, row, clone):
    name, commit, kind, tests, packages = row
    home = out / name.replace("/", "+")
    if (home / "environment.toml").is_file():
        return
    shutil.rmtree(home, ignore_errors=True)
    tree, tools = home / "tree", home / "tools"
    tree.mkdir(parents=True)
    archive = subprocess.Popen(["git", "--git-dir", str(clone), "archive", commit], stdout=subprocess.PIPE)
    run("tar", "-x", "-C", tree, stdin=archive.stdout)
    assert archive.wait() == 0, f"{name} has no commit {commit}"
    made = {"python": python, "node": node, "go": go, "rust": rust}[kind](tree, tools, packages.split())
    lines = [f"revision = {written(commit)}", f"test = {written(tests)}"]
    lines += [f"{key} = {written(made[key])}" for key in ("path", "read")]
    # The sandbox reads as a user without rights of its own.
    run("chmod", "-R", "a+rX", home)
    lines += ["[variables]"] + [f"{key} = {written(value)}" for key, value in made["variables"].items()]
    (home / "environment.toml").write_text("\n".join(lines) + "\n")


def cloned(out, name, git_dirs):
    if git_dirs and (known := git_dirs / name.replace("/", "+") / "repo").is_dir():
        return known
    clone = out / "git" / name.replace("/", "+") / "repo"
    if not clone.is_dir():
        run("git", "clone", "--quiet", "--bare", f"https://github.com/{name}", clone)
    return clone


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("out", type=pathlib.Path)
    arguments.add_argument("--git-dirs", type=pathlib.Path)
    arguments.add_argument("--evaluate", default="target/debug/foreword-evaluate")
    arguments.add_argument("--limit", default="12")
    arguments.add_argument("--repo", action="append", default=[])
    given = arguments.parse_args()
    out = given.out.resolve()
    (out / "tasks").mkdir(parents=True, exist_ok=True)
    missing = []
    rows = [it.split("\t") for it in (HERE / "repositories.tsv").read_text().splitlines() if not it.startswith("#")]
    for row in rows:
        if given.repo and row[0] not in given.repo:
            continue
        clone = cloned(out, row[0], given.git_dirs)
        tasks = out / "tasks" / (row[0].replace("/", "+") + ".jsonl")
        try:
            prepare(out, row, clone)
            run(given.evaluate, "remove", "--git-dir", clone, "--repo", row[0], "--rev", row[1], "--limit", given.limit, "--out", tasks)
        except (subprocess.CalledProcessError, OSError) as error:
            missing.append(f"{row[0]}: {error}")
    joined = "".join(it.read_text() for it in sorted((out / "tasks").glob("*.jsonl")))
    (out / "tasks.jsonl").write_text(joined)
    for it in missing:
        print(f"not prepared: {it}", file=sys.stderr)
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
