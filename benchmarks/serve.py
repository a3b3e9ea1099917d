#!/usr/bin/env python3
"""foreword serve under load, before a stub of a model's server: what a request waits for foreword, and its memory.

Usage: serve.py PROGRAM DIRECTORY [--rate N] [--seconds N] [--idle N] [--patience MS]

Requests as llama.vim sends them (256 + 64 lines without a path, a ring of chunks) come at fixed times, whether those
before are answered or not, from people who type at random places of the directory. The index is made before that: a
server answers from a part of it already. In the end so many streams are left open.
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ANSWER = {"content": "add(name)", "stop": True, "tokens_evaluated": 1000, "timings": {"cache_n": 900}}
SOURCES = {".py", ".rs", ".js", ".ts", ".go", ".java", ".c"}


async def stub(port):
    """A llama.cpp server with a model that needs five milliseconds."""
    about = {
        "/props": {"default_generation_settings": {"n_ctx": 8192}, "total_slots": 4},
        "/v1/models": {"data": [{"id": "qwen2.5-coder"}]},
        "/tokenize": {"tokens": [1]},
    }

    async def serve(reader, writer):
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                path = head.split(b" ", 2)[1].decode()
                length = [it for it in head.lower().split(b"\r\n") if it.startswith(b"content-length:")]
                body = await reader.readexactly(int(length[0].split(b":")[1])) if length else b""
                if b'"hang":true' in body:
                    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n")
                    await reader.read()
                    return
                if path == "/completion":
                    await asyncio.sleep(0.005)
                answer = json.dumps(about.get(path, ANSWER)).encode()
                kind = b"content-type: application/json\r\n"
                writer.write(b"HTTP/1.1 200 OK\r\n%bcontent-length: %d\r\n\r\n%b" % (kind, len(answer), answer))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", port, backlog=4096) as server:
        print("ready", flush=True)
        await server.serve_forever()


def people(directory, number, rng):
    """Each is a list of requests, one for each keystroke."""
    paths = sorted(it for it in Path(directory).rglob("*") if it.suffix in SOURCES and it.is_file())
    texts = [it.read_text(errors="replace").split("\n") for it in paths]
    texts = [it for it in texts if len(it) > 40]
    res = []
    while len(res) < number:
        lines = rng.choice(texts)
        at = rng.randrange(10, len(lines) - 1)
        line = lines[at]
        if len(line.strip()) < 12:
            continue
        others = [rng.choice(texts) for _ in range(8)]
        extra = [{"filename": "", "text": "\n".join(it[:32]) + "\n", "time": [0, 1]} for it in others]
        start = len(line) - len(line.lstrip())
        typed = [line[:end] for end in range(start + 1, len(line))]
        before = "\n".join(lines[max(0, at - 256) : at]) + "\n"
        after = "\n" + "\n".join(lines[at + 1 : at + 65]) + "\n"
        ask = {"input_suffix": after, "input_extra": extra, "n_predict": 32, "cache_prompt": True, "stream": False}
        res.append([{**ask, "input_prefix": before, "prompt": it} for it in typed])
    return res


async def post(port, body):
    """Headers of the answer, and how long it took in milliseconds."""
    start = time.perf_counter()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    text = json.dumps(body).encode()
    head = f"POST /infill HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {len(text)}\r\n\r\n"
    writer.write(head.encode() + text)
    answer = await reader.read()
    writer.close()
    head = answer.split(b"\r\n\r\n", 1)[0].decode().split("\r\n")
    headers = dict(it.split(": ", 1) for it in head[1:])
    return int(head[0].split(" ")[1]), headers, (time.perf_counter() - start) * 1e3


def own(headers):
    return float(headers["x-foreword-ms"].rsplit("own=", 1)[1])


def memory(process):
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def cpu(process):
    """Milliseconds of all its threads so far, its own and the system's for it."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1e3 / os.sysconf("SC_CLK_TCK")


