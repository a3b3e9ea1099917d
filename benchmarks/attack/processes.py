#!/usr/bin/env python3
"""Kills, stops and starves the processes of the program: parents in the middle of slow texts, parsers that stop, and limits
of the shell (processes, memory, files, stack) and of the disk.

No parser outlives its parent by two seconds, no stopped parser holds a command or an editor's request, and under limits
every command answers or ends with a sentence; what is answered afterwards is what a fresh index answers.
"""

import json
import os
import pathlib
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time

from attack import EXPECTED, Attack

# Takes a parser of Rust all the time that it may take.
SLOW = "\n".join(["- , &'* " * 8] * 250)

# Seconds that a command may take whose parsers are stopped, and that an editor's request may.
MOST_SECONDS, MOST_EDITOR_SECONDS = 120, 10

NOBODY = 65534

COMMANDS = [("search", "--exact", "return", "-k", "99999", "--brief"), ("search", "how is the value handled", "-k", "40", "--json")]

# Address space beside the program's own, with which it starts and does not get far.
LITTLE_SPACE = 12 << 20

# Limits and their values; `None` is the program's own size and LITTLE_SPACE. The number of processes counts for other users
# than root.
LIMITS = [
    ("NPROC", 0), ("NPROC", 2), ("NPROC", 4), ("NPROC", 8), ("AS", None), ("AS", 200 << 20), ("NOFILE", 5), ("NOFILE", 9),
    ("FSIZE", 0), ("FSIZE", 20_000), ("STACK", 64 << 10), ("STACK", 256 << 10),
]

LIMITED = [
    ("index",), ("search", "helper"), ("search", "--exact", "return"), ("map",), ("status",), ("doctor",), ("mcp",), ("lsp",),
    ("context", "package0/module0.py:3"), ("complete", "package0/module0.py:3"),
    ("complete", "package0/module0.py:3", "--model-url", "http://localhost:9"),
]


