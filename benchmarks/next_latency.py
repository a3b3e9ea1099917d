"""Time of next edits without a model, after one renamed definition in a clean checkout of a large repository: in an
editor (`textDocument/copilotInlineEdit` of `foreword lsp`, right after the change), and by `POST /v1/edits`.

    python3 benchmarks/next_latency.py target/release/foreword CHECKOUT [N]

N (40) files are changed one after another by a seeded choice. For an editor the change is in a buffer; for `serve` it is
written to the disk and restored: the first request after it indexes the file, the others are asked a second later, and
check the stamps of all files. `elapsed_ms` is the server's own measure.
"""

import itertools
import json
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

from keystrokes import Editor

DEFINITION = re.compile(r"^\s*(?:pub |export |public |async )*(?:fn|func|def|function|class|struct|type) +(\w{4,})")
CODE = {".py", ".go", ".rs", ".ts", ".js", ".java", ".kt", ".rb", ".php", ".cs", ".c", ".cc", ".cpp", ".h"}


def ask(address: str) -> tuple[dict, float]:
    body = urllib.request.Request(address + "/v1/edits", data=b"{}", method="POST")
    start = time.perf_counter()
    with urllib.request.urlopen(body, timeout=600) as response:
        answer = json.load(response)
    return answer, (time.perf_counter() - start) * 1e3


def renamed(path: pathlib.Path, choose: random.Random) -> tuple[str, str] | None:
    """The text of a file before and after one of its definitions got another name."""
    text = path.read_bytes().decode("utf-8", "replace")
    lines = text.splitlines(keepends=True)
    found = [(n, it) for n, line in enumerate(lines) if (it := DEFINITION.match(line))]
    if not found or "\ufffd" in text:
        return None
    n, it = choose.choice(found)
    lines[n] = lines[n][: it.end(1)] + "_renamed" + lines[n][it.end(1) :]
    return text, "".join(lines)


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def in_editor(program: str, index: str, changes: list[tuple[pathlib.Path, str, str]], checkout: pathlib.Path) -> list[float]:
    """Milliseconds from a changed line in an open document to its next edit."""
    editor = Editor(program, str(checkout), index)
    took = []
    for path, before, after in changes:
        uri = path.as_uri()
        old, new = before.split("\n"), after.split("\n")
        line = next(n for n, pair in enumerate(zip(old, new)) if pair[0] != pair[1])
        document = {"uri": uri, "languageId": "", "version": 1}
        editor.tell("textDocument/didOpen", textDocument={**document, "text": before})
        place = {"line": line, "character": 0}
        # As in use: the repository is warm before the change.
        editor.ask("textDocument/copilotInlineEdit", textDocument=document, position=place)
        start = time.perf_counter()
        editor.change(uri, line, 0, len(old[line].encode()), new[line])
        editor.ask("textDocument/copilotInlineEdit", textDocument=document, position=place)
        took.append((time.perf_counter() - start) * 1e3)
        editor.tell("textDocument/didClose", textDocument={"uri": uri})
    editor.child.kill()
    editor.child.wait()
    return took


def on_disk(address: str, changes: list[tuple[pathlib.Path, str, str]]) -> tuple[list[float], list[float], list[int]]:
    """Milliseconds of the first request after a change, of later ones, and the number of places."""
    first, warm, places = [], [], []
    for path, before, after in changes:
        path.write_text(after, newline="")
        try:
            answer, wall = ask(address)
            if answer["edits"]:
                first.append(wall)
                places.append(len(answer["places"]))
                time.sleep(1)
                warm += [ask(address)[0]["elapsed_ms"] for _ in range(5)]
        finally:
            path.write_text(before, newline="")
    return first, warm, places


def main() -> None:
    program, checkout = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    n = int(sys.argv[3]) if len(sys.argv) > 3 else 40
    git = ["git", "-C", str(checkout)]
    if subprocess.run([*git, "status", "--porcelain"], capture_output=True, check=True).stdout:
        sys.exit(f"{checkout} has uncommitted changes")
    files = subprocess.run([*git, "ls-files", "-z"], capture_output=True, check=True, text=True).stdout.split("\0")
    files = [it for it in files if pathlib.Path(it).suffix in CODE]
    choose = random.Random(7)
    choose.shuffle(files)
    changed = ((checkout / it, renamed(checkout / it, choose)) for it in files)
    changes = list(itertools.islice(((path, *it) for path, it in changed if it), n))
    with tempfile.TemporaryDirectory() as index:
        command = [program, "serve", "--port", "0", "--quiet", "--index-dir", index, "--workspace", str(checkout)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        address = server.stdout.readline().strip().split()[-1]
        try:
            while not ask(address)[0]["complete"]:
                time.sleep(1)
            first, warm, places = on_disk(address, changes)
        finally:
            server.terminate()
            server.wait()
        edited = in_editor(program, index, changes, checkout)
    lines = sum((checkout / it).read_bytes().count(b"\n") for it in files)
    print(f"{len(files)} files of code, {lines} lines; {len(first)} changes, {statistics.mean(places):.1f} places each")
    for title, values in [("editor, ms", edited), ("first request, ms", first), ("warm, ms", warm)]:
        print(f"{title}: p50 {percentile(values, 0.5):.1f}, p95 {percentile(values, 0.95):.1f}, most {max(values):.1f}")


if __name__ == "__main__":
    main()
