"""Which pieces of prompts rest on words of comments and strings.

    python benchmarks/named_pieces.py target/release/foreword DIR... [--files 6] [--budget 2000]

For every repository below DIR: cursors spread over its code files, and for each piece that `context` shows because of
names ("defines x, used n lines from the hole") whether one of these names is written as code near the cursor. What is
code is decided by Pygments, a lexer that has nothing in common with foreword's grammars. Prints, for each repository, the
pieces that a name has led to, those that rest on names in comments and strings alone, those that only a name has led to,
and their shares of all tokens of pieces. Needs `pip install pygments`.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from pygments.lexers import get_lexer_for_filename
from pygments.token import Token
from pygments.util import ClassNotFound

SUFFIXES = {".py", ".rs", ".go", ".js", ".ts", ".tsx", ".java", ".kt", ".c", ".cc", ".cpp", ".h", ".cs", ".rb", ".php",
            ".swift", ".scala", ".sh", ".lua", ".hs", ".ex", ".zig"}
NAME = re.compile(r"defines (\S+), (?:used \d+ lines|which the file imports)")
WORD = re.compile(r"\w+")


def code_names(path, text):
    """The words of a text that are neither in comments nor in strings."""
    try:
        lexer = get_lexer_for_filename(str(path), text)
    except ClassNotFound:
        return None
    prose = (Token.Comment, Token.Literal.String)
    names = set()
    for kind, value in lexer.get_tokens(text):
        interpolated = kind in Token.Literal.String.Interpol
        if interpolated or not any(kind in it for it in prose):
            names.update(WORD.findall(value))
    return names


def cursors(root, count):
    """(path, line): `count` files spread over the code files of middling size, each at a third and two thirds."""
    listed = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True, check=True).stdout
    files = []
    for it in listed.splitlines():
        path = Path(root, it)
        if path.suffix in SUFFIXES and path.is_file() and 2_000 < path.stat().st_size < 100_000:
            files.append(path)
    step = max(1, len(files) // count)
    for path in files[::step][:count]:
        try:
            lines = path.read_text().splitlines()
        except UnicodeDecodeError:
            continue
        for third in (1, 2):
            yield path, lines, len(lines) * third // 3


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("directories", nargs="+")
    parser.add_argument("--files", type=int, default=6)
    parser.add_argument("--budget", type=int, default=2000)
    args = parser.parse_args()
    total = [0] * 8
    print("repository prompts pieces by_name by_prose_only only_by_name share_prose share_only_name")
    with tempfile.TemporaryDirectory() as index:
        for root in args.directories:
            row = count(args, root, index)
            total = [a + b for a, b in zip(total, row)]
            show(Path(root).name, row)
        show("all", total)


def count(args, root, index):
    """Prompts, pieces, by a name, by prose alone, by a name alone; tokens of all, of prose alone, of a name alone."""
    prompts = pieces = named = prosaic = alone = all_tokens = prose_tokens = alone_tokens = 0
    for path, lines, line in cursors(root, args.files):
        command = [args.binary, "-C", root, "context", f"{path}:{line}", "--json", "--budget", str(args.budget),
                   "--index-dir", index, "-q"]
        done = subprocess.run(command, capture_output=True, text=True)
        names = code_names(path, "\n".join(lines) + "\n")
        if done.returncode != 0 or names is None:
            print(f"  {path}:{line}: {done.stderr.strip()[:200] or 'no lexer'}", file=sys.stderr)
            continue
        prompts += 1
        for piece in json.loads(done.stdout)["pieces"]:
            pieces += 1
            all_tokens += piece["tokens"]
            found = [it for reason in piece["reasons"] for it in NAME.findall(reason)]
            if not found:
                continue
            named += 1
            if not any(it in names for it in found):
                prosaic += 1
                prose_tokens += piece["tokens"]
            if {it["signal"] for it in piece["ranks"]} == {"symbol"}:
                alone += 1
                alone_tokens += piece["tokens"]
    return prompts, pieces, named, prosaic, alone, all_tokens, prose_tokens, alone_tokens


def show(name, row):
    prompts, pieces, named, prosaic, alone, tokens, prose_tokens, alone_tokens = row
    share = lambda it: f"{it / max(1, tokens):.3f}"
    print(name, prompts, pieces, named, prosaic, alone, share(prose_tokens), share(alone_tokens), flush=True)


if __name__ == "__main__":
    main()