def parsers(directory):
    """The parsers of commands that run in a directory."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if b"parse-worker" in (process / "cmdline").read_bytes() and os.readlink(process / "cwd") == str(directory):
                found.append(int(process.name))
        except OSError:
            pass
    return found


def wait_for_parsers(it, running):
    while running.poll() is None and not parsers(it.repository):
        time.sleep(0.01)


def kill_parents(it, kills):
    """Kills commands while their parsers parse slow texts."""
    slow = it.repository / "slow"
    slow.mkdir()
    for n in range(8):
        (slow / f"slow{n}.rs").write_text(f"// {n}\n{SLOW}")
    for _ in range(kills):
        running = it.start_server("index", "-q", "--rebuild", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for_parsers(it, running)
        time.sleep(0.3 * it.random.random())
        running.kill()
        it.count("parents killed" if running.wait() < 0 else "done before the kill")
    time.sleep(2)
    left = parsers(it.repository)
    it.figures["parsers left"] = len(left)
    if left:
        it.fail(f"{len(left)} parsers outlive their parents by 2 s")
    shutil.rmtree(slow)


def stop_parsers(it, rounds):
    """Stops every parser of a command once."""
    for _ in range(rounds):
        running = it.start_server("index", "-q", "--rebuild", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for_parsers(it, running)
        for parser in parsers(it.repository):
            os.kill(parser, signal.SIGSTOP)
            it.count("parsers stopped")
        try:
            if running.wait(MOST_SECONDS) not in EXPECTED:
                it.fail(f"index with stopped parsers: {running.returncode}")
        except subprocess.TimeoutExpired:
            it.fail(f"index with stopped parsers is not done after {MOST_SECONDS} s")
            running.kill()
            running.wait()
    compare(it, "after stopped parsers")


def stop_an_editors_parser(it):
    """An editor asks for a completion while the parser of its document is stopped."""
    path = it.repository / "package0" / "module0.py"
    editor = it.start_server("lsp", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def send(**message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        editor.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        editor.stdin.flush()

    def answer(number):
        while True:
            length = 0
            while (line := editor.stdout.readline().strip()) or not length:
                if line.lower().startswith(b"content-length"):
                    length = int(line.split(b":")[1])
                elif not line and not length and editor.poll() is not None:
                    return None
            message = json.loads(editor.stdout.read(length))
            if "method" in message and "id" in message:
                send(id=message["id"], result=None)
            elif message.get("id") == number:
                return message

    uri = path.as_uri()
    send(id=1, method="initialize", params={"processId": None, "rootUri": it.repository.as_uri(), "capabilities": {}})
    answer(1)
    send(method="initialized", params={})
    text = path.read_text()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
    send(method="textDocument/didOpen", params={"textDocument": document})
    for number in range(2, 6):
        changed = {"uri": uri, "version": number}
        content = [{"text": f"{text}\ndef added_{number}(value):\n    return help"}]
        send(method="textDocument/didChange", params={"textDocument": changed, "contentChanges": content})
        if number > 2:
            for parser in parsers(it.repository):
                os.kill(parser, signal.SIGSTOP)
                it.count("parsers of an editor stopped")
        position = {"line": content[0]["text"].count("\n"), "character": 15}
        params = {"textDocument": {"uri": uri}, "position": position, "context": {"triggerKind": 1}}
        start = time.monotonic()
        send(id=number, method="textDocument/inlineCompletion", params=params)
        if answer(number) is None:
            it.fail("the editor's server ended")
            break
        took = time.monotonic() - start
        it.most("slowest completion, s", round(took, 1))
        if took > MOST_EDITOR_SECONDS:
            it.fail(f"a completion with a stopped parser took {took:.1f} s")
    editor.kill()
    editor.wait()


def limited(it, limit, value, user=None):
    """Lowers a limit in the process to be started, as another user where the limit does not count for root."""
    def lower():
        if user is not None:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
        resource.setrlimit(getattr(resource, f"RLIMIT_{limit}"), (value, value))
    return lower


def mapped(program):
    """Bytes of address space from the first to the last segment of a program (ELF, 64 bits)."""
    with open(program, "rb") as file:
        header = file.read(64)
        start, size, count = struct.unpack_from("<32xQ14xHH", header)
        file.seek(start)
        segments = [struct.unpack_from("<I12xQ16xQ", file.read(size)) for _ in range(count)]
    load = 1
    return max(address + length for kind, address, length in segments if kind == load)


def starve(it, is_quick):
    user = NOBODY if os.geteuid() == 0 else None
    for path in (it.base, *it.base.rglob("*")):
        path.chmod(0o777 if path.is_dir() else 0o666)
    limits, commands = (LIMITS[::2], LIMITED[::2]) if is_quick else (LIMITS, LIMITED)
    for limit, value in limits:
        value = mapped(it.program) + LITTLE_SPACE if value is None else value
        of = user if limit == "NPROC" else None
        for command in commands:
            index = it.base / "starved"
            shutil.rmtree(index, ignore_errors=True)
            index.mkdir()
            index.chmod(0o777)
            try:
                done = subprocess.run([it.program, *command], cwd=it.repository, env=it.environment(index), stdin=subprocess.DEVNULL,
                                      capture_output=True, timeout=MOST_SECONDS, preexec_fn=limited(it, limit, value, of))
            except subprocess.TimeoutExpired:
                it.fail(f"{command} with {limit} {value}: not done after {MOST_SECONDS} s")
                continue
            except (OSError, subprocess.SubprocessError) as error:
                it.figures["not done: NPROC"] = str(error)
                break
            it.count("limited runs")
            # `lsp` without an editor says so with 3; without memory the allocator ends a process with its own sentence.
            is_well = done.returncode in (*EXPECTED, 3) or b"memory allocation" in done.stderr
            if not is_well or b"panicked" in done.stderr:
                it.fail(f"{command} with {limit} {value}: {done.returncode} {done.stderr[-300:]!r}")
            elif command == ("index",):
                compare(it, f"after index with {limit} {value}", index)


def fill_the_disk(it):
    """The index on a file system of 1 MB."""
    disk = it.base / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], capture_output=True)
    if mounted.returncode != 0:
        it.figures["not done: full disk"] = "no right to mount"
        return
    try:
        (disk / "full").write_bytes(bytes(900_000))
        for command in [("index",), *COMMANDS]:
            it.run(*command, index=disk / "index")
            it.count("runs on a full disk")
        (disk / "full").unlink()
        compare(it, "after a full disk", disk / "index")
    finally:
        subprocess.run(["umount", disk], check=False)


def compare(it, when, index=None):
    fresh = it.base / "fresh"
    shutil.rmtree(fresh, ignore_errors=True)
    found, expected = it.answers(index or it.index, COMMANDS), it.answers(fresh, COMMANDS)
    it.count("comparisons")
    if found != expected:
        it.fail(f"{when}, answers differ from those of a fresh index")


def main():
    with Attack(__doc__) as it:
        if not sys.platform.startswith("linux"):
            it.figures["not done"] = "needs /proc"
            return
        is_quick = it.args.seconds < 60
        kill_parents(it, 2 if is_quick else 10)
        stop_parsers(it, 1 if is_quick else 10)
        stop_an_editors_parser(it)
        starve(it, is_quick)
        fill_the_disk(it)


if __name__ == "__main__":
    main()
