#!/usr/bin/env python3
"""Files that are definitions (components, templates, controllers), and what leads to them, as `foreword symbols` answers.

Usage: frameworks.py definitions PROGRAM ROOT…    the file first in `symbols --at`, by relation, over the repositories
       frameworks.py uses PROGRAM ROOT…           precision and recall of `symbols NAME` and `symbols --file`, a row each

The truth is found by regular expressions over imports, strings and directories, without the program: an import of
`./X.vue` and a tag `<X>`, `render 'users/form'` and the only file of that path. What is ambiguous is left out. Of each
relation at most 20 places a repository, with other targets as far as there are any. The baseline of definitions is the
first path whose name before its dot is the word, that of uses every line with the word (`git grep -w`).
"""

import json
import posixpath
import random
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

SAMPLE = 20
TARGETS = 25
SCRIPTS = (".vue", ".svelte", ".astro", ".ts", ".js", ".tsx", ".jsx")
COMPONENTS = (".vue", ".svelte", ".astro")
INDEX = ("/index.ts", "/index.js")
IMPORT = re.compile(r"^\s*import (\w+) from ['\"]([^'\"\n]+)['\"]", re.M)
LAZY = re.compile(r"const (\w+) = [^;\n]*?\bimport\(['\"]([^'\"\n]+)['\"]")


class Repository:
    def __init__(self, root):
        self.root = root
        listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True).stdout.split("\n")
        self.files = [it for it in listed if it and Path(root, it).is_file()]
        self.known = set(self.files)
        self.texts = {}

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = Path(self.root, path).read_text(encoding="utf8", errors="replace")
        return self.texts[path]

    def only(self, tail):
        """The only file whose path ends so."""
        found = [it for it in self.files if it == tail or it.endswith("/" + tail)]
        return found[0] if len(found) == 1 else None

    def module(self, path, name, extensions=("",)):
        name = re.sub(r"/index\.(js|ts)$", "", name.split("?")[0])
        if name.startswith("."):
            whole = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
            return next((whole + it for it in extensions if whole + it in self.known), None)
        tail = re.sub(r"^(@@?|~~?|\$lib|\$[a-z]+)/", "", name)
        if tail == name:
            return None
        return next((found for it in extensions if (found := self.only(tail + it))), None)

    def exported(self, index, name):
        """The component that an index file exports under a name."""
        text = self.text(index)
        local = re.search(r"(\w+) as " + name + r"\b", text) or re.search(r"export \{[^}]*\b(" + name + r")\b", text)
        found = local and re.search(r"import " + local.group(1) + r" from ['\"](\.[^'\"]+)", text)
        found = found or re.search(r"export \{ *default as " + name + r" *\} from ['\"](\.[^'\"]+)", text)
        target = found and self.module(index, found.group(1))
        return target if target and target.endswith(COMPONENTS) else None


