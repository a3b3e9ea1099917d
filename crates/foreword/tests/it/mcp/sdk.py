"""The Python SDK of the Model Context Protocol as a client of `foreword mcp`, or of `/mcp` on `foreword serve`: program or
URL, mode, repository, index."""

import asyncio
import sys
from pathlib import Path

from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

target, mode, root, index = sys.argv[1:]
own = StdioServerParameters(command=target, args=["mcp"], cwd=root, env={"FOREWORD_INDEX_DIR": index, "FOREWORD_STRUCTURED": "1"})
server = target if target.startswith("http://") else own


async def main():
    progress = []

    async def heard(done, total, message):
        progress.append((done, total))

    async with Client(server, mode=mode) as client:
        assert client.instructions.startswith("foreword"), client.instructions
        tools = {it.name: it for it in (await client.list_tools()).tools}
        assert list(tools) == ["search", "context", "symbols", "map"], tools
        arguments = {"query": "needle_in_haystack", "wait_ms": 60000}
        found = await client.call_tool("search", arguments, progress_callback=heard)
        assert not found.is_error and found.structured_content["complete"], found
        assert found.structured_content["results"][0]["path"] == "needle.py", found
        # A server that was there before may have indexed all of it.
        assert (progress or server is target) and progress == sorted(progress), progress

        # An edit is found, and the symbol that it replaced is not.
        Path(root, "needle.py").write_text("def thread_through_it():\n    pass\n")
        found = await client.call_tool("symbols", {"name": "thread_through_it", "wait_ms": 60000})
        assert found.structured_content["definitions"] == 1, found
        gone = await client.call_tool("symbols", {"name": "needle_in_haystack", "wait_ms": 60000})
        assert "nothing matched" in gone.content[0].text, gone

        for name, arguments in [("map", {}), ("context", {"task": "thread through"})]:
            answer = await client.call_tool(name, arguments)
            assert not answer.is_error, answer
        refused = await client.call_tool("search", {"query": "x", "lang": ["klingon"]})
        assert refused.is_error and "klingon" in refused.content[0].text, refused
        try:
            await client.call_tool("fly", {})
            raise AssertionError("an unknown tool was called")
        except MCPError as error:
            assert "no such tool" in str(error), error

        first = (await client.list_resources()).resources[0]
        text = (await client.read_resource(first.uri)).contents[0].text
        assert text == Path(root, first.name).read_text(), first
    print("done")


asyncio.run(main())
