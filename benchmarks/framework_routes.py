#!/usr/bin/env python3
"""Addresses in calls and the routes that answer them, as `foreword symbols --at` answers.

Usage: framework_routes.py PROGRAM BEFORE [--misses FILE] ROOT…

As framework_names.py, with the same columns. The truth is read without the program: Python's `ast` for Django, Flask and
FastAPI with the imports that lead from a mount to its routes, blocks counted by brackets or by `do` and `end` for the
others, each route as a regular expression over whole addresses. A route whose prefix the truth does not know, and an
address before which a base address stands, are compared by their ends, if these have a word in common. The baseline is
the first line, by path, outside of the place's own file that has the longest word of the address behind a slash or a quote.
"""

import ast
import posixpath
import re
from collections import defaultdict

from framework_names import first_line, laravel_routes, measure, rails_routes

VALUE = "\x01"
VERBS = ("get", "post", "put", "patch", "delete")
TESTS = re.compile(r"(^|/)(tests?|spec|specs|__tests__|e2e|cypress|[\w.]*[-_.]tests?|[\w.]*Tests?)/|[._-](test|spec|cy)\.\w+$|(^|/)test_\w+\.py$|_test\.go$|Tests?\.(php|java|cs|kt)$|_(test|spec)\.rb$")


class Route:
    """A route: methods (none for any), a pattern of segments, where it stands, and whether something unknown may stand before it."""

    def __init__(self, methods, path, file, lines, is_open=False, is_regex=False):
        self.methods, self.file, self.lines, self.is_open = {it.lower() for it in methods}, file, lines, is_open
        self.path = path
        expression = path.strip("/") if is_regex else "/".join(segment(it) for it in path.split("/") if it)
        self.words = [it for it in (re.sub(r"\(\?P<\w+>.*?\)|\\\w", "*", path).split("/") if is_regex else path.split("/")) if re.fullmatch(r"[\w.~-]+", it)]
        try:
            self.expression = re.compile(expression.replace("/(/[^/]+)?", "(/[^/]+)?"), re.I)
        except re.error:
            self.expression = re.compile("(?!)")


def segment(it):
    """The expression of a segment of a path."""
    if re.fullmatch(r"\*\w*|\{\*{1,2}\w+\}|\{\w+:path\}|<path:\w+>|\{\.\.\.\w+\}", it):
        return ".*"
    if re.fullmatch(r"\{\w+\?\}|:\w+\?|\{\w+=\w+\}", it):
        return "(/[^/]+)?"
    parts = re.split(r"(<[^>]+>|\{[^}]+\}|(?<![\w)]):\w+(?:\([^)]*\))?|(?<=[\w)]):\w+(?=$|[.-]))", it)
    return "".join("[^/]+" if n % 2 else re.escape(part) for n, part in enumerate(parts))


def line_at(text, at):
    return text.count("\n", 0, at) + 1


# Python.

def module_files(repository, module):
    ends = [module.replace(".", "/") + it for it in (".py", "/__init__.py")]
    return [it for it in repository.python if any(it == end or it.endswith("/" + end) for end in ends)]


def imports_of(repository, path):
    """By local name the file and the name there (none for the module itself)."""
    found = {}
    for node in ast.walk(repository.trees[path]):
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                base = posixpath.dirname(path)
                for _ in range(node.level - 1):
                    base = posixpath.dirname(base)
                module = ".".join(it for it in (base.replace("/", "."), module) if it)
            for it in node.names:
                whole = f"{module}.{it.name}" if module else it.name
                here = it.asname or it.name
                modules = module_files(repository, whole)
                found[here] = (modules[0], None) if modules else (module_files(repository, module)[:1] or [None])[0] and (module_files(repository, module)[0], it.name)
    return {name: it for name, it in found.items() if it}


def string_of(node):
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def keyword(call, *names):
    return next((it.value for it in call.keywords if it.arg in names), None)


def python_routes(repository):
    repository.python = [it for it in repository.files if it.endswith(".py")]
    repository.trees = {}
    for path in repository.python:
        text = repository.text(path)
        if not re.search(r"urlpatterns|Router\(|\.(route|get|post)\(|Blueprint\(|Namespace\(|include_router|register_blueprint|^from|^import", text, re.M):
            continue
        try:
            repository.trees[path] = ast.parse(text)
        except (SyntaxError, ValueError):
            pass
    return django_routes(repository) + decorated_routes(repository)


