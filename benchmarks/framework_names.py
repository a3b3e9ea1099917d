#!/usr/bin/env python3
"""What strings name and files declare elsewhere (routes, settings, texts), as `foreword symbols --at` answers.

Usage: framework_names.py PROGRAM BEFORE [--misses FILE] ROOT…

BEFORE is a program without the rules; what both answer where the truth knows nothing is not told by them.

Of each class at most 25 places a repository, with other names as far as there are any, found by regular expressions. The
truth is read without the program: Python's `ast` for Django's routes, PyYAML for YAML, a parser of literals for PHP, JSON
and objects of JavaScript, blocks counted by `do` and `end` with the package `inflection` for the routes of Rails. *Told*:
places with a sure answer; *right*: those of them at which its first definition is on the right line. A place for which the
truth knows nothing and the program does is counted as told and wrong, and written to the file of misses. *Recall*: right
ones of the places for which the truth knows something. The baseline is the first line, by path, that has the name in
quotes (`git grep`), or else its last part in quotes or before a colon, without the lines of the place itself.
"""

import ast
import json
import posixpath
import random
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

SAMPLE = 25
EXCLUDED = re.compile(r"(^|/)(vendor|node_modules|dist|public/(js|build|vendor|assets))/|\.min\.")


class Repository:
    def __init__(self, root):
        self.root = root
        listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True).stdout.split("\n")
        self.files = [it for it in listed if it and Path(root, it).is_file() and not Path(root, it).is_symlink() and not EXCLUDED.search(it)]
        self.texts = {}

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = Path(self.root, path).read_text(encoding="utf8", errors="replace")
        return self.texts[path]


# Nested data: by dotted path the line.

TOKEN = re.compile(r"""\s+|//[^\n]*|/\*.*?\*/|\#[^\n]*|(?P<s>'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`)|(?P<w>[\w$]+)|(?P<o>=>|.)""", re.S)


def literals(text):
    """The keys of PHP's arrays, of JSON and of objects of JavaScript."""
    tokens = []
    for it in TOKEN.finditer(text):
        if it.lastgroup:
            value = it.group()[1:-1] if it.lastgroup == "s" else it.group()
            tokens.append((it.lastgroup, value, it.start()))
    found, stack, key = {}, [], None
    breaks = [it.start() for it in re.finditer("\n", text)]
    import bisect
    for number, (kind, value, at) in enumerate(tokens):
        after = tokens[number + 1][1] if number + 1 < len(tokens) else ""
        if kind in "sw" and after in ("=>", ":") and (kind == "s" or tokens[number + 1][0] == "o"):
            path = [it for it in stack if it] + [value]
            found.setdefault(".".join(path), bisect.bisect(breaks, at) + 1)
            key = value
        elif kind == "o" and value in "[{(":
            stack.append(key if tokens[number - 1][1] in ("=>", ":", "array", "(") or value != "(" else None)
            key = None
        elif kind == "o" and value in "]})":
            if stack:
                stack.pop()
            key = None
        elif kind == "o" and value == ",":
            key = None
        elif kind == "o" and value == "=":
            key = None
    return found


def yaml_keys(text):
    import yaml
    found = {}

    def walk(node, path):
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                name = path + [str(key.value)]
                found.setdefault(".".join(name), key.start_mark.line + 1)
                walk(value, name)
        elif isinstance(node, yaml.SequenceNode):
            for it in node.value:
                walk(it, path)

    try:
        walk(yaml.compose(text, Loader=yaml.CSafeLoader), [])
    except yaml.YAMLError:
        pass
    return found


def keys_of(repository, path):
    cache = repository.__dict__.setdefault("keys", {})
    if path not in cache:
        cache[path] = (yaml_keys if path.endswith((".yml", ".yaml")) else literals)(repository.text(path))
    return cache[path]


ENGLISH = re.compile(r"(^|[/._-])en([_-][A-Za-z]{2,4})?[./]")


def english_first(found):
    best = [it for it in found if ENGLISH.search(it[0])]
    return best or found


# The classes: uses by regular expression, and a function from a use to the lines that declare its name.

