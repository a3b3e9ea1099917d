"""What a keystroke waits for ghost text: `foreword lsp` over stdio, and lines typed anew in the middle of real files.

    benchmarks/keystrokes.py target/release/foreword DIR [--files 40] [--pause 60] [--worst 30]

As many files of each class of sizes are drawn by a fixed seed. In each, the rest of a line is deleted and typed again,
a character at a time: a change, then at once the question, then the answer; then a pause, as between two keys of a
fast typist. Every answer counts, those included that only shorten what is shown; the second row has the others alone.
The first two rows weigh each class by its share of the directory's bytes: a key is as likely in any byte of the code.
The index is made (below a directory of its own) before anything is measured. With --worst N the exit code says whether
p95 of the first row is below.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import tempfile
import time

from timing import describe

ENDINGS = {".rs", ".py", ".go", ".ts", ".js", ".java", ".c", ".h", ".cpp", ".rb"}
CLASSES = [(0, 10_000), (10_000, 50_000), (50_000, 200_000), (200_000, 1 << 20)]


class Editor:
    """A server and an editor that knows its own texts."""

    def __init__(self, program, root, index):
        self.child = subprocess.Popen(
            [program, "-C", root, "--index-dir", index, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.last = 0
        uri = "file://" + root
        capabilities = {
            "textDocument": {"inlineCompletion": {}},
            "general": {"positionEncodings": ["utf-8"]},
        }
        folders = [{"uri": uri, "name": "it"}]
        options = {"deadlineMs": 1000}
        self.ask("initialize", capabilities=capabilities, rootUri=uri, workspaceFolders=folders,
                 initializationOptions=options)
        self.tell("initialized")

    def send(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.child.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.child.stdin.flush()

    def tell(self, method, **params):
        self.send(method=method, params=params)

    def ask(self, method, **params):
        self.last += 1
        self.send(id=self.last, method=method, params=params)
        while True:
            answer = self.receive()
            if answer.get("id") == self.last:
                return answer["result"]

    def receive(self):
        length = 0
        while line := self.child.stdout.readline().strip():
            if line.startswith(b"Content-Length: "):
                length = int(line.split()[1])
        return json.loads(self.child.stdout.read(length))

    def change(self, uri, line, start, end, text):
        document = {"uri": uri, "version": 1}
        span = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
        self.tell("textDocument/didChange", textDocument=document, contentChanges=[{"range": span, "text": text}])

    def type(self, uri, line, column, character):
        """Milliseconds from the keystroke to its answer, and whether there was ghost text."""
        start = time.perf_counter()
        self.change(uri, line, column, column, character)
        place = {"line": line, "character": column + len(character.encode())}
        found = self.ask(
            "textDocument/inlineCompletion", textDocument={"uri": uri}, position=place, context={"triggerKind": 2}
        )
        items = (found or {}).get("items")
        return (time.perf_counter() - start) * 1e3, items[0]["insertText"] if items else ""


def sizes(root):
    """Bytes and path of every file of code."""
    sized = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(it for it in folders if not it.startswith("."))
        paths = [os.path.join(folder, it) for it in sorted(names) if os.path.splitext(it)[1] in ENDINGS]
        sized += [(os.path.getsize(it), it) for it in paths if os.path.isfile(it)]
    return sized


def draw(sized, count):
    """Files of every class, and in each a line to type."""
    chance = random.Random(7)
    for least, most in CLASSES:
        fitting = [it for size, it in sized if least <= size < most]
        for path in chance.sample(fitting, min(count // len(CLASSES), len(fitting))):
            with open(path, encoding="utf-8", errors="replace", newline="") as file:
                text = file.read()
            lines = text.split("\n")
            middle = range(len(lines) // 4, max(len(lines) * 3 // 4, 1))
            good = [it for it in middle if 20 <= len(lines[it].strip()) <= 80 and lines[it].isascii()]
            if good:
                yield (least, most), path, text, chance.choice(good)


def measure(editor, sized, arguments):
    """(class, milliseconds, whether it was worked out) of every keystroke."""
    for size, path, text, line in draw(sized, arguments.files):
        uri = "file://" + path
        document = {"uri": uri, "languageId": "x", "version": 0, "text": text}
        editor.tell("textDocument/didOpen", textDocument=document)
        whole = text.split("\n")[line].rstrip("\r")
        start = len(whole) - len(whole.lstrip())
        editor.change(uri, line, start, len(whole), "")
        shown = ""
        for column in range(start, len(whole)):
            time.sleep(arguments.pause / 1e3)
            into = shown.startswith(whole[column]) and len(shown) > 1
            took, shown = editor.type(uri, line, column, whole[column])
            yield size, took, not into
        if arguments.close:
            editor.tell("textDocument/didClose", textDocument={"uri": uri})


def weights(sized, taken):
    """For each class the weight of one of its keys: the class's bytes, shared among them."""
    keys = {it: sum(size == it for size, _, _ in taken) for it in CLASSES}
    total = {(least, most): sum(size for size, _ in sized if least <= size < most) for least, most in CLASSES}
    return {it: total[it] / max(keys[it], 1) for it in CLASSES}


def quantile(times, share):
    """The time below which that share of the weight lies; `times` are pairs of a time and its weight."""
    times = sorted(times)
    left = share * sum(weight for _, weight in times)
    for took, weight in times:
        left -= weight
        if left < 0:
            return took
    return times[-1][0]


def row(name, times):
    if times:
        figures = " | ".join(f"{quantile(times, it):.1f}" for it in (0.5, 0.95, 0.99, 1))
        print(f"| {name} | {len(times)} | {figures} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("root", type=os.path.realpath)
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--pause", type=float, default=60)
    parser.add_argument("--worst", type=float)
    parser.add_argument("--index")
    parser.add_argument("--close", action="store_true", help="close each file behind its line")
    arguments = parser.parse_args()
    index = arguments.index or tempfile.mkdtemp(prefix="keystrokes-")
    try:
        subprocess.run([arguments.program, "-q", "-C", arguments.root, "--index-dir", index, "index"], check=True,
                       stdout=subprocess.DEVNULL)
        editor = Editor(arguments.program, arguments.root, index)
        editor.ask("workspace/symbol", query="warm")
        sized = sizes(arguments.root)
        taken = list(measure(editor, sized, arguments))
        editor.ask("shutdown")
        editor.tell("exit")
        with open(f"/proc/{editor.child.pid}/status", encoding="ascii") as file:
            peak = next((line.split()[1] for line in file if line.startswith("VmHWM")), "0")
    finally:
        if not arguments.index:
            shutil.rmtree(index, ignore_errors=True)
    describe(f"keystrokes in {arguments.root}, {arguments.files} files, {arguments.pause:.0f} ms between keys")
    print("| keystroke to answer, ms | keys | p50 | p95 | p99 | most |\n|---|---|---|---|---|---|")
    weight = weights(sized, taken)
    everything = [(took, weight[size]) for size, took, _ in taken]
    row("all, by bytes", everything)
    row("not typed into what is shown", [(took, weight[size]) for size, took, worked in taken if worked])
    for least, most in CLASSES:
        row(f"files of {least // 1000} to {most // 1000} kB", [(it[1], 1) for it in taken if it[0] == (least, most)])
    print(f"\npeak memory {int(peak) / 1e3:.0f} MB; load at the end {os.getloadavg()[0]:.2f}")
    raise SystemExit(arguments.worst is not None and quantile(everything, 0.95) > arguments.worst)


if __name__ == "__main__":
    main()