def django_routes(repository):
    lists, registered, roots = {}, defaultdict(list), []
    for path, tree in repository.trees.items():
        if TESTS.search(path):
            continue
        for node in ast.walk(tree):
            if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and node.value is not None:
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    if isinstance(target, ast.Name):
                        lists.setdefault((path, target.id), []).append(node.value)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "register" and isinstance(node.func.value, ast.Name) and node.args:
                own = string_of(node.args[0])
                if own is not None:
                    registered[path, node.func.value.id].append((own, node))
    found = []

    def calls(node):
        """The calls of `path` in a list, without those in other calls."""
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in ("path", "re_path", "url"):
            yield node
            return
        for it in ast.iter_child_nodes(node):
            yield from calls(it)

    def walk(path, name, prefix, depth):
        for value in lists.get((path, name), []):
            walk_list(path, value, prefix, depth)

    def walk_list(path, value, prefix, depth):
        if depth > 8:
            return
        for it in ast.walk(value):
            if isinstance(it, ast.Attribute) and it.attr == "urls" and isinstance(it.value, ast.Name) and (path, it.value.id) in registered:
                parents = [call for call in calls(value) if any(it is node for node in ast.walk(call))]
                if not parents:
                    include(path, it, prefix, depth)
        for call in calls(value):
            own = string_of(call.args[0]) if call.args else None
            if call.args and isinstance(call.args[0], ast.Name):
                own = ""
            if call.args and isinstance(call.args[0], ast.JoinedStr):
                own = ".*".join(string_of(it) or "" for it in call.args[0].values) if getattr(call.func, "id", "") != "path" else "".join(string_of(it) or "" for it in call.args[0].values)
            if own is None or len(call.args) < 2 and not call.keywords:
                continue
            is_regex = getattr(call.func, "id", getattr(call.func, "attr", "")) != "path"
            text = re.sub(r"^\^|\$$|\\Z$", "", own) if is_regex else "/".join(segment(it) for it in own.split("/")).replace(".*", ".+")
            whole = prefix + text
            target = call.args[1] if len(call.args) > 1 else None
            if isinstance(target, ast.Call) and getattr(target.func, "id", getattr(target.func, "attr", "")) == "include" and target.args:
                include(path, target.args[0], whole, depth)
            elif isinstance(target, ast.Tuple) or isinstance(target, ast.List):
                walk_list(path, target, whole, depth + 1)
            else:
                found.append(Route((), whole, path, {call.lineno, call.args[0].lineno}, is_regex=True))

    def include(path, target, prefix, depth):
        target = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
        module = string_of(target)
        if module:
            for file in module_files(repository, module)[:1]:
                walk(file, "urlpatterns", prefix, depth + 1)
        elif isinstance(target, ast.Name):
            if (path, target.id) in lists:
                walk(path, target.id, prefix, depth + 1)
            else:
                file, name = imports_of(repository, path).get(target.id, (None, None))
                if file:
                        walk(file, name or "urlpatterns", prefix, depth + 1)
        elif isinstance(target, ast.List):
            walk_list(path, target, prefix, depth + 1)
        elif isinstance(target, ast.Attribute) and target.attr == "urls" and isinstance(target.value, ast.Name):
            key = (path, target.value.id)
            if key not in registered:
                file, name = imports_of(repository, path).get(target.value.id, (None, None))
                key = (file, name)
            for own, node in registered.get(key, []):
                for end in ("/", "/[^/]+/", r"/[^/]+/\w+/", r"/\w+/"):
                    found.append(Route((), prefix + own + end, key[0], {node.lineno, node.args[0].lineno}, is_regex=True))

    confs = [it for it in repository.trees if (it, "urlpatterns") in lists]
    settings = [it for it in repository.trees if "settings" in it and not TESTS.search(it)]
    named = [found.group(1) for it in settings for found in [re.search(r"""ROOT_URLCONF\s*=\s*["']([\w.]+)""", repository.text(it))] if found]
    for module in named:
        roots += module_files(repository, module)
    for path in dict.fromkeys(roots):
        walk(path, "urlpatterns", "", 0)
    if not roots:
        for path in confs:
            walk(path, "urlpatterns", "", 1)
    return found