def php_keys(directory):
    def truth(repository, path, name, _at):
        space, name = name.split("::") if "::" in name else (None, name)
        found = []
        for file in repository.files:
            inner = re.search(r"(?:^|/)" + directory + r"/(.*)\.php$", file, re.I)
            if not inner or space and space.lower() not in file.lower().replace("-", "").replace("_", "").split("/") and space.lower() not in file.lower().split("/"):
                continue
            own = inner.group(1)
            if directory == "lang":
                own = own.split("/", 1)[-1]
            if name.startswith((own + ".", own.replace("/", ".") + ".")):
                line = keys_of(repository, file).get(name[len(own) + 1:])
                if line:
                    found.append((file, line))
        if directory == "lang":
            for file in repository.files:
                if re.search(r"(?:^|/)lang/([\w-]+/)?[\w-]+\.json$", file):
                    line = keys_of(repository, file).get(name)
                    if line:
                        found.append((file, line))
        return english_first(found) if directory == "lang" else found
    return truth


def django_routes(repository):
    routes, names, spaces, own = [], {}, defaultdict(set), defaultdict(set)
    for path in repository.files:
        if not path.endswith(".py"):
            continue
        text = repository.text(path)
        if "path(" not in text and "url(" not in text:
            continue
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "app_name" and isinstance(node.value, ast.Constant):
                names[path] = node.value.value
            if not isinstance(node, ast.Call):
                continue
            function = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            for keyword in node.keywords:
                if keyword.arg == "name" and function in ("path", "re_path", "url") and isinstance(keyword.value, ast.Constant):
                    routes.append((path, keyword.value.lineno, keyword.value.value))
            if function == "include" and node.args:
                space = next((it.value.value for it in node.keywords if it.arg == "namespace" and isinstance(it.value, ast.Constant)), None)
                module = node.args[0]
                if isinstance(module, ast.Tuple) and len(module.elts) > 1:
                    space = space or getattr(module.elts[1], "value", None)
                    module = module.elts[0]
                if isinstance(module, ast.Constant) and isinstance(module.value, str) and space:
                    spaces[module.value.replace(".", "/")].add(space)
                if isinstance(module, ast.Name) and space:
                    own[path].add(space)
    return routes, names, spaces, own


def django(repository, path, name, _at):
    if "django" not in repository.__dict__:
        repository.django = django_routes(repository)
    routes, names, spaces, in_file = repository.django
    space, name = name.rsplit(":", 1) if ":" in name else (None, name)
    space = space and space.split(":")[-1]
    found = []
    for file, line, own in routes:
        if own != name:
            continue
        module = re.sub(r"(/__init__)?\.py$", "", file)
        theirs = {names[file]} if file in names else set()
        # Lists of routes that the file itself includes: `include((patterns_user, 'user'))`.
        theirs |= in_file[file] if space in in_file[file] else set()
        for it, some in spaces.items():
            if module == it or module.endswith("/" + it):
                theirs |= some
        # A list of routes in a file without a name may be included under one from the file itself.
        if space in theirs or not space and not theirs or space and not theirs and re.search(r"['\"]" + re.escape(space) + r"['\"]", repository.text(file)):
            found.append((file, line))
    # A name that only one route has, in a file whose namespace is set in another way (Oscar's applications).
    all_of = [it for it in routes if it[2] == name]
    if not found and space and len(all_of) == 1 and all_of[0][0] not in names and space in all_of[0][0].split("/"):
        found = [all_of[0][:2]]
    return found


def flask_routes(repository):
    """By name, the decorated functions with the blueprints of their routes."""
    names, found = {}, defaultdict(list)
    trees = {}
    for path in (it for it in repository.files if it.endswith(".py")):
        text = repository.text(path)
        if "route(" in text or "Blueprint(" in text or "@" in text and "flask" in text.lower():
            try:
                trees[path] = ast.parse(text)
            except (SyntaxError, ValueError):
                continue
            for it in re.finditer(r"^\s*(\w+)(?:\s*:\s*\w+)?\s*=\s*(?:\w+\.)?Blueprint\(\s*(?:name=)?u?['\"]([\w.-]+)['\"]", text, re.M):
                names[path, it.group(1)] = it.group(2)
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for it in node.decorator_list:
                if isinstance(it, ast.Call) and isinstance(it.func, ast.Attribute) and it.func.attr in ("route", "get", "post", "delete", "put") and isinstance(it.func.value, ast.Name):
                    variable = it.func.value.id
                    directory = posixpath.dirname(path)
                    near = [name for (file, own), name in names.items() if own == variable and (file == path or posixpath.dirname(file) == directory)]
                    near = [names[path, variable]] if (path, variable) in names else near or [name for (_, own), name in names.items() if own == variable]
                    if any(at.arg == "endpoint" for at in it.keywords):
                        continue
                    for space in near or [None]:
                        found[node.name].append((path, node.lineno, space))
    return found