def kebab(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def components(repository, add):
    for path in (it for it in repository.files if it.endswith(SCRIPTS)):
        text = repository.text(path)
        for found in IMPORT.finditer(text):
            name, module = found.groups()
            target = repository.module(path, module)
            if not target or not target.endswith(COMPONENTS):
                continue
            kind = target.rsplit(".", 1)[1]
            add(f"{kind}: name in an import", path, found.start(1), target, name)
            other = "" if Path(target).stem == name else ", file of another name"
            if tag := re.search(r"<" + name + r"\b(?![.-])", text):
                add(f"{kind}: `<X>`{other}", path, tag.start() + 1, target, name)
            if "-" in kebab(name) and (tag := re.search(r"<" + kebab(name) + r"\b(?!-)", text)):
                add(f"{kind}: `<x-y>`", path, tag.start() + 1, target, name)
            if path.endswith((".ts", ".js")) and (use := re.compile(r"\b" + name + r"\b").search(text, found.end())):
                add(f"{kind}: value in a script", path, use.start(), target, name)
        for space in re.finditer(r"import \* as (\w+) from ['\"]([^'\"\n]+)['\"]", text):
            index = repository.module(path, space.group(2), INDEX)
            tag = index and re.search(r"<" + space.group(1) + r"\.(\w+)", text)
            if tag and (target := repository.exported(index, tag.group(1))):
                add("index files: `<X.Y>`", path, tag.start(1), target, tag.group(1))
        for names in re.finditer(r"import \{([^}]*)\} from ['\"]([^'\"\n]+)['\"]", text):
            index = repository.module(path, names.group(2), INDEX)
            for name in re.findall(r"\b[A-Z]\w+", names.group(1)) if index else ():
                target, tag = repository.exported(index, name), re.search(r"<" + name + r"\b", text)
                if target and tag:
                    add("index files: `<Y>`", path, tag.start() + 1, target, name)


def defaults(repository, add):
    for path in (it for it in repository.files if it.endswith((".tsx", ".ts", ".jsx", ".js"))):
        text = repository.text(path)
        for found in re.finditer(r"^import (\w+) from ['\"](\.[^'\"\n]+)['\"]", text, re.M):
            target = repository.module(path, found.group(2), (".ts", ".tsx", ".js", ".jsx", *INDEX))
            export = target and re.search(r"^export default (.*)", repository.text(target), re.M)
            if not export:
                continue
            named = re.match(r"(async )?(function\*?|(abstract )?class) \w|\w+;?\s*$", export.group(1))
            kind = "default export" if named else "default export without a name"
            if use := re.compile(r"\b" + found.group(1) + r"\b").search(text, found.end()):
                add(kind, path, use.start(), target, found.group(1))


def nuxt(repository, add):
    names = {}
    if not any(Path(it).name.startswith("nuxt.config") for it in repository.files):
        return
    for path in repository.files:
        inner = re.match(r"(?:app/)?components/(.*)\.vue$", path)
        words = []
        for part in inner.group(1).split("/") if inner else ():
            part = re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", re.sub(r"\.(client|server)$", "", part))
            part = [it.lower() for it in part if it.lower() != "index"]
            shared = next((n for n in range(min(len(part), len(words)), 0, -1) if words[-n:] == part[:n]), 0)
            words += part[shared:]
        if words:
            names["".join(words)] = path
    for path in (it for it in repository.files if it.endswith(".vue")):
        text = repository.text(path)
        for tag in re.finditer(r"<([A-Z]\w+)", text):
            target = names.get(tag.group(1).lower())
            if target and not re.search(r"import.*\b" + tag.group(1) + r"\b", text):
                add("Nuxt: `<X>` without an import", path, tag.start(1), target, tag.group(1))


def rails(repository, add):
    views = [it for it in repository.files if "/views/" in "/" + it]
    for path in (it for it in repository.files if it.endswith((".erb", ".rb")) and not re.search("/test|spec/", it)):
        text = repository.text(path)
        controller = re.sub(r".*controllers/(.*)_controller\.rb", r"\1", path) if path.endswith("_controller.rb") else None
        for call in re.finditer(r"\brender\(?\s*(:?partial:? ?(?:=>)?\s*)?['\"]([a-z_0-9/]+)['\"]", text):
            partial = bool(call.group(1)) or path.endswith(".erb")
            directory, base = posixpath.split(call.group(2))
            base = "_" + base if partial else base
            if directory:
                found = [it for it in views if f"/views/{directory}/{base}." in "/" + it]
            elif "/views/" in "/" + path:
                found = [it for it in views if it.startswith(f"{posixpath.dirname(path)}/{base}.")]
            else:
                found = [it for it in views if controller and f"/views/{controller}/{base}." in "/" + it]
            if len(found) == 1:
                add("Rails: `render` of a " + ("partial" if partial else "view"), path, call.end(2) - 1, found[0], call.group(2))
        if path.endswith("config/routes.rb"):
            for action in re.finditer(r"['\"](\w+(?:/\w+)*)#(\w+)['\"]", text):
                target = repository.only(f"controllers/{action.group(1)}_controller.rb")
                if target and re.search(r"def " + action.group(2) + r"\b", repository.text(target)):
                    add("Rails: `'users#show'`", path, action.start(2), target, action.group(2))
            for resource in re.finditer(r"^\s*resources? :(\w+)", text, re.M):
                name = resource.group(1)
                places = [f"app/controllers/{name}{s}_controller.rb" for s in ("", "s")]
                target = repository.only(places[0]) or repository.only(places[1])
                if target:
                    add("Rails: `resources :users`", path, resource.start(1), target, name)


STRINGS = [
    ("Django: template in Python", ".py", r"(?:template\w*\s*=|render\([\w.]+,|get_template\(|render_to_string\(|TemplateResponse\([\w.]+,)\s*['\"]([\w/.-]+\.html)['\"]", ("templates/{}", "jinja2/{}")),
    ("Django: `{% include %}`, `{% extends %}`", ".html", r"\{% *(?:include|extends) +['\"]([^'\"]+\.html)['\"]", ("templates/{}", "jinja2/{}")),
    ("Laravel: `view('a.b')`, `@include`", ".php", r"(?<!->)(?:\bview|\bView::make|@include(?:If|When)?|@extends|@component|@each)\(\s*['\"]([\w.-]+)['\"]", ("views/{/}.blade.php",)),
    ("Laravel: `Inertia::render`", ".php", r"Inertia::render\(\s*['\"]([\w./-]+)['\"]", ("Pages/{}.vue",)),
    ("Spring: name of a view", ".java", r"(?:return |= )\"([a-zA-Z/]+)\";", ("templates/{}.html",)),
]


def strings(repository, add):
    for relation, extension, pattern, places in STRINGS:
        for path in (it for it in repository.files if it.endswith(extension) and not (extension == ".py" and "test" in it)):
            for call in re.finditer(pattern, repository.text(path)):
                name = call.group(1)
                tails = [it.replace("{/}", name.replace(".", "/")).replace("{}", name) for it in places]
                target = next((found for it in tails if (found := repository.only(it))), None)
                if target:
                    add(relation, path, call.end(1) - (6 if name.endswith(".html") else 1), target, name)


def relations(repository):
    """By relation, the places as (path, line, column, target, name)."""
    found = defaultdict(list)

    def add(relation, path, at, target, name):
        text = repository.text(path)
        line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
        found[relation].append((path, line, column, target, name))

    for finder in (components, defaults, nuxt, rails, strings):
        finder(repository, add)
    return found


def ask(program, root, *arguments):
    out = subprocess.run([program, "symbols", *arguments, "--json"], cwd=root, capture_output=True, text=True).stdout
    return json.loads(out) if out.startswith("{") else {"places": [], "references": [], "definitions": []}


def sample(places):
    random.Random(1).shuffle(places)
    seen, first, rest = set(), [], []
    for it in places:
        (rest if it[3] in seen else first).append(it)
        seen.add(it[3])
    return (first + rest)[:SAMPLE]


def definitions(program, roots):
    counts = defaultdict(lambda: [0, 0, 0])
    for root in roots:
        repository = Repository(root)
        for relation, places in relations(repository).items():
            places = sample(places)
            arguments = [word for it in places for word in ("--at", f"{it[0]}:{it[1]}:{it[2]}")]
            for it, answer in zip(places, ask(program, root, *arguments)["places"]):
                word = re.split(r"[./:#]", it[4].removesuffix(".html"))[-1]
                stems = sorted(path for path in repository.files if Path(path).name.split(".")[0].lstrip("_") == word)
                count = counts[relation]
                count[0] += 1
                count[1] += [found["path"] for found in answer["definitions"][:1]] == [it[3]]
                count[2] += stems[:1] == [it[3]]
    for relation, (n, right, stem) in sorted(counts.items()):
        print(f"| {relation} | {n} | {right / n:.2f} | {stem / n:.2f} |")


def component_uses(repository):
    """By component, the lines that use it, without those of imports."""
    uses = defaultdict(set)
    for path in (it for it in repository.files if it.endswith(SCRIPTS)):
        text = re.sub(r"<!--.*?-->|<style.*?</style", lambda it: re.sub(r"[^\n]", " ", it.group(0)), repository.text(path), flags=re.S)
        line = lambda at, text=text: text.count("\n", 0, at) + 1
        bound = {}
        for found in IMPORT.finditer(text):
            bound[found.group(1)] = (repository.module(path, found.group(2)), False)
        for found in re.finditer(r"\bimport\(['\"]([^'\"\n]+)['\"]", text):
            if target := repository.module(path, found.group(1)):
                uses[target].add((path, line(found.start(1))))
        for found in LAZY.finditer(text):
            bound[found.group(1)] = (repository.module(path, found.group(2)), True)
        for space in re.finditer(r"import \* as (\w+) from ['\"]([^'\"\n]+)['\"]", text):
            index = repository.module(path, space.group(2), INDEX)
            for tag in re.finditer(r"<" + space.group(1) + r"\.(\w+)", text) if index else ():
                if target := repository.exported(index, tag.group(1)):
                    uses[target].add((path, line(tag.start())))
        for names in re.finditer(r"import \{([^}]*)\} from ['\"]([^'\"\n]+)['\"]", text):
            index = repository.module(path, names.group(2), ("", *INDEX))
            for name in re.findall(r"\b[A-Z]\w+", names.group(1)) if index else ():
                bound[name] = (repository.exported(index, name), False)
        imports = set()
        for found in re.finditer(r"^\s*(import\s[^;'\"]*['\"][^'\"]+['\"]|export \{[^}]*\} from [^\n]*)", text, re.M):
            imports.update(range(line(found.start(1)), line(found.end()) + 1))
        for name, (target, is_lazy) in bound.items():
            if not target or not target.endswith(COMPONENTS):
                continue
            tag = r"<" + name + r"\b(?![.-])"
            if "-" in kebab(name) and path.endswith(".vue"):
                tag += r"|<" + kebab(name) + r"(?![\w-])"
            value = r"(?<![\w.'\"/<-])(?<!</)" + name + r"\b(?!['\"-]|\s*:|\.(?:vue|svelte|astro))"
            for number, it in enumerate(text.split("\n"), 1):
                if number in imports or re.match(r"\s*(//|\*)", it):
                    continue
                if re.search(tag, it) or not is_lazy and re.search(value, re.sub(r"//.*", "", it)):
                    uses[target].add((path, number))
    return {target: lines for target, lines in uses.items() if target.endswith(COMPONENTS)}


def uses(program, roots):
    for root in roots:
        repository = Repository(root)
        templates = defaultdict(set)
        for relation, places in relations(repository).items():
            if re.match(r"Rails: `render|Django|Laravel|Spring", relation):
                for path, line, _, target, _ in places:
                    templates[target].add((path, line))
        for kind, truth in (("components", component_uses(repository)), ("templates", templates)):
            score(program, repository, kind, truth)


def score(program, repository, kind, truth):
    targets = sorted(it for it in truth if truth[it])
    random.Random(2).shuffle(targets)
    targets = targets[:TARGETS]
    counts = [[0, 0, 0], [0, 0, 0]]
    for target in targets:
        stem = Path(target).name.split(".")[0].lstrip("_")
        if kind == "components" and stem == "index":
            stem = Path(target).parent.name
        right = truth[target]
        if kind == "components":
            answer = ask(program, repository.root, stem, "-k", "5000")
            found = {(it["path"], it["line"]) for it in answer["references"] if it["path"].endswith(SCRIPTS)}
            # Uses of other things of that name are not known here.
            if any(it["path"] != target for it in answer["definitions"]):
                found &= right
        else:
            answer = ask(program, repository.root, "--file", target)
            found = {(it["path"], it["line"]) for it in answer["references"]}
        command = ["git", "-C", repository.root, "grep", "-nwF", stem, "--", *(f"*{it}" for it in endings(kind))]
        lines = subprocess.run(command, capture_output=True, text=True).stdout.split("\n")
        lines = [it.split(":", 2) for it in lines if it.count(":") > 1]
        grep = {(it[0], int(it[1])) for it in lines if not re.match(r"\s*import ", it[2])}
        for count, it in zip(counts, (found, grep)):
            count[0] += len(it & right)
            count[1] += len(it)
            count[2] += len(right)
    if targets:
        cells = " | ".join(f"{hit / max(1, of):.3f} / {hit / max(1, all_):.3f}" for hit, of, all_ in counts)
        print(f"| {Path(repository.root).name}, {kind} | {len(targets)} | {counts[0][2]} | {cells} |", flush=True)


def endings(kind):
    return SCRIPTS if kind == "components" else (".rb", ".erb", ".py", ".html", ".txt", ".php", ".java")


if __name__ == "__main__":
    {"definitions": definitions, "uses": uses}[sys.argv[1]](sys.argv[2], sys.argv[3:])
