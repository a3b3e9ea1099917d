#!/usr/bin/env python3
"""Definitions and uses as `foreword symbols` answers them, against a SCIP index of the same files.

Usage: precise.py score PROGRAM ROOT INDEX [--names N] [--wrong OUT]     one line of counts, as JSON
       precise.py table FILE…                                           the lines of several files, as tables
       precise.py causes OUT…                                           wrong definitions of uses, by what is used and how

A SCIP index comes from a compiler or type checker: scip-python, scip-typescript, scip-go. A definition counts if its name
stands at its range; a use counts if its definition counts, and not where it is imported. The share of the other uses of
the project's own symbols is reported. The names are a fixed sample, half of them defined more than once.

Definition of a use: the first that `symbols --at PATH:LINE:COLUMN` lists, at most 600 places a repository. Where
the compiler names several (members of the types of a union, an interface and a constant of one name) each is right. What a Python
stub (`.pyi`) declares and a module defines are one. The baselines are the first that `symbols NAME` lists and the
first definition of the index by path and line. Uses of a definition: `symbols PATH.NAME`, against every other line with
the word (grep). Reads and writes without a call are uses, too. A row at which
the index says nothing of the word, or names something without a definition, is neither right nor wrong.
"""

import argparse
import json
import random
import re
import subprocess
from collections import Counter, defaultdict
from pathlib import Path

LANGUAGES = {"py": "python", "pyi": "python", "go": "go", "ts": "typescript", "tsx": "typescript", "js": "javascript"}
MOST_SITES = 600
WORD = re.compile(r"\w+")


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """The fields of a message as (number, value): an int or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            size, at = (8, at) if key & 7 == 1 else (4, at) if key & 7 == 5 else varint(data, at)
            value, at = data[at : at + size], at + size
        yield key >> 3, value


def packed(data):
    at, res = 0, []
    while at < len(data):
        value, at = varint(data, at)
        res.append(value)
    return res


def occurrence(data):
    """Its line (from 0), first and last column, symbol and roles."""
    line = first = last = roles = 0
    symbol = ""
    for number, value in fields(data):
        if number == 1:
            place = packed(value)
            line, first, last = place[0], place[1], place[-1] if len(place) == 3 or place[0] == place[2] else 0
        elif number == 8:
            place = dict(fields(value))
            line, first, last = place.get(1, 0), place.get(2, 0), place.get(3, 0)
        elif number == 2:
            symbol = value.decode()
        elif number == 3:
            roles = value
    return line, first, last, symbol, roles


def documents(path):
    for number, value in fields(Path(path).read_bytes()):
        if number == 2:
            parts = list(fields(value))
            yield next(v for n, v in parts if n == 1).decode(), [occurrence(v) for n, v in parts if n == 2]


def normal(symbol):
    """scip-python names definitions by their path (`src.flask.app`) and uses by their module (`flask.app`)."""
    return symbol.replace("`src.", "`", 1)


def descriptor(symbol):
    """The name and suffix of a symbol's last descriptor."""
    found = re.search(r"(`(?:[^`]|``)*`|[\w$+-]+)(#|\.|\(\+?\w*\)\.)$", symbol)
    return (found[1].strip("`"), found[2][-2:]) if found else (None, None)


