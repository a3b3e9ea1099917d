#!/usr/bin/env python3
"""Attacks `foreword serve`: fuzzed requests, a thousand at once, clients that go away, never read or never finish.

Afterwards the server answers, requests of other sites and other hosts are refused, and the memory is what it was before
sixty requests of 6 MB.
"""

import http.client
import json
import socket
import subprocess
import threading
import time

from attack import Attack, memory

PATHS = ["/infill", "/completion", "/v1/completions", "/v1/fim/completions", "/beta/completions", "/api/generate", "/mcp", "/health",
         "/metrics", "/api/requests", "/api/index", "/api/files", "/api/ignored", "/api/map", "/props", "/v1/models", "/api/tags", "/", "/../../etc/passwd"]
BODY = json.dumps({"input_prefix": "def f(a):\n    ret", "input_suffix": "\n", "prompt": "def f(", "suffix": ")", "n_predict": 8, "max_tokens": 8})


class Server:
    def __init__(self, it):
        self.process = it.start_server("serve", "--port", "0", "--quiet", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.port = int(self.process.stdout.readline().decode().strip().rsplit(":", 1)[1])

    def connect(self, timeout=30):
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def ask(self, method, path, body=None, headers=None, timeout=60):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, headers or {"Content-Type": "application/json"})
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def is_well(self):
        try:
            return self.process.poll() is None and self.ask("GET", "/health")[0] == 200
        except OSError:
            return False


def request(it, path):
    host = it.random.choice(["127.0.0.1", "localhost", "evil.example", "localhost:80@evil.example", ""])
    head = f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
    return (head + f"Content-Length: {len(BODY)}\r\n\r\n{BODY}").encode()


JUNK = [b"\r\n", b"\0", b"9" * 30, b"Transfer-Encoding: chunked\r\n", b"Content-Length: 5\r\n", b"-1", b"[" * 500]


def fuzz(it, server, seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with server.connect(timeout=5) as client:
            try:
                client.sendall(it.mutated(request(it, it.random.choice(PATHS)), JUNK))
                if it.random.random() < 0.7:
                    client.shutdown(socket.SHUT_WR)
                    client.recv(1 << 16)
            except OSError:
                pass
        it.count("fuzzed requests")


def thousand_at_once(it, server):
    answered = []

    def one():
        try:
            answered.append(server.ask("POST", "/infill", BODY, timeout=120)[0])
        except ConnectionResetError:
            # A thousand threads of this program are slow: one that sends nothing for ten seconds is hung up on.
            it.count("asked again")
            answered.append(server.ask("POST", "/infill", BODY, timeout=120)[0])
        except OSError as error:
            answered.append(str(error))

    threads = [threading.Thread(target=one) for _ in range(1000)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    it.figures["answered of a thousand at once"] = answered.count(200)
    if answered.count(200) < 1000:
        it.fail(f"of a thousand requests at once: {sorted(set(map(str, answered)))}")


def half_open(it, server):
    """Clients that never finish, never read, or are gone at once."""
    kept = []
    for n in range(300):
        client = server.connect()
        try:
            if n % 3 == 0:
                client.sendall(b"POST /infill HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8000000\r\n\r\n{")
            elif n % 3 == 1:
                client.sendall(b"GET /api/requests/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
            else:
                client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200)
        except OSError:
            pass
        kept.append(client)
    for _ in range(200):
        with server.connect() as client:
            client.sendall(request(it, "/infill"))
        it.count("cancelled")
    if not server.is_well():
        it.fail("with 300 half-open connections the server does not answer")
    it.figures["MB with 300 half-open"] = memory(server.process.pid)[0] >> 20
    for client in kept:
        client.close()


def refusals(it, server):
    for headers, status in [
        ({"Host": "evil.example"}, 403), ({"Host": "localhost:80@evil.example"}, 400), ({"Origin": "http://evil.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403),
    ]:
        found = server.ask("GET", "/api/index", headers=headers)[0]
        if found != status:
            it.fail(f"{headers}: {found}, not {status}")
    for path in ["/api/files?workspace=/etc", "/api/requests/../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd"]:
        if b"root:x:0" in server.ask("GET", path)[1]:
            it.fail(f"{path} shows a file from outside")


def large(it, server, requests):
    text = "".join(f"def function_{n}(a, b):\n    return a + {n}\n\n" for n in range(150_000))[:6_000_000]
    before = memory(server.process.pid)[0]
    for n in range(requests):
        body = json.dumps({"input_prefix": f"# {n}\n{text}", "input_suffix": "\n", "n_predict": 8})
        start = time.monotonic()
        status = server.ask("POST", "/infill", body, timeout=120)[0]
        it.most("slowest request of 6 MB, s", round(time.monotonic() - start, 2))
        if status != 200:
            it.fail(f"a request of 6 MB: {status}")
    time.sleep(2)
    after, peak = memory(server.process.pid)
    it.figures |= {"requests of 6 MB": requests, "MB before them": before >> 20, "MB after": after >> 20, "MB at most": peak >> 20}
    if after > before + (40 << 20):
        it.fail(f"{(after - before) >> 20} MB are not given back")


def main():
    with Attack(__doc__) as it:
        it.run("index", "-q")
        server = Server(it)
        if it.args.directory is None or it.args.seconds >= 60:
            thousand_at_once(it, server)
        refusals(it, server)
        large(it, server, 60 if it.args.seconds >= 60 else 10)
        half_open(it, server)
        fuzz(it, server, max(3, it.args.seconds / 2))
        if not server.is_well():
            it.fail("after all that the server does not answer")
        server.process.kill()


if __name__ == "__main__":
    main()