def flask(repository, path, name, _at):
    if "flask" not in repository.__dict__:
        repository.flask = flask_routes(repository)
    space, name = name.rsplit(".", 1) if "." in name else (None, name)
    space = space and space.split(".")[-1]
    return [(file, line) for file, line, own in repository.flask[name] if own == space]


ACTIONS = ("index", "create", "store", "show", "edit", "update", "destroy")


def laravel_routes(repository):
    """By name the lines of routes, and of each route its methods, its address in its file, the file and the line."""
    found, addresses = defaultdict(list), []
    both = lambda pattern, text: [a or b for a, b in re.findall(pattern, text)]
    for path in (it for it in repository.files if it.endswith(".php") and "rout" in it.lower()):
        text = re.sub(r"/\*.*?\*/|(?<![:'\"])//[^\n]*|(?m:^[ \t]*#.*$)", lambda it: re.sub(r"[^\n]", " ", it.group()), repository.text(path), flags=re.S)
        stack, start = [], 0
        for mark in re.finditer(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|[{};]", text):
            if len(mark.group()) > 1:
                continue
            statement, offset, start = text[start:mark.start()], start, mark.end()
            prefixes = both(r"prefix\(\s*['\"]([^'\"]*)['\"]|['\"]prefix['\"]\s*=>\s*['\"]([^'\"]*)['\"]", statement)
            spaces = "".join(both(r"(?:->|::)(?:name|as)\(\s*['\"]([\w.:-]*\.)['\"]|['\"]as['\"]\s*=>\s*['\"]([\w.:-]*\.)['\"]", statement))
            around = "".join(it[1] for it in stack)
            line = lambda at, offset=offset: text.count("\n", 0, offset + at) + 1
            for it in re.finditer(r"->name\(\s*['\"]([\w.:-]+)['\"]|['\"]as['\"]\s*=>\s*['\"]([\w.:-]+)['\"]", statement):
                found[around + it.group(it.lastindex)].append((path, line(it.start(it.lastindex))))
            for it in re.finditer(r"(?:::|->)(?:apiR|r)esource\(\s*['\"]([\w./-]+)['\"]", statement):
                for action in ACTIONS:
                    found[f"{around}{it.group(1).split('/')[-1]}.{action}"].append((path, line(it.start(1))))
            is_route = re.search(r"Route|\$(router|app|group|r)\b", statement)
            for it in re.finditer(r"(?:::|->)(get|post|put|patch|delete|any|match|view|redirect|resource|apiResource)\(\s*(?:\[[^\]]*\]\s*,\s*)?['\"]([^'\"]*)['\"]", statement) if is_route else ():
                verb, whole = it.group(1), "/".join([part for each in stack for part in each[0]] + prefixes + [it.group(2)])
                place = path, line(it.start(2))
                if verb.lower().endswith("resource"):
                    whole = whole.replace(".", "/{id}/")
                    addresses += [(methods, whole + end, *place) for methods, end in ((["get", "post"], ""), (["get", "put", "patch", "delete"], "/{id}"), (["get"], "/create"), (["get"], "/{id}/edit"))]
                else:
                    addresses.append(([verb] if verb in ("get", "post", "put", "patch", "delete") else [], whole, *place))
            if mark.group() == "{":
                stack.append((prefixes if "group(" in statement else [], spaces))
            elif mark.group() == "}" and stack:
                stack.pop()
    return found, addresses


def laravel(repository, path, name, _at):
    if "laravel" not in repository.__dict__:
        repository.laravel = laravel_routes(repository)
    names, _ = repository.laravel
    if name in names:
        return names[name]
    # A provider may put a prefix before the names of a whole file.
    parts = name.split(".", 1)
    return names.get(parts[1], []) if len(parts) > 1 else []


def rails_texts(repository, path, name, at):
    if name.startswith("."):
        view = re.search(r"views/(.*)/_?([^/.]+)\.[^/]*$", path)
        if view:
            name = f"{view.group(1).replace('/', '.')}.{view.group(2)}{name}"
        else:
            controller = re.search(r"controllers/(.*)_controller\.rb$", path)
            before = re.findall(r"^\s*def (\w+)", repository.text(path)[:at], re.M)
            if not controller or not before:
                return []
            name = f"{controller.group(1).replace('/', '.')}.{before[-1]}{name}"
    found = []
    for file in repository.files:
        if re.search(r"(^|/)locales/.*\.ya?ml$", file):
            locale = re.search(r"([\w-]+)\.ya?ml$", file).group(1)
            keys = keys_of(repository, file)
            line = next((line for it in {locale, "en"} if (line := keys.get(f"{it}.{name}"))), None)
            if line:
                found.append((file, line))
    return english_first(found)


def script_texts(repository, path, name, _at):
    # Laravel hands its texts to scripts.
    found = php_keys("lang")(repository, path, name, _at) if "." in name else []
    for file in repository.files:
        if not re.search(r"(^|/)(locales?|langs?|languages|i18n|translations|messages)/.*\.(json|ya?ml|ts|js)$", file, re.I):
            continue
        if not ENGLISH.search("/" + file) and any(ENGLISH.search("/" + it) for it in repository.files if re.search(r"(^|/)(locales?|langs?|i18n|translations|languages)/", it, re.I)):
            continue
        stem = Path(file).stem
        keys = keys_of(repository, file)
        names = [name + end for end in ("", "_other", "_one")]
        if name.startswith((stem + ".", stem + ":")):
            names.append(name[len(stem) + 1:])
        line = next((keys[it] for it in names if it in keys), None)
        if line:
            found.append((file, line))
    return english_first(found)


def rails_routes(repository):
    """By helper the lines that define it, and of each route its methods, its address, its file and its lines."""
    import inflection
    helpers, addresses = defaultdict(list), []
    for path in (it for it in repository.files if re.search(r"config/routes.*\.rb$", it)):
        stack, statement, first = [], "", 0
        for number, line in enumerate(repository.text(path).split("\n"), 1):
            line = re.sub(r"\s#[^{'\"].*|^\s*#.*", "", line)
            first = first if statement else number
            statement = (statement + line + " ").lstrip()
            if statement.rstrip().endswith(",") or not statement:
                continue
            text, statement = statement.strip(), ""
            if re.match(r"end\b", text):
                if stack:
                    stack.pop()
                continue
            word = re.match(r"\w*", text).group()
            rest = text[len(word):]
            names = []
            for part in rest.lstrip(" (").split(","):
                name = re.match(r"\s*(?::(\w+)|['\"]([^'\"]*)['\"])", part)
                if not name or re.match(r"\s*:\w+\s*=>\s", part) and word not in VERBS:
                    break
                names.append(name.group(1) or name.group(2) or "")
            option = lambda key: next((it.group(1) for it in [re.search(rf"(?:\b{key}:|:{key}\s*=>)\s*:?['\"]?([\w/:-]*)", rest)] if it), None)

            def actions(key):
                it = re.search(rf"(?:\b{key}:|:{key}\s*=>)\s*(?:(?:%i)?\[([^\]]*)\]|:(\w+))", rest)
                return it and set(re.findall(r"\w+", it.group(1) or it.group(2) or ""))

            other = option("as")
            top = stack[-1] if stack else {"path": "", "member": "", "collection": "", "prefix": "", "on": None, "of": None}
            prefix, block = top["prefix"], dict(top)
            add = lambda methods, whole, lines=set(range(first, number + 1)): addresses.append((methods, whole.replace("(.:format)", ""), path, lines))
            if word in ("resources", "resource"):
                only, without = actions("only"), actions("except") or set()
                for name in names:
                    base, own = f"{top['path']}/{option('path') or name}", other or name
                    item = base + "/:id" if word == "resources" else base
                    one = inflection.singularize(own) if word == "resources" else own
                    all_of = own if own != one or word == "resource" else own + "_index"
                    for action, methods, whole, helper in (("index", ["get"], base, all_of), ("create", ["post"], base, all_of), ("new", ["get"], base + "/new", one), ("edit", ["get"], item + "/edit", one), ("show", ["get"], item, one), ("update", ["put", "patch"], item, one), ("destroy", ["delete"], item, one)):
                        if (only is None or action in only) and action not in without and not (word == "resource" and action == "index"):
                            add(methods, whole)
                            helpers[(action + "_" if action in ("new", "edit") else "") + prefix + helper].append((path, first))
                    block = {"path": item, "member": item, "collection": base, "prefix": f"{prefix}{one}_", "on": None, "of": (prefix + one, prefix + own)}
            elif word == "namespace" and names:
                block = {**top, "path": f"{top['path']}/{option('path') if option('path') is not None else names[0]}", "prefix": f"{prefix}{other or names[0]}_", "on": None, "of": None}
            elif word == "scope":
                block["path"] = f"{top['path']}/{names[0] if names else option('path') or ''}"
                block["prefix"] = f"{prefix}{other}_" if other else prefix
            elif word in ("member", "collection"):
                block["path"], block["on"] = top[word], word
            elif word in VERBS:
                verbs = ["get"] if word == "root" else [word] if word != "match" else re.findall(r"\b(get|post|put|patch|delete)\b", rest.split("via", 1)[1]) if "via" in rest else []
                own = "" if word == "root" or not names else names[0]
                on = option("on") or block["on"]
                if names or word == "root":
                    add(verbs, f"{top[option('on')] if option('on') in ('member', 'collection') else top['path']}/{re.sub(r'[(].*', '', own)}")
                plain = own.strip("/")
                name = other or ("root" if word == "root" else re.sub(r"[/-]", "_", plain) if not re.search(r"[:*(]", plain) else None)
                if name:
                    is_inner = on in ("member", "collection") and block["of"]
                    helpers[f"{name}_{block['of'][0 if on == 'member' else 1]}" if is_inner else prefix + name].append((path, first))
            if re.search(r"\bdo(\s*\|[^|]*\|)?\s*$", text) or re.match(r"(if|unless|def|case)\b", text):
                stack.append(block)
    return helpers, addresses


VERBS = ("get", "post", "put", "patch", "delete", "match", "root")


def rails(repository, path, name, _at):
    if "rails" not in repository.__dict__:
        repository.rails = rails_routes(repository)
    return repository.rails[0].get(re.sub(r"_(path|url)$", "", name), [])



def variables(repository, path, name, _at):
    found = []
    for file in repository.files:
        base = Path(file).name
        if ".env" in base and not base.endswith((".ts", ".js", ".py", ".rb", ".php", ".erb")):
            lines = repository.text(file).split("\n")
            found += [(file, number) for number, it in enumerate(lines, 1) if re.match(rf"[# ]*(export )?{name}\s*=", it)][:1]
    # Of several files the main example.
    best = [it for it in found if Path(it[0]).name in (".env.example", ".env.sample", ".env.dist", ".env.template")]
    return best or found


PROVIDERS = "aws|azuread|azurerm|digitalocean|google|hcloud|helm|kubernetes|local|null|oci|random|time|tls"


def terraform_blocks(repository):
    """By directory and path the lines of blocks; by directory and module its own directory."""
    found, modules = defaultdict(list), {}
    for path in (it for it in repository.files if it.endswith(".tf")):
        text, directory = repository.text(path), posixpath.dirname(path)
        line = lambda at, text=text: text.count("\n", 0, at) + 1
        for it in re.finditer(r'^(variable|module|output) +"([\w-]+)"', text, re.M):
            found[directory, f"{it.group(1).replace('variable', 'var')}.{it.group(2)}"].append((path, line(it.start())))
        for it in re.finditer(r'^(resource|data) +"([\w-]+)" +"([\w-]+)"', text, re.M):
            found[directory, ("data." if it.group(1) == "data" else "") + f"{it.group(2)}.{it.group(3)}"].append((path, line(it.start())))
        for block in re.finditer(r"^locals *\{\n(.*?)^\}", text, re.M | re.S):
            for it in re.finditer(r"^  ([\w-]+)\s*=", block.group(1), re.M):
                found[directory, f"local.{it.group(1)}"].append((path, line(block.start(1) + it.start())))
        for it in re.finditer(r'^module +"([\w-]+)" *\{(.*?)^\}', text, re.M | re.S):
            source = re.search(r'^\s*source\s*=\s*"(\.[^"]*)"', it.group(2), re.M)
            if source:
                target = posixpath.normpath(posixpath.join(directory, source.group(1)))
                modules[directory, it.group(1)] = "" if target == "." else target
    return found, modules


def terraform(repository, path, name, _at):
    if "terraform" not in repository.__dict__:
        repository.terraform = terraform_blocks(repository)
    blocks, modules = repository.terraform
    directory = posixpath.dirname(path)
    output = re.match(r"module\.([\w-]+)(?:\[[^\]]*\])?\.([\w-]+)", name)
    if output:
        return blocks.get((modules.get((directory, output.group(1))), f"output.{output.group(2)}"), [])
    return blocks.get((directory, name), [])


CLASSES = [
    ("Terraform: `var.x`, `local.x`", r"\.tf$", r"^[^#\n]*(?<![\w.\"-])((?:var|local)\.[\w-]+)", terraform),
    ("Terraform: `module.x`", r"\.tf$", r"^[^#\n]*(?<![\w.\"-])(module\.[\w-]+)", terraform),
    ("Terraform: `module.x.output`", r"\.tf$", r"^[^#\n]*(?<![\w.\"-])(module\.[\w-]+(?:\[[^\]\n]*\])?\.[\w-]+)", terraform),
    ("Terraform: `aws_x.y`, `data.aws_x.y`", r"\.tf$", rf"^[^#\n]*(?<![\w.\"-])((?:data\.)?(?:{PROVIDERS})_\w+\.[\w-]+)", terraform),
    ("Django: `reverse('x')`, `redirect('x')`", r"\.py$", r"\b(?:reverse|reverse_lazy|redirect|resolve_url)\(\s*['\"]([\w:-]+)['\"]", django),
    ("Django: `{% url 'x' %}`", r"\.(html|txt)$", r"\{% *url +['\"]([\w:-]+)['\"]", django),
    ("Flask: `url_for('x.y')`", r"\.(py|html|txt)$", r"\burl_for\(\s*['\"]([a-zA-Z_][\w.]*\w)['\"]", flask),
    ("Laravel: `route('x')`", r"\.(php|vue|js|ts|tsx)$", r"\b(?:to_)?route\(\s*['\"]([\w.:-]+[\w])['\"]", laravel),
    ("Laravel: `config('x.y')`", r"\.php$", r"\bconfig\(\s*['\"]([\w-]+(?:\.[\w-]+)+)['\"]", php_keys("config")),
    ("Laravel: `__('x.y')`, `trans('x.y')`, `@lang('x.y')`", r"\.(php|vue)$", r"(?:\b__|\btrans|\btrans_choice|@lang)\(\s*['\"]([\w:/-]+(?:\.[\w/-]+)+)['\"]", php_keys("lang")),
    ("Rails: `user_path`", r"\.(rb|erb)$", r"(?<![\w.:@])([a-z]\w*_(?:path|url))\b(?=[( ),\n]|$)(?!\s*=[^=>])", rails),
    ("Rails: `t('x.y')`, `t('.y')`, `l(:x)`", r"\.(rb|erb)$", r"(?<!\w)[tl](?:\(| )\s*['\":](\.?[a-z]\w+(?:\.\w+)*)(?=['\"]|[\s,)])", rails_texts),
    ("`env('X')`, `process.env.X`, `ENV['X']`, …", r"\.(php|py|rb|js|ts|tsx|jsx|vue|go)$", r"(?:\benv\(\s*['\"]|\bgetenv\(['\"]|\benviron(?:\.get\(|\[)['\"]|\bENV(?:\.fetch\(|\[)['\"]|process\.env\.|import\.meta\.env\.|os\.Getenv\(\")([A-Z][A-Z0-9_]{2,})\b", variables),
    ("scripts: `t('x.y')`", r"\.(vue|ts|tsx|js|jsx|svelte)$", r"(?<![\w])(?:\$?t|\$?tc|i18nKey=|keypath=)\(?\s*['\"]([^'\"\n{}$]+)['\"]", script_texts),
]


def places(repository):
    found = defaultdict(list)
    for relation, files, pattern, truth in CLASSES:
        for path in (it for it in repository.files if re.search(files, it)):
            if relation.startswith("Rails: `user_path`") and "config/routes" in path:
                continue
            text = repository.text(path)
            for it in re.finditer(pattern, text, re.M):
                at = it.end(1) - 1
                line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
                found[relation].append((path, line, column, it.group(1), it.start(1), truth))
    return found


def sample(all_of):
    random.Random(1).shuffle(all_of)
    seen, first, rest = set(), [], []
    for it in all_of:
        (rest if it[3] in seen else first).append(it)
        seen.add(it[3])
    return (first + rest)[:SAMPLE]


def first_line(repository, pattern, is_other):
    """The first line with a pattern, by path, that is another one."""
    out = subprocess.run(["git", "-C", repository.root, "grep", "-nIE", "-e", pattern], capture_output=True, text=True, errors="replace").stdout
    parts = [it.split(":", 2) for it in out.split("\n")]
    return next(((it[0], int(it[1])) for it in parts if len(it) == 3 and is_other(it[0], int(it[1]))), None)


def grep(repository, name, path, line):
    last = re.split(r"[.:]", name)[-1]
    patterns = rf"['\"]{re.escape(name)}['\"]", rf"['\"]{re.escape(last)}['\"]|\b{re.escape(last)}:"
    found = (first_line(repository, it, lambda *other: other != (path, line)) for it in patterns)
    return next((it for it in found if it), None)


def ask(program, root, chosen):
    arguments = [word for it in chosen for word in ("--at", f"{it[0]}:{it[1]}:{it[2]}")]
    out = subprocess.run([program, "symbols", *arguments, "--json"], cwd=root, capture_output=True, text=True).stdout
    if out.startswith("{"):
        return json.loads(out)["places"]
    # A file that is not in the index spoils the answer for all.
    none = {"definitions": [], "sure": False}
    return [none] if len(chosen) == 1 else [ask(program, root, [it])[0] for it in chosen]


def first_of(answer):
    found = [(it["path"], it["start_line"]) for it in answer["definitions"][:1]]
    return found[0] if found else None, bool(found) and answer["sure"]


def measure(places, grep):
    """Asks for the places of repositories, and prints a row a class."""
    program, before, *roots = sys.argv[1:]
    misses = None
    if roots[0] == "--misses":
        misses = open(roots[1], "w")
        roots = roots[2:]
    counts = defaultdict(lambda: [0] * 8)
    used = defaultdict(set)
    for root in roots:
        repository = Repository(root)
        for relation, all_of in places(repository).items():
            total = len(all_of)
            chosen = sample(all_of)
            count = counts[relation]
            used[relation].add(root)
            count[0] += total
            for it, answer, old in zip(chosen, ask(program, root, chosen), ask(before, root, chosen)):
                path, line, column, name, at, truth = it
                right = truth(repository, path, name, at)
                told, sure = first_of(answer)
                was, was_sure = first_of(old)
                if not right and told == was:
                    sure = False
                is_right = told in right
                cells = (True, right, sure, is_right and sure, is_right, was_sure and was in right, right and grep(repository, name, path, line) in right)
                for number, cell in enumerate(cells, 1):
                    count[number] += bool(cell)
                if misses and (sure and not is_right or right and not (is_right and sure)):
                    kind = "FALSE" if sure else "MISSED"
                    print(kind, relation, Path(root).name, f"{path}:{line}:{column}", repr(name), "told", told, "truth", right[:3], file=misses)
    print("| class | repositories | uses there | places | with a definition | told | right of these | recall | with possible ones | recall before | grep |")
    for relation, (total, n, known, told, right, first, old, base) in sorted(counts.items()):
        rate = lambda a, b: f"{a / b:.3f}" if b else "–"
        rates = [rate(right, told), rate(right, known), rate(first, known), rate(old, known), rate(base, known)]
        print(f"| {relation} | {len(used[relation])} | {total} | {n} | {known} | {told} | {' | '.join(rates)} |", flush=True)


if __name__ == "__main__":
    measure(places, grep)
