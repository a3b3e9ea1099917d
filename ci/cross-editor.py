#!/usr/bin/env python3
"""A session of an editor with a language server for Windows, whose URIs are written as VS Code writes them.

Usage: ci/cross-editor.py COMMAND... -- FOLDER, where FOLDER has the store.py of ci/cross.
"""

import json
import subprocess
import sys

TEXT = "def step_1(job):\r\n    check(job)\r\n    log.info('done', job)\r\n\r\ndef step_2(job):\r\n    check(job)\r\n    log"


class Server:
    """A language server over its pipes."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.last = 0

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def ask(self, method, params=None):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        while (message := self.receive()).get("id") != self.last:
            pass
        return message["result"]

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline().strip()) or not length:
            if line.lower().startswith(b"content-length"):
                length = int(line.split(b":")[1])
        return json.loads(self.process.stdout.read(length))


def main():
    split = sys.argv.index("--")
    server = Server(sys.argv[1:split])
    root = "file:///z%3A" + sys.argv[split + 1]
    folders = [{"uri": root, "name": "shop"}]
    options = {"deadlineMs": 10000}
    server.ask("initialize", {"processId": None, "workspaceFolders": folders, "capabilities": {}, "initializationOptions": options})
    server.send({"method": "initialized", "params": {}})
    found = server.ask("workspace/symbol", {"query": "save_session"})
    assert found[0]["location"]["uri"].startswith("file:///Z:/"), found
    document = {"uri": root + "/new.py", "languageId": "python", "version": 1, "text": TEXT}
    server.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
    place = {"textDocument": {"uri": document["uri"]}, "position": {"line": 6, "character": 7}}
    suggested = server.ask("textDocument/inlineCompletion", {**place, "context": {"triggerKind": 1}})
    assert suggested["items"][0]["insertText"] == ".info('done', job)", suggested
    server.ask("shutdown")
    server.send({"method": "exit"})
    assert server.process.wait(timeout=30) == 0


if __name__ == "__main__":
    main()