MAKERS = ("APIRouter", "Blueprint", "Namespace", "APIBlueprint", "Api", "FastAPI", "Flask", "Starlette")


def decorated_routes(repository):
    routers, mounts, routes = {}, [], []
    resources = []
    for path, tree in repository.trees.items():
        if TESTS.search(path):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("add_resource", "add_url_rule", "add_api_route"):
                resources += [Route((), string_of(it), path, {node.lineno, it.lineno}, True) for it in node.args if string_of(it) is not None]
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Call):
                maker = getattr(node.value.func, "id", getattr(node.value.func, "attr", ""))
                if maker in MAKERS or maker.endswith(("Router", "Blueprint")):
                    prefix = string_of(keyword(node.value, "prefix", "url_prefix")) or ""
                    parent = node.value.args[0].id if maker == "Api" and node.value.args and isinstance(node.value.args[0], ast.Name) else None
                    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                        name = getattr(target, "id", getattr(target, "attr", None))
                        routers[path, name] = (prefix, parent, maker in ("FastAPI", "Flask", "Starlette"))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("include_router", "register_blueprint", "add_namespace", "mount") and node.args:
                owner = getattr(node.func.value, "id", getattr(node.func.value, "attr", None))
                prefix = string_of(keyword(node, "prefix", "url_prefix", "path"))
                strings = [string_of(it) for it in node.args if string_of(it) is not None]
                target = next((it for it in node.args if isinstance(it, (ast.Name, ast.Attribute))), None)
                if target is not None:
                    mounts.append((path, owner, prefix if prefix is not None else strings[0] if strings else "", target, node.func.attr == "register_blueprint" and prefix is not None))
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                for it in node.decorator_list:
                    if not (isinstance(it, ast.Call) and isinstance(it.func, ast.Attribute) and it.func.attr in (*VERBS, "route", "api_route", "head", "options", "websocket")):
                        continue
                    own = string_of(it.args[0]) if it.args else string_of(keyword(it, "path"))
                    methods = [it.func.attr] if it.func.attr in VERBS else []
                    listed = keyword(it, "methods")
                    if isinstance(listed, (ast.List, ast.Tuple)):
                        methods = [string_of(each) or "" for each in listed.elts]
                    owner = getattr(it.func.value, "id", getattr(it.func.value, "attr", None))
                    if own is not None and owner:
                        first = min(each.lineno for each in node.decorator_list)
                        routes.append((path, owner, own, methods, set(range(first, node.lineno + 1))))
    imported = {path: imports_of(repository, path) for path in {it[0] for it in mounts}}

    def target_of(path, node, depth=0):
        names = []
        while isinstance(node, ast.Attribute):
            names.insert(0, node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        return follow(path, [node.id, *names], depth)

    def follow(path, names, depth):
        if (path, names[0]) in routers:
            return path, names[0]
        if depth > 5 or path not in repository.trees:
            return None
        file, name = imported.setdefault(path, imports_of(repository, path)).get(names[0], (None, None))
        if not file:
            return None
        rest = [name, *names[1:]] if name else names[1:]
        return follow(file, rest, depth + 1) if rest else None

    ways = defaultdict(list)
    for path, owner, prefix, target, instead in mounts:
        to = target_of(path, target)
        if to:
            ways[to].append((path, owner, prefix, instead))

    def before(key, depth=0):
        own, parent, is_root = routers.get(key, ("", None, False))
        if is_root or depth > 8:
            return [("", False)]
        if parent:
            return [(it + "/" + own, is_open) for it, is_open in before((key[0], parent), depth + 1)]
        found = [(f"{base}/{prefix}/{'' if instead else own}", is_open) for path, owner, prefix, instead in ways[key] for base, is_open in before((path, owner), depth + 1)]
        return found or [(own, True)]

    return resources + [Route(methods, f"{base}/{own}", path, lines, is_open) for path, owner, own, methods, lines in routes for base, is_open in before((path, owner))]


# Scripts.

def script_routes(repository):
    files = [it for it in repository.files if re.search(r"\.(js|ts|mjs|cjs|tsx)$", it) and not TESTS.search(it) and not re.search(r"\.d\.ts$|(^|/)(static/codefixes|docs|examples?)/", it)]
    own, mounts = [], defaultdict(list)
    known = set(files)

    def resolve(path, module):
        base = posixpath.normpath(posixpath.join(posixpath.dirname(path), module)) if module.startswith(".") else module.lstrip("@~/")
        for end in ("", ".ts", ".js", "/index.ts", "/index.js", ".mjs"):
            hit = base + end
            if hit in known:
                return hit
            if not module.startswith("."):
                hits = [it for it in files if it.endswith("/" + hit)]
                if hits:
                    return hits[0]
        return None

    for path in files:
        text = repository.text(path)
        if not re.search(r"express|outer|fastify|koa", text):
            continue
        imported = dict(re.findall(r"import\s+(\w+)[^'\"\n;]*from\s*['\"]([^'\"]+)['\"]", text))
        imported.update(re.findall(r"(\w+)\s*=\s*require\(\s*['\"]([^'\"]+)['\"]", text))
        for names, module in re.findall(r"import\s*(?:type\s*)?\{([^}]*)\}\s*from\s*['\"]([^'\"]+)['\"]", text):
            imported.update((it.split(" as ")[-1].strip(), module) for it in names.split(","))
        prefix = re.search(r"new \w*Router\(\{\s*prefix:\s*['\"`]([^'\"`]+)", text)
        prefix = prefix.group(1) if prefix else ""
        routers = set(re.findall(r"(\w+)(?:\s*:\s*[\w.<>]+)?\s*=\s*(?:new\s+)?(?:express\(|express\.Router\(|\w*Router\(|fastify\(|Fastify\()", text))
        roots = set(re.findall(r"(\w+)\s*=\s*(?:express\(|fastify\(|Fastify\()", text))
        is_router = lambda it: it in routers or re.search(r"(app|router|routes?|fastify)s?$", it, re.I)
        for it in re.finditer(r"\b(\w+)\s*\.\s*(get|post|put|patch|delete|all)(?:<[^()]*?>)?\(\s*(['\"`])([^'\"`\n]*)\3\s*,", text):
            if is_router(it.group(1)):
                own.append((path, prefix, it.group(2), it.group(4), {line_at(text, it.start(4)), line_at(text, it.start())}, it.group(1) in roots))
        for it in re.finditer(r"\b(\w+)\s*\.route\(\s*(['\"`])([^'\"`\n]*)\2\s*\)((?:\s*(?://[^\n]*)?\s*\.(?:get|post|put|patch|delete|all)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+)", text):
            for verb in re.findall(r"\.(get|post|put|patch|delete|all)\(", it.group(4)):
                own.append((path, prefix, verb, it.group(3), {line_at(text, it.start(3))}, it.group(1) in roots))
        for it in re.finditer(r"\b(\w+)\s*\.\s*(?:use|route|register)\(\s*(?:(['\"`])([^'\"`\n]*)\2\s*,)?([^;\n]*)", text):
            rest = it.group(4)
            module = re.findall(r"require\(\s*['\"]([^'\"]+)", rest)
            words = [word for word in re.findall(r"\b\w+\b", rest) if word in imported]
            target = resolve(path, module[-1]) if module else resolve(path, imported[words[-1]]) if words else None
            if is_router(it.group(1)) and target and target != path:
                mounts[target].append((path, prefix + "/" + (it.group(3) or ""), it.group(1) in roots))
        for it in re.finditer(r"path:\s*['\"](/[^'\"]*)['\"],\s*route:\s*(\w+)", text):
            target = resolve(path, imported.get(it.group(2), "-"))
            if target:
                mounts[target].append((path, it.group(1), False))

    def before(path, depth=0):
        if depth > 6 or not mounts[path]:
            return [("", True)]
        return [(f"{base}/{prefix}", not is_root and is_open) for other, prefix, is_root in mounts[path] for base, is_open in ([("", False)] if is_root else before(other, depth + 1))]

    found = []
    for path, prefix, verb, own_path, lines, is_root in own:
        for base, is_open in [("", False)] if is_root else before(path):
            found.append(Route([] if verb == "all" else [verb], f"{base}/{prefix}/{own_path}", path, lines, is_open))
    return found + nest_routes(repository)


def nest_routes(repository):
    found = []
    for path in (it for it in repository.files if it.endswith(".ts") and not TESTS.search(it)):
        text = repository.text(path)
        controllers = list(re.finditer(r"@Controller\(\s*(?:\{[^}]*path:\s*)?(?:['\"]([^'\"]*)['\"])?", text))
        for it in re.finditer(r"@(Get|Post|Put|Patch|Delete)\(\s*(?:['\"]([^'\"]*)['\"])?\s*\)", text):
            around = [each for each in controllers if each.start() < it.start()]
            if around:
                name = re.compile(r"^\s*(?:public |private )?(?:async )?(\w+)\(", re.M).search(text, it.end())
                last = line_at(text, name.start(1)) if name else line_at(text, it.end())
                start = text.rfind("\n\n", 0, it.start())
                found.append(Route([it.group(1)], f"{around[-1].group(1) or ''}/{it.group(2) or ''}", path, set(range(line_at(text, start + 2), last + 1)), True))
    return found


def page_routes(repository):
    found = []
    for path in repository.files:
        it = re.search(r"(?:^|/)(?:app/(?P<app>.*)route|pages/(?P<pages>api/.*)|routes/(?P<kit>.*)\+server)\.(?:ts|js|tsx)$", path)
        if not it or TESTS.search(path):
            continue
        inner = it.group("app") or it.group("pages") or it.group("kit") or ""
        parts = [part for part in inner.split("/") if part and part != "index" and not re.match(r"[(@]", part)]
        parts = [re.sub(r"\[{1,2}\.\.\.\w+\]{1,2}", "*", part) for part in parts]
        parts = [re.sub(r"\[{1,2}([\w-]+)(=\w+)?\]{1,2}", "{x}", part) for part in parts]
        lines = {1} | {number for number, line in enumerate(repository.text(path).split("\n"), 1) if re.match(r"export .*\b(GET|POST|PUT|PATCH|DELETE)\b", line)}
        found.append(Route([], "/".join(parts), path, lines))
    return found


# PHP.

def php_routes(repository):
    bases = {}
    for path in (it for it in repository.files if re.search(r"(Provider|bootstrap/app|routes/\w+)\.php$", it)):
        for statement in repository.text(path).split(";"):
            it = re.search(r"(?:group|loadRoutesFrom)\((?:.*?)['\"/](routes/[\w/.-]+\.php)['\"]", statement, re.S)
            if it:
                prefixes = re.findall(r"prefix\(\s*['\"]([^'\"]*)['\"]|'prefix'\s*=>\s*['\"]([^'\"]*)['\"]", statement)
                bases[it.group(1)] = "/".join(a or b for a, b in prefixes)
    found = []
    for methods, whole, path, line in laravel_routes(repository)[1]:
        if re.search(r"(^|/)routes/.*\.php$", path):
            known = [base for end, base in bases.items() if path.endswith(end)]
            base = known[0] if known else "api" if path.endswith("routes/api.php") else ""
            found.append(Route(methods, f"{base}/{whole}", path, {line}, not known and not path.endswith(("routes/web.php", "routes/api.php"))))
    return found


# Ruby.

def rails_paths(repository):
    return [Route(*it) for it in rails_routes(repository)[1]]


# Java, C#.

def annotated_routes(repository):
    found, classes, methods = [], {}, []
    for path in (it for it in repository.files if re.search(r"\.(java|kt|cs)$", it)):
        text = repository.text(path)
        if not re.search(r"Mapping\(|\[Http|\[Route", text) and not re.search(r"class \w+Controller", text):
            continue
        code = re.sub(r"(?m)^[ \t]*(//|\*|/\*).*$", lambda it: " " * len(it.group()), text)
        is_sharp = path.endswith(".cs")
        mark = r"\[(Route|Http(?:Get|Post|Put|Patch|Delete))(?:\(((?:\"[^\"]*\"|[^)\]])*)\))?[^\]]*\]" if is_sharp else r"@(RequestMapping|(?:Get|Post|Put|Patch|Delete)Mapping)\b(?:\(((?:[^()]|\([^()]*\))*)\))?"
        declared = r"\b(?:class|interface)\s+(\w+)([^{;]*)|^[ \t]+(?![@\[])[^\n(){};=]*?\b(\w+)[ \t]*\("
        events = sorted([(it.start(), 0, it) for it in re.finditer(mark, code)] + [(it.start(), 1, it) for it in re.finditer(declared, code, re.M)], key=lambda it: it[0])
        waiting, current = [], None
        for at, kind, it in events:
            if kind == 0:
                waiting.append(it)
            elif it.group(1):
                own = [string for each in waiting if each.group(1) in ("Route", "RequestMapping") for string in re.findall(r'"([^"]*)"', re.sub(r"\b(?!value|path)\w+\s*=\s*(\{[^}]*\}|\"[^\"]*\")", "", each.group(2) or ""))]
                unknown = any(each.group(2) and not re.search(r'"', each.group(2)) and re.search(r"[A-Z]\w*\.?[A-Z_]", each.group(2)) for each in waiting)
                current = it.group(1)
                bases = re.findall(r"\w+", it.group(2))
                classes[current] = (own[0] if own else None, bases, unknown)
                waiting = []
            elif waiting and current and it.group(3) not in ("if", "for", "while", "switch", "return", "new", "catch"):
                verbs = [each.group(1).lower().replace("http", "").replace("mapping", "") for each in waiting]
                methods_of = [verb for verb in verbs if verb in VERBS]
                for each in waiting:
                    methods_of += [word.lower() for word in re.findall(r"RequestMethod\.(\w+)", each.group(2) or "")]
                strings = [string for each in waiting for string in re.findall(r'"([^"]*)"', re.sub(r"\b(?!value|path)\w+\s*=\s*(\{[^}]*\}|\"[^\"]*\"|[\w.]+)", "", each.group(2) or ""))]
                # A mark in the middle of a line belongs to a parameter.
                lines = set(range(line_at(code, max(code.rfind("\n\n", 0, waiting[0].start()), 0)), line_at(code, it.end()) + 1))
                methods.append((path, current, it.group(3), methods_of, strings or [""], lines))
                waiting = []
            else:
                waiting = waiting if it.group(3) and not code[:at].endswith("\n") else []
    for path, name, method, verbs, strings, lines in methods:
        own, bases, unknown = classes[name]
        for base in bases:
            if own is None and base != name and base in classes and classes[base][0] is not None:
                own = classes[base][0]
        fill = lambda it: (it or "").replace("[controller]", re.sub("Controller$", "", name)).replace("[action]", method)
        for string in strings:
            is_whole = path.endswith(".cs") and string.startswith(("/", "~"))
            found.append(Route(verbs, string.lstrip("~") if is_whole else f"{fill(own)}/{fill(string)}", path, lines, unknown))
    for path in (it for it in repository.files if it.endswith(".cs")):
        text = repository.text(path)
        groups = dict(re.findall(r'(\w+)\s*=\s*\w+\.MapGroup\("([^"]*)"', text))
        for it in re.finditer(r'(\w+)\.Map(Get|Post|Put|Patch|Delete)\(\s*"([^"]*)"', text):
            found.append(Route([it.group(2)], f"{groups.get(it.group(1), '')}/{it.group(3)}", path, {line_at(text, it.start(3))}, it.group(1) not in groups and it.group(1) != "app"))
    return found


# Go.

def go_routes(repository):
    found = []
    for path in (it for it in repository.files if it.endswith(".go") and not it.endswith("_test.go")):
        text = re.sub(r"(?m)^[ \t]*//.*$", lambda it: " " * len(it.group()), repository.text(path))
        if not re.search(r"Handle|\.(GET|POST|PUT|PATCH|DELETE|Get|Post|Put|Patch|Delete|Route|Group)\(\s*\"", text):
            continue
        groups, stack, depth = {}, [], 0
        pattern = r'(?P<to>\w+)\s*:?=\s*(?P<of>\w+)\.(?:Group|PathPrefix)\(\s*"(?P<group>[^"]*)"|(?P<on>\w+)\.(?P<verb>GET|POST|PUT|PATCH|DELETE|Get|Post|Put|Patch|Delete|HandleFunc|Handle|Any)\(\s*"(?P<path>[^"]*)"\s*,\s*(?P<next>.)|\.Route\(\s*"(?P<inner>[^"]*)"\s*,\s*func|\.Group\(\s*"(?P<chained>[^"]*)"[^\n;]*?\)\.(?P<verb2>GET|POST|PUT|PATCH|DELETE)\(\s*"(?P<path2>[^"]*)"|(?P<func>^func )|(?P<open>\{)|(?P<close>\})'
        for it in re.finditer(pattern, text, re.M):
            if it.group("func"):
                groups, stack, depth = {}, [], 0
            elif it.group("to"):
                groups[it.group("to")] = groups.get(it.group("of"), "") + "/" + it.group("group")
            elif it.group("inner") is not None:
                stack.append((depth, it.group("inner")))
            elif it.group("chained") is not None:
                found.append(Route([it.group("verb2")], f"{it.group('chained')}/{it.group('path2')}", path, {line_at(text, it.start("path2"))}, True))
            elif it.group("open"):
                depth += 1
            elif it.group("close"):
                depth -= 1
                while stack and stack[-1][0] >= depth:
                    stack.pop()
            elif it.group("next") != '"' and it.group("on") not in ("http", "client", "req", "cache", "store", "c"):
                own, verb = it.group("path"), it.group("verb")
                methods = [verb] if verb.lower() in VERBS else re.findall(r'^\w+', own) if " " in own else re.findall(r'Methods\(\s*(?:"|http\.Method)(\w+)', re.split(r"\n\s*\w+\.Handle", text[it.end():it.end() + 300])[0])
                whole = groups.get(it.group("on"), "") + "/" + "/".join(each[1] for each in stack) + "/" + own.split(" ")[-1]
                found.append(Route(methods, whole, path, {line_at(text, it.start("path"))}, True))
    return found


def routes_of(repository):
    if "routes" not in repository.__dict__:
        repository.routes = [it for read in (python_routes, script_routes, page_routes, php_routes, rails_paths, annotated_routes, go_routes) for it in read(repository)]
    return repository.routes


# Addresses.

CALLS = [
    ("scripts: `fetch`, `axios.get`, …", r"\.(js|ts|tsx|jsx|vue|svelte)$", False,
     r"(?:\bfetch|\baxios|\$fetch|useFetch|useSWR|\b\w*(?:http|[aA]pi|axios|[cC]lient|request|\$)\w*\.\$?(?P<verb>get|post|put|patch|delete))(?:<[^()\n]*?>)?\(\s*(?P<base>[\w.]+\s*\+\s*)?(?P<quote>[`'\"])(?P<path>[^`'\"\n]+)(?P=quote)"),
    ("tests of scripts", r"\.(js|ts|tsx)$", True,
     r"(?:\)|\b(?:server|request|agent|api|client|supertest|app))\s*\.(?P<verb>get|post|put|patch|delete)(?:<[^()\n]*?>)?\(\s*(?P<quote>[`'\"])(?P<path>/[^`'\"\n]*)(?P=quote)"),
    ("tests of Python", r"\.py$", True,
     r"\b\w*(?:client|session|user|admin|app|api|http)\w*\.(?P<verb>get|post|put|patch|delete)\(\s*f?(?P<quote>[\"'])(?P<path>/[^\"'\n]*)(?P=quote)"),
    ("tests of PHP", r"\.php$", True,
     r"->(?P<verb>get|post|put|patch|delete)(?:Json|As)?\(\s*(?P<quote>[\"'])(?P<path>/?[a-z][^\"'\n]*|/)(?P=quote)"),
    ("tests of Rails", r"\.rb$", True,
     r"(?<![\w.:])(?P<verb>get|post|put|patch|delete)[ (](?P<quote>[\"'])(?P<path>/[^\"'\n]*)(?P=quote)"),
    ("tests of Java", r"\.(java|kt)$", True,
     r"(?<![\w])(?P<verb>get|post|put|patch|delete)\(\s*(?P<quote>\")(?P<path>/[^\"\n]*)\""),
    ("tests of Go", r"_test\.go$", True,
     r"(?:Method|\")(?P<verb>GET|POST|PUT|PATCH|DELETE|Get|Post|Put|Patch|Delete)\"?\s*,\s*(?P<quote>[\"`])(?P<path>/[^\"`\n]*)(?P=quote)"),
    ("tests of C#", r"\.cs$", True,
     r"\.(?P<verb>Get|Post|Put|Patch|Delete)\w*Async(?:<[^()\n]*?>)?\(\s*\$?(?P<quote>\")(?P<path>/?[A-Za-z][^\"\n]*)\""),
]


def address(text, it):
    """The segments of an address with values as marks, whether something unknown stands before it, and its method."""
    path = it.group("path")
    path = re.sub(r"\$\{(?:[^{}]|\{[^{}]*\})*\}|#\{[^}]*\}|\{[^}]*\}|\$\w+(?:->\w+)*|%[sdv]", VALUE, path)
    rest, at = text[it.end():it.end() + 200], 0
    for more in re.finditer(r"\s*[+.]\s*([^+,;\n)]*?(?:\([^)]*\))?[^+,;\n)]*?)(?:\s*[+.]\s*(['\"`])([^'\"`\n]*)\2|(?=[,;)\n]))", rest):
        if more.start() != at:
            break
        path += VALUE + (re.sub(r"\$\{[^}]*\}", VALUE, more.group(3)) if more.group(3) else "")
        at = more.end()
    whole = path.split("?")[0].split("#")[0]
    own = re.match(r"https?://(?:localhost|127\.0\.0\.1|testserver|test)[^/]*", whole)
    if "://" in whole and not own:
        return None
    whole = whole[own.end():] if own else whole
    is_open = not whole.startswith("/") or bool(it.groupdict().get("base"))
    whole = re.sub(rf"^{VALUE}+", "", whole)
    verb = it.group("verb")
    if not verb:
        named = re.search(r"method:\s*['\"](\w+)", rest.split("fetch")[0])
        verb = named.group(1) if named else None
    return (whole.strip("/"), is_open, verb.lower() if verb else None) if not re.search(r"[\s<>\\]", whole) else None


def answering(repository, whole, is_open, verb):
    """The routes that answer an address, those with the most words first."""
    tries = [whole] + ([whole.rstrip(VALUE)] if re.search(rf"\w{VALUE}$", whole) else [])
    fits = lambda it: not verb or not it.methods or verb in it.methods or verb == "head"
    best, found = None, []
    for url in tries:
        parts = url.split("/") if url else []
        for it in routes_of(repository):
            if not fits(it):
                continue
            rank = None
            if it.expression.fullmatch(url) or it.expression.fullmatch(url + "/") :
                if it.words or not (it.is_open or is_open):
                    rank = (not it.words, 0, it.is_open, -len(it.words))
            elif it.words and it.is_open:
                heads = [n for n in range(1, min(4, len(parts))) if it.expression.fullmatch("/".join(parts[n:])) or it.expression.fullmatch("/".join(parts[n:]) + "/")]
                rank = (False, heads[0], True, -len(it.words)) if heads else None
            if rank is None and is_open and it.words:
                own = [part for part in it.path.split("/") if part]
                for n in range(1, min(4, len(own))):
                    tail = Route((), "/".join(own[n:]), "", ())
                    if tail.words and (tail.expression.fullmatch(url)):
                        rank = (False, n, it.is_open, -len(it.words))
                        break
            if rank is not None:
                if best is None or rank < best:
                    best, found = rank, []
                if rank == best:
                    found.append(it)
    return [(it.file, line) for it in found for line in it.lines]


def places(repository):
    found = defaultdict(list)
    for relation, files, is_test, pattern in CALLS:
        for path in (it for it in repository.files if re.search(files, it) and bool(TESTS.search(it)) == is_test):
            text = repository.text(path)
            # Tests that declare routes of their own mean those.
            if is_test and re.search(r"urlpatterns|@\w+\.(?:get|post|put|patch|delete|route)\(|Route\(|\bexpress\(\)|\.register\(|\.(?:GET|POST|HandleFunc)\(\"", text):
                continue
            for it in re.finditer(pattern, text):
                own = address(text, it)
                if not own or not re.search(r"[a-z]", own[0], re.I):
                    continue
                start = it.start("path")
                # What a tool has written on one line is not in the index.
                if text.find("\n", start) - text.rfind("\n", 0, start) > 400:
                    continue
                # The program is asked at the last word of the first part.
                word = list(re.finditer(r"[A-Za-z]\w*", re.split(r"[$#]?\{|[?]", it.group("path"))[0]))
                if not word:
                    continue
                at = start + word[-1].end() - 1
                line, column = line_at(text, at), at - text.rfind("\n", 0, at)
                found[relation].append((path, line, column, own[0], start, lambda it, *_, own=own: answering(it, *own)))
    return found


def grep(repository, name, path, _line):
    words = [it for it in re.split(rf"[/{VALUE}]", name) if re.search(r"[a-z]", it, re.I)]
    pattern = rf"[/'\"`]{re.escape(max(words, key=len, default=''))}\b"
    return first_line(repository, pattern, lambda other, _: other != path) if words else None


if __name__ == "__main__":
    measure(places, grep)