def of(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


async def load(port, process, asks, rate, seconds, rng):
    results, tasks, sizes = [], [], [memory(process)]
    typing = [(it, 0) for it in rng.sample(asks, min(40, len(asks)))]

    async def one(body):
        try:
            results.append(await post(port, body))
        except OSError as error:
            results.append((0, {}, repr(error)))

    used, start = cpu(process), time.perf_counter()
    for number in range(rate * seconds):
        await asyncio.sleep(max(0, start + number / rate - time.perf_counter()))
        who = rng.randrange(len(typing))
        keys, at = typing[who]
        tasks.append(asyncio.create_task(one(keys[at])))
        typing[who] = (keys, at + 1) if at + 1 < len(keys) else (rng.choice(asks), 0)
        if number % (rate * 10) == 0:
            sizes.append(memory(process))
    await asyncio.gather(*tasks)
    sizes.append(memory(process))
    return results, sizes, (cpu(process) - used) / max(1, len(results))


async def idle(port, process, ask, number):
    before, writers = memory(process), []
    for at in range(number):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        text = json.dumps({**ask, "stream": True, "hang": True}, separators=(",", ":")).encode()
        head = f"POST /infill HTTP/1.1\r\nhost: localhost\r\nx-foreword-bypass: {at % 10 and 1}\r\n"
        writer.write(f"{head}content-length: {len(text)}\r\n\r\n".encode() + text)
        writers.append((reader, writer))
    first = [await it[0].readuntil(b"\r\n\r\n") for it in writers]
    good = sum(it.startswith(b"HTTP/1.1 200") for it in first)
    after = memory(process)
    times = [own((await post(port, ask))[1]) for _ in range(50)]
    for _, writer in writers:
        writer.close()
    await asyncio.sleep(2)
    print(f"{good} open streams: {after - before:.1f} MB more; beside them p50 {of(times, 0.5):.1f} ms")
    print(f"two seconds after they were closed: {memory(process):.1f} MB")


async def main(args):
    rng = random.Random(7)
    asks = people(args.directory, 200, rng)
    port = 18_999
    model = subprocess.Popen([sys.executable, __file__, "stub", str(port)], stdout=subprocess.PIPE, text=True)
    model.stdout.readline()
    with tempfile.TemporaryDirectory() as index:
        make = [args.program, "-C", args.directory, "--index-dir", index, "index"]
        subprocess.run(make, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        command = [args.program, "serve", "--port", "0", "--quiet", "--model-url", f"http://127.0.0.1:{port}"]
        command += ["--index-dir", index, "--patience", str(args.patience), "-C", args.directory]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        own_port = int(process.stdout.readline().rsplit(":", 1)[1])
        try:
            for _ in range(600):
                _, headers, _ = await post(own_port, asks[0][-1])
                if headers["x-foreword-context"] == "file":
                    break
                await asyncio.sleep(0.5)
            results, sizes, each = await load(own_port, process, asks, args.rate, args.seconds, rng)
            report(results, sizes, each, args)
            await idle(own_port, process, asks[0][0], args.idle)
        finally:
            process.terminate()
            process.wait()
            model.terminate()


def report(results, sizes, each, args):
    good = [it for it in results if it[0] == 200]
    times, whole = [own(it[1]) for it in good], [it[2] for it in good]
    print(f"{len(results)} requests at {args.rate} a second, {len(results) - len(good)} failed")
    print("context:", dict(Counter(it[1]["x-foreword-context"] for it in good)))
    for name, all_of in [("foreword's share", times), ("whole, seen by the client", whole)]:
        shares = ", ".join(f"p{int(it * 100)} {of(all_of, it):.1f}" for it in [0.5, 0.9, 0.99])
        print(f"{name}, ms: {shares}, most {max(all_of):.1f}")
    print(f"processor time a request: {each:.2f} ms")
    print("memory every ten seconds, MB:", " ".join(f"{it:.0f}" for it in sizes))
    print("load of the machine:", " ".join(f"{it:.1f}" for it in os.getloadavg()), "on", os.cpu_count(), "cores")


if __name__ == "__main__":
    if sys.argv[1:2] == ["stub"]:
        asyncio.run(stub(int(sys.argv[2])))
        sys.exit()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("directory")
    parser.add_argument("--rate", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--idle", type=int, default=1000)
    parser.add_argument("--patience", type=int, default=60)
    asyncio.run(main(parser.parse_args()))
