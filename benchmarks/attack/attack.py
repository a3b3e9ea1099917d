"""What the attacks share: a copy of a repository, runs of the program, figures, and what counts as a failure."""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

# What depends on how an index was built, or on the clock.
VOLATILE = {"index", "index_bytes", "segments", "generation", "elapsed_ms", "ms", "took_ms"}

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "attack", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}

# Exit codes of a program that is well: done, nothing found, an error of the user.
EXPECTED = (0, 1, 2)


class Attack:
    """One attack: `with Attack(__doc__) as it: …`; leaving it prints the figures and ends the process."""

    def __init__(self, doc, seconds=60):
        parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("program", help="the binary")
        parser.add_argument("directory", nargs="?", help="a repository, which is copied [default: one is made]")
        parser.add_argument("--seconds", type=float, default=seconds, help="about how long [default: %(default)s]")
        parser.add_argument("--seed", type=int, default=7, help="of what is random [default: 7]")
        parser.add_argument("--json", action="store_true", help="print the figures as JSON")
        self.args = parser.parse_args()
        self.program = os.path.abspath(self.args.program)
        self.random = random.Random(self.args.seed)
        self.figures, self.failures = {}, []
        self.start = time.monotonic()

    def __enter__(self):
        self.scratch = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.base = pathlib.Path(self.scratch.name).resolve()
        self.index = self.base / "index"
        self.repository = self.base / "repository"
        if self.args.directory:
            shutil.copytree(self.args.directory, self.repository, symlinks=True)
        else:
            make_repository(self.repository)
        return self

    def __exit__(self, kind, error, trace):
        self.scratch.cleanup()
        if kind is not None:
            return False
        name = pathlib.Path(sys.argv[0]).stem
        self.figures["seconds"] = round(time.monotonic() - self.start, 1)
        if self.args.json:
            print(json.dumps({"attack": name, "figures": self.figures, "failures": self.failures}))
        else:
            figures = ", ".join(f"{key} {value}" for key, value in self.figures.items())
            print(f"{name}: {figures}; {len(self.failures)} failures")
            for it in self.failures:
                print(f"  FAILED {it}")
        sys.exit(1 if self.failures else 0)

    def is_time_left(self):
        return time.monotonic() - self.start < self.args.seconds

    def count(self, figure, n=1):
        self.figures[figure] = self.figures.get(figure, 0) + n

    def most(self, figure, value):
        self.figures[figure] = max(self.figures.get(figure, 0), value)

    def fail(self, text):
        if len(self.failures) < 50:
            self.failures.append(text)

    def environment(self, index=None):
        home = self.base / "home"
        env = {**os.environ, "FOREWORD_INDEX_DIR": str(index or self.index), "HOME": str(home)}
        for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
            env.pop(name, None)
        return env

    def run(self, *command, index=None, cwd=None, timeout=120, stdin=b""):
        """Runs a command to its end. A panic, a signal, an internal error and a timeout are failures."""
        try:
            done = subprocess.run(
                [self.program, *command], cwd=cwd or self.repository, env=self.environment(index),
                input=stdin, capture_output=True, timeout=timeout,
            )
        except subprocess.TimeoutExpired:
            self.fail(f"{command}: not done after {timeout} s")
            return subprocess.CompletedProcess(command, -1, b"", b"")
        if done.returncode not in EXPECTED or b"panicked" in done.stderr:
            self.fail(f"{command}: {done.returncode} {done.stderr[-300:]!r}")
        return done

    def start_server(self, *command, **pipes):
        """Starts a program that goes on."""
        return subprocess.Popen([self.program, *command], cwd=self.repository, env=self.environment(), **pipes)

    def mutated(self, data, junk):
        """The bytes with one to five random changes; `junk` is what may be inserted."""
        data = bytearray(data)
        for _ in range(self.random.randrange(1, 6)):
            at, kind = self.random.randrange(len(data)), self.random.randrange(5)
            if kind == 0:
                data[at] = self.random.randrange(256)
            elif kind == 1:
                del data[at:at + self.random.randrange(1, 20)]
            elif kind == 2:
                data[at:at] = self.random.choice(junk)
            elif kind == 3:
                data[at:] = data[:at]
            else:
                del data[at:]
            data = data or bytearray(b"\r\n")
        return bytes(data)

    def never_reads(self, process, client, send, seconds):
        """Sends without reading. The program may not take more than 128 MB for it."""
        before, stop = memory(process.pid)[0], threading.Event()

        def send_all():
            try:
                while not stop.is_set():
                    send()
                    self.count(f"rounds of {client} that never reads")
            except (OSError, ValueError):
                pass

        threading.Thread(target=send_all, daemon=True).start()
        time.sleep(seconds)
        peak = memory(process.pid)[1]
        self.figures["MB that it costs"] = (peak - before) >> 20
        if peak > before + (128 << 20):
            self.fail(f"{client} that never reads costs {(peak - before) >> 20} MB")
        stop.set()
        process.kill()
        process.wait()

    def answers(self, index, commands):
        """What the commands print, JSON without what is volatile."""
        return {" ".join(it): stable(self.run(*it, index=index).stdout) for it in commands}


def stable(out):
    try:
        value = json.loads(out)
    except ValueError:
        return out
    if isinstance(value, dict):
        value = {key: it for key, it in value.items() if key not in VOLATILE}
    return json.dumps(value, sort_keys=True)


def tool_call(number, arguments):
    """A message that calls the search of `foreword mcp`."""
    params = {"name": "search", "arguments": arguments, "_meta": META}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def memory(pid):
    """Bytes that a process has resident, and the most that it had; zeros where the system does not say."""
    try:
        lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0, 0
    kilobytes = {it.split()[0]: int(it.split()[1]) for it in lines if it.startswith(("VmRSS", "VmHWM"))}
    return kilobytes.get("VmRSS:", 0) << 10, kilobytes.get("VmHWM:", 0) << 10


def children(pid):
    """The processes that a process has started."""
    found = []
    for it in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name in brackets may hold anything.
            parent = it.read_text().rsplit(")", 1)[1].split()[1]
        except (OSError, IndexError):
            continue
        if int(parent) == pid:
            found.append(int(it.parent.name))
    return found


def git(directory, *command):
    settings = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main", "-c", "gc.auto=0"]
    subprocess.run(["git", *settings, *command], cwd=directory, check=True, capture_output=True)


def make_repository(root, files=240):
    """A repository of several languages with two commits on two branches."""
    for n in range(files):
        functions = [f"def function_{n}_{it}(value):\n    return helper_{it % 7}(value, {n})\n" for it in range(12)]
        folder = root / f"package{n % 9}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"module{n}.py").write_text("\n".join(functions))
        if n % 3 == 0:
            (folder / f"part{n}.rs").write_text("".join(f"pub fn part_{n}_{it}() -> u32 {{ {it} }}\n" for it in range(20)))
            (folder / f"view{n}.js").write_text("".join(f"export const view{n}_{it} = (a) => a + {it};\n" for it in range(20)))
    (root / "README.md").write_text("# Made\n\nFor attacks.\n")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "first")
    git(root, "branch", "other")