class Truth:
    def __init__(self, root, index):
        self.lines, self.definitions, self.uses = {}, defaultdict(list), defaultdict(list)
        self.own_uses = self.dropped = 0
        # Where the index says what a word is; elsewhere a row is neither right nor wrong.
        self.said = set()
        known, seen = [], set()
        for path, occurrences in documents(index):
            # scip-go describes files of Go's cache, too.
            if path.startswith("..") or not (root / path).is_file() or path in seen:
                continue
            seen.add(path)
            self.lines[path] = (root / path).read_text(errors="replace").split("\n")
            known.append((path, occurrences))
        for path, occurrences in known:
            for line, first, last, symbol, roles in occurrences:
                name, _ = descriptor(symbol)
                if roles & 1 and name and self.word(path, line, first, last) == name:
                    self.definitions[normal(symbol)].append((path, line + 1))
        packages = Counter(symbol.split()[2] for symbol in self.definitions)
        for path, occurrences in known:
            imports = self.imports(path)
            for line, first, last, symbol, roles in occurrences:
                if symbol.startswith("local ") or roles & 1 or line in imports:
                    continue
                is_known = normal(symbol) in self.definitions
                word = self.word(path, line, first, last)
                if self.is_definition(path, line, word):
                    continue  # An overload: scip-python calls it a use of the last one.
                if is_known or symbol.split()[2] not in packages:
                    self.said.add((path, line + 1, word))
                if symbol.split()[2] in packages and descriptor(symbol)[0]:
                    self.own_uses += 1
                    self.dropped += not is_known
                if is_known and word == descriptor(symbol)[0]:
                    self.uses[normal(symbol)].append((path, line + 1, first))

    def word(self, path, line, first, last):
        """The text of a range; its columns are UTF-16 in all three indexers but scip-go, and few lines differ."""
        text = self.lines[path][line] if line < len(self.lines[path]) else ""
        return text[first:last]

    def is_definition(self, path, line, word):
        return bool(re.match(rf"\s*(async\s+)?(def|class)\s+{re.escape(word)}\b", self.lines[path][line]))

    def imports(self, path):
        """Numbers of the lines of imports, from 0."""
        found, inside = set(), False
        for number, line in enumerate(self.lines[path]):
            begins = re.match(r"\s*(from\s+\S+\s+import\b|import\b|export\b.*\bfrom\b|export\s*\{)", line)
            if begins or inside:
                found.add(number)
                opened = line.count("(") + line.count("{") - line.count(")") - line.count("}")
                inside = opened > 0 if begins else opened >= 0 and not re.match(r"\s*[)}]", line)
        return found


def holds_stub(key, place, symbol):
    """Whether a definition has a place. What a stub (`.pyi`) declares is right where a module defines it: the last
    names are equal, of a member the last two."""
    (path, first, last, dotted), (true_path, line) = key, place
    if path == true_path or not (true_path.endswith(".pyi") and path.endswith(".py")):
        return path == true_path and first <= line <= last and line - first < 12
    own = dotted.split(".")[-2:]
    return own == last_names(symbol)[-len(own) :]


def last_names(symbol):
    """The names of a symbol's definition and of what it is in."""
    return [it.strip("`") for it in re.findall(r"`[^`]*`|[\w$+-]+", symbol.rsplit("/", 1)[-1])][-2:]


def twins(truth, symbol):
    """Uses of what stubs declare and modules define under the same names: one thing with two symbols."""
    is_stub = lambda it: truth.definitions[it][0][0].endswith(".pyi")
    same = (it for it in truth.uses if it != symbol and last_names(it) == last_names(symbol))
    return {(p, n) for it in same if is_stub(it) or is_stub(symbol) for p, n, _ in truth.uses[it]}


def ask(program, root, name):
    command = [program, "-C", root, "--here", "--stale", "symbols", name, "--json", "-k", "100000"]
    answer = subprocess.run(command, capture_output=True, check=False).stdout
    return json.loads(answer) if answer else {"definitions": [], "references": []}


def ask_at(program, root, places):
    """The definitions at places, as (path, first line, last line, symbol), and whether they are sure."""
    found = []
    for at in range(0, len(places), 100):
        asked = [it for path, line, column in places[at : at + 100] for it in ("--at", f"{root}/{path}:{line}:{column + 1}")]
        command = [program, "-C", root, "--here", "--stale", "symbols", "--json", *asked]
        answer = json.loads(subprocess.run(command, capture_output=True, check=False).stdout)
        key = lambda it: (it["path"], it["start_line"], it["end_line"], it["symbol"])
        found += [([key(it) for it in place["definitions"]], place["sure"]) for place in answer["places"]]
    return found


def qualified(it):
    stem = it["path"].rsplit("/", 1)[-1].split(".")[0]
    place = it["path"].rpartition("/")[0].replace("/", ".")
    return f"{place}.{stem}.{it['symbol']}".replace("-", "_").lstrip(".")


