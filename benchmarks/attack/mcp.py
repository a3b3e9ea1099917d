#!/usr/bin/env python3
"""Attacks `foreword mcp`: fuzzed messages, a thousand at once, cancelled calls, directories that are not allowed, and a
client that sends for ten seconds without reading.

Every call has its answer, what is not allowed is refused, and the memory stays.
"""

import json
import subprocess
import threading
import time

from attack import META, Attack, memory, tool_call


def call(number, **arguments):
    return tool_call(number, {"query": "function", "limit": 2, "wait_ms": 60000} | arguments)


class Agent:
    def __init__(self, it):
        self.process = it.start_server("mcp", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def write(self, line):
        self.process.stdin.write(line + b"\n")

    def send(self, message):
        self.write(json.dumps(message).encode())

    def flush(self):
        self.process.stdin.flush()

    def answer_to(self, number):
        while True:
            line = self.process.stdout.readline()
            if not line:
                return None
            answer = json.loads(line)
            if answer.get("id") == number:
                return answer

    def is_well(self, number):
        self.send(call(number))
        self.flush()
        answer = self.answer_to(number)
        return answer is not None and answer.get("result", {}).get("isError") is False


def fuzz(it, agent, seconds):
    until = time.monotonic() + seconds
    good = json.dumps(call("fuzz")).encode()
    reader = threading.Thread(target=agent.answer_to, args=("end of the fuzzing",))
    reader.start()
    while time.monotonic() < until:
        data = it.mutated(good, [b"[" * 1000, b"\xff", b'"', b"1e999", b"\\u0000", b"0," * 1000])
        agent.write(data.replace(b"\n", b" "))
        it.count("fuzzed messages")
    agent.send(call("end of the fuzzing"))
    agent.flush()
    reader.join(timeout=120)
    if reader.is_alive():
        it.fail("after the fuzzing no call is answered")


def thousand_at_once(it, agent):
    def send():
        for n in range(1000):
            agent.send(call(10_000 + n))
            if n % 4 == 0:
                params = {"requestId": 10_000 + n, "_meta": META}
                agent.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
                it.count("cancelled")
        agent.send({"jsonrpc": "2.0", "id": "end", "method": "tools/list", "params": {"_meta": META}})
        agent.flush()

    sender = threading.Thread(target=send)
    sender.start()
    answered, start = set(), time.monotonic()
    wanted = {10_000 + n for n in range(1000) if n % 4}
    while not wanted <= answered and time.monotonic() - start < 300:
        line = agent.process.stdout.readline()
        if not line:
            break
        answered.add(json.loads(line).get("id"))
    sender.join(timeout=60)
    it.figures["answered of a thousand at once"] = len(answered & wanted)
    if not wanted <= answered:
        it.fail(f"{len(wanted - answered)} calls have no answer")


def directories(it, agent):
    link = it.repository / "link-out"
    link.symlink_to("/etc")
    for number, path in enumerate(["/etc", "/", "..", "link-out", "/proc/self/root/etc", "file:///etc", "/etc/../etc", str(it.base)]):
        agent.send(call(f"d{number}", repository=path))
        agent.flush()
        result = agent.answer_to(f"d{number}")["result"]
        it.count("directories refused")
        if result["isError"] is not True or "not allowed" not in json.dumps(result):
            it.fail(f"the directory {path} may be named: {json.dumps(result)[:200]}")


def never_reads(it, seconds):
    agent = Agent(it)
    agent.is_well("first")

    def send():
        agent.send({"jsonrpc": "2.0", "id": it.random.randrange(1 << 40), "method": "tools/list", "params": {"_meta": META}})
        agent.send(call(it.random.randrange(1 << 40), tokens=20000, limit=100))

    it.never_reads(agent.process, "a client", send, seconds)


def main():
    with Attack(__doc__) as it:
        it.run("index", "-q")
        agent = Agent(it)
        if not agent.is_well("first"):
            it.fail("the first call is not answered")
        directories(it, agent)
        thousand_at_once(it, agent)
        fuzz(it, agent, max(2, it.args.seconds / 2))
        if not agent.is_well("last"):
            it.fail("the last call is not answered")
        it.figures["MB at most"] = memory(agent.process.pid)[1] >> 20
        agent.process.kill()
        never_reads(it, min(10, it.args.seconds / 3))


if __name__ == "__main__":
    main()
