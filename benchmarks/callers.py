#!/usr/bin/env python3
"""Callers of definitions against a compiler's own: how many rows are right, how many are found.

Usage: callers.py truth ROOT OUT [--definitions N]      (Python, by jedi, which must be installed)
       callers.py score PROGRAM ROOT TRUTH [--definitions N] [--wrong]

A truth file is a list of {path, line, name, callers: [[path, line]], unknown: [[path, line]]}; `unknown` are calls of the
name that the analyser could not resolve, which count neither as right nor as wrong. `callers/uses.go` and
`callers/uses.mjs` print such lists for Go and TypeScript, by the types of their compilers. Of the sample, half are
definitions whose name is common: shared with another definition, or a method's name in many libraries.
"""

import argparse
import ast
import json
import random
import re
import subprocess
from collections import Counter
from pathlib import Path

COMMON = set("open close get run write add read send set pop update start stop name handle load parse format".split())
SUFFIXES, SKIPPED = {".py", ".go", ".ts", ".tsx", ".js", ".mjs"}, {"node_modules", "vendor", "dist", ".git"}


def texts(root):
    for path in sorted(Path(root).rglob("*")):
        if path.suffix in SUFFIXES and not SKIPPED & set(path.parts) and path.is_file():
            yield str(path.relative_to(root)), path.read_text(errors="replace").splitlines()


def called(files, name):
    """The baseline: every line with `name(` that does not define it."""
    call = re.compile(rf"\b{re.escape(name)}\(")
    defines = re.compile(rf"^\s*(async )?(def|class|func|function)\b.*?\b{re.escape(name)}\(")
    for path, lines in files.items():
        for number, line in enumerate(lines, 1):
            if (found := call.search(line)) and not defines.search(line):
                yield path, number, found.start()


def sample(found, files, most):
    """A fixed sample: half of common names, all called somewhere."""
    counts = Counter(it["name"] for it in found)
    is_test = re.compile(r"(^|/)(__tests__|tests?|examples?|docs|benchmarks)/|_test\.|\.(test|spec)\.")
    found = [it for it in found if not re.match(r"__|[Tt]est|main$|init$", it["name"])]
    found = sorted((it for it in found if not is_test.search(it["path"])), key=lambda it: (it["path"], it["line"]))
    is_common = lambda it: it["name"].lower() in COMMON or counts[it["name"]] > 1
    random.Random(1).shuffle(found)
    res = []
    for wanted in (True, False):
        some = (it for it in found if is_common(it) == wanted and any(called(files, it["name"])))
        res += [it for it, _ in zip(some, range(most // 2), strict=False)]
    return res


def truth(root, most):
    import jedi

    files = dict(texts(root))
    found = []
    for path, lines in files.items():
        is_function = lambda it: isinstance(it, ast.FunctionDef | ast.AsyncFunctionDef)
        for it in filter(is_function, ast.walk(ast.parse("\n".join(lines)))):
            line = next(n for n in range(it.lineno, len(lines) + 1) if re.search(rf"def\s+{it.name}\b", lines[n - 1]))
            found.append({"path": path, "line": line, "name": it.name})
    scripts = {}
    project = jedi.Project(root, smart_sys_path=True, added_sys_path=[root, f"{root}/src"])

    def script(path):
        if path not in scripts:
            scripts[path] = jedi.Script(path=f"{root}/{path}", project=project)
        return scripts[path]

    res = sample(found, files, most)
    for it in res:
        column = re.search(rf"def\s+({it['name']})\b", files[it["path"]][it["line"] - 1]).start(1)
        try:
            own = script(it["path"]).get_references(it["line"], column)
        except Exception:  # jedi fails on some code
            continue
        places = {(str(Path(use.module_path).relative_to(root)), use.line) for use in own if not use.is_definition()}
        rows = list(called(files, it["name"]))
        it["callers"] = [[path, line] for path, line, _ in rows if (path, line) in places]
        it["unknown"] = []
        for path, line, at in rows[:400]:
            if (path, line) not in places:
                try:
                    leads = script(path).goto(line, at, follow_imports=True)
                except Exception:
                    leads = []
                it["unknown"] += [] if leads else [[path, line]]
    return [it for it in res if "callers" in it]


def asked(program, root, it):
    """The rows for a definition, as (path, line) with "sure" or "possible"."""

    def ask(name):
        command = [program, "-C", root, "--here", "symbols", name, "--json", "-k", "100000"]
        return json.loads(subprocess.run(command, capture_output=True, check=False).stdout)

    found = ask(it["name"])["definitions"]
    holds = [d for d in found if d["path"] == it["path"] and d["start_line"] <= it["line"] <= d["end_line"]]
    if not holds:
        return None
    symbol = min(holds, key=lambda d: d["end_line"] - d["start_line"])["symbol"]
    stem = it["path"].rsplit("/", 1)[-1].split(".")[0]
    place = it["path"].rpartition("/")[0].replace("/", ".")
    answer = ask(f"{place}.{stem}.{symbol}".replace("-", "_"))
    return [
        ((use["path"], use["line"]), use.get("match", "sure")) for use in answer["references"] if use["kind"] == "call"
    ]


def score(program, root, found, most, wrong):
    files = dict(texts(root))
    shown, n, calls = {it: [0, 0] for it in ("grep", "sure", "sure+possible")}, 0, 0
    for it in sample(found, files, most):
        rows = asked(program, root, it)
        if rows is None:
            continue
        true = {tuple(row) for row in it["callers"]}
        unknown = {tuple(row) for row in it.get("unknown", [])}
        sets = {"grep": {row[:2] for row in called(files, it["name"])}}
        # Decorators and the like are no lines of the truth.
        rows = [row for row in rows if row[0] in sets["grep"] | true]
        sets |= {"sure": {row for row, match in rows if match == "sure"}, "sure+possible": {row for row, _ in rows}}
        n, calls = n + 1, calls + len(true)
        for key, rows in sets.items():
            shown[key][0] += len(rows & true)
            shown[key][1] += len(rows - true - unknown)
        if wrong:
            print(it["path"], it["line"], it["name"])
            print("  FALSE", sorted(sets["sure"] - true - unknown)[:8], "\n  LOST ", sorted(true - sets["sure"])[:8])
    for key, (right, false) in shown.items():
        print(f"{Path(root).name:16} {n:3} {calls:5} {key:14} p {right / max(1, right + false):.3f} r {right / max(1, calls):.3f}")


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("command", choices=["truth", "score"])
parser.add_argument("paths", nargs="+")
parser.add_argument("--definitions", type=int, default=60)
parser.add_argument("--wrong", action="store_true")
args = parser.parse_args()
if args.command == "truth":
    Path(args.paths[1]).write_text(json.dumps(truth(str(Path(args.paths[0]).resolve()), args.definitions)))
else:
    program, root, path = args.paths
    score(program, str(Path(root).resolve()), json.loads(Path(path).read_text()), args.definitions, args.wrong)