def sample(truth, most):
    by_name = defaultdict(list)
    for symbol in truth.uses:
        by_name[descriptor(symbol)[0]].append(symbol)
    counts = Counter(descriptor(symbol)[0] for symbol in truth.definitions)
    names = sorted(it for it in by_name if not it.startswith("__"))
    random.Random(1).shuffle(names)
    common = [it for it in names if counts[it] > 1][: most // 2]
    single = [it for it in names if counts[it] == 1][: most - len(common)]
    return [(name, by_name[name]) for name in common + single]


def score(program, root, index, most, wrong):
    subprocess.run([program, "-C", root, "--here", "index"], capture_output=True, check=True)
    truth = Truth(root, index)
    counts, cases, sites = defaultdict(Counter), [], {}
    for name, symbols in sample(truth, most):
        listed = ask(program, root, name)["definitions"]
        rows = {}
        for it in listed[:40]:
            key = (it["path"], it["start_line"], it["end_line"], it["symbol"])
            rows[key] = {(u["path"], u["line"]): u["match"] for u in ask(program, root, qualified(it))["references"]}
        everywhere = {(p, n) for p, lines in truth.lines.items() for n, t in enumerate(lines, 1) if name in t and name in WORD.findall(t)}
        everywhere -= {(p, n + 1) for p in truth.lines for n in truth.imports(p)}
        all_places = {place for symbol in truth.definitions if descriptor(symbol)[0] == name for place in truth.definitions[symbol]}
        for symbol in symbols:
            places = truth.definitions[symbol]
            language = LANGUAGES.get(places[0][0].rsplit(".", 1)[-1], "other")
            holds = lambda key: any(key[0] == p and key[1] <= n <= key[2] and n - key[1] < 12 for p, n in places)
            true_uses = {(p, n) for p, n, _ in truth.uses[symbol]}
            of_twins = twins(truth, symbol)
            own = [key for key in rows if any(holds_stub(key, it, symbol) for it in places) and key[3].rsplit(".", 1)[-1] == name]
            counts[language]["definitions"] += 1
            counts[language]["undefined"] += not own
            called = lambda row: re.search(rf"\b{re.escape(name)}\s*(\[[^\]]*\]|<[^>]*>)?\(", truth.lines[row[0]][row[1] - 1])
            found = {row: match for key in own for row, match in rows[key].items()}
            found = {row: match for row, match in found.items() if row in everywhere and row not in places}
            sets = {
                "sure": {row for row, match in found.items() if match == "sure"},
                "all": set(found),
                "grep": everywhere - all_places,
            }
            for kind, keep in (("uses", lambda row: True), ("calls", called)):
                true = {row for row in true_uses if row in everywhere and keep(row)}
                for key, given in sets.items():
                    given = {row for row in given if keep(row)}
                    counts[language][f"{kind} {key} right"] += len(given & true)
                    counts[language][f"{kind} {key} false"] += len({it for it in given - true - of_twins if (*it, name) in truth.said})
                counts[language][f"{kind} true"] += len(true)
            for row in sorted(it for it in sets["sure"] - true_uses - of_twins if (*it, name) in truth.said)[:3]:
                cases.append(("false use", name, symbol, row, truth.lines[row[0]][row[1] - 1].strip()))
            for row in sorted(true_uses - sets["all"])[:3]:
                cases.append(("lost use", name, symbol, row, truth.lines[row[0]][row[1] - 1].strip()))
            base = sorted(all_places)
            by_list = any(holds(key) for key in list(rows)[:1])
            by_base = [base[:1] == [] or base[0] in places, any(it in places for it in base[:3])]
            for it in truth.uses[symbol]:
                known = sites.get(it, (language, [], False, False, False))
                known[1].append(symbol)
                bases = (by_list, *by_base)
                sites[it] = (*known[:2], *(a or b for a, b in zip(known[2:], bases)))
    sites = sorted(sites.items())
    random.Random(2).shuffle(sites)
    sites = sites[:MOST_SITES]
    answers = ask_at(program, root, [it[0] for it in sites])
    for ((path, line, column), (language, symbols, *baselines)), (listed, sure) in zip(sites, answers):
        is_it = lambda key: any(holds_stub(key, place, it) for it in symbols for place in truth.definitions[it])
        right = [any(is_it(key) for key in listed[:n]) for n in (1, 3)]
        keys = ("first", "three", "list first", "base first", "base three")
        counts[language].update({key: int(it) for key, it in zip(keys, right + baselines)})
        counts[language].update({"sites": 1, "sure sites": int(sure), "sure first": int(sure and right[0])})
        if not right[0]:
            text = truth.lines[path][line - 1].strip()
            cases.append(("definition", descriptor(symbols[0])[0], symbols[0], (path, line, column), text, listed[:1], sure))
    if wrong:
        Path(wrong).write_text("".join(json.dumps(it) + "\n" for it in cases))
    for language, it in counts.items():
        own = {"own uses": truth.own_uses, "dropped": truth.dropped}
        print(json.dumps({"repository": root.name, "language": language, **own, **it}))


def share(a, b):
    shown = f"{a / b:.3f}" if b else "–"
    return "1.00" if shown == "1.000" else shown.removeprefix("0")


def rows_of(groups):
    for label, it in groups:
        right = lambda key: share(it[f"{key} right"], it[f"{key} right"] + it[f"{key} false"])
        found = lambda key: share(it[f"{key} right"], it[f"{key.split()[0]} true"])
        both = lambda key: f"{right(key)} / {found(key)}"
        yield label, it, both


def table(paths):
    lines = [json.loads(line) for path in paths for line in Path(path).read_text().splitlines()]
    lines = [it for it in lines if it.get("sites", 0) >= 30]
    groups = [(f"{it['language']} {it['repository']}", Counter({k: v for k, v in it.items() if isinstance(v, int)})) for it in lines]
    groups.sort(key=lambda it: it[0])
    for language in sorted({it["language"] for it in lines}):
        of = [Counter({k: v for k, v in it.items() if isinstance(v, int)}) for it in lines if it["language"] == language]
        groups.append((f"**{language}**", sum(of, Counter())))
    print("| | sites | without a definition | first | in three | sure: share / right | list's first | baseline's first | in three |")
    print("|---|---|---|---|---|---|---|---|---|")
    for label, it, _ in rows_of(groups):
        shares = [share(it[key], it["sites"]) for key in ("first", "three", "list first", "base first", "base three")]
        shares.insert(2, f"{share(it['sure sites'], it['sites'])} / {share(it['sure first'], it['sure sites'])}")
        print(f"| {label} | {it['sites']} | {share(it['dropped'], it['own uses'])} |", " | ".join(shares), "|")
    print("\n| | definitions | calls | sure | sure and possible | grep | uses | sure | sure and possible | grep |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for label, it, both in rows_of(groups):
        calls, uses = (" | ".join(both(f"{kind} {key}") for key in ("sure", "all", "grep")) for kind in ("calls", "uses"))
        print(f"| {label} | {it['definitions']} | {it['calls true']} | {calls} | {it['uses true']} | {uses} |")


def causes(paths):
    """What is used (a member or not; a type, a function or a value), how (behind a dot, called, as a key), what was said."""
    counts = Counter()
    for path in paths:
        for case in map(json.loads, Path(path).read_text().splitlines()):
            if case[0] != "definition":
                continue
            _, name, symbol, _, text, listed, sure = case
            _, suffix = descriptor(symbol)
            inner = symbol.rsplit("/", 1)[-1].removesuffix("#")
            what = {"#": "type", ").": "function"}.get(suffix, "value")
            before, _, after = text.partition(name)
            how = "called" if re.match(r"\s*(<[^>]*>)?\(", after) else "key" if re.match(r"\s*[:=](?!=)", after) else "read"
            owner = ("member " if "#" in inner else "") + what
            said = "sure" if sure else "possible" if listed else "nothing"
            counts[owner, "behind a dot" if before.rstrip().endswith(".") else "alone", how, said] += 1
    for key, n in counts.most_common(20):
        print(f"{n:6} ", ", ".join(key))


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("command", choices=["score", "table", "causes"])
parser.add_argument("paths", nargs="+")
parser.add_argument("--names", type=int, default=120)
parser.add_argument("--wrong")
args = parser.parse_args()
if args.command == "score":
    program, root, index = args.paths
    score(program, Path(root).resolve(), index, args.names, args.wrong)
elif args.command == "table":
    table(args.paths)
else:
    causes(args.paths)
