"""pytest-lsp as an editor of `foreword lsp`: it speaks by pygls and warns of what the specification does not allow.

Run by pytest, with the program in $FOREWORD and the repository in $ROOT.
"""

import asyncio
import os
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException

SAID = "priority=10, reload=True)"
FILE = Path(os.environ["ROOT"], "src/table.py")
BEGUN = "    register_handler(registry, 'epsilon', "
LINE = len(FILE.read_text().splitlines())

CONFIG = pytest_lsp.ClientServerConfig(server_command=[os.environ["FOREWORD"], "lsp"])


async def session(client, capabilities):
    """An editor at work, until it ends as the protocol says."""
    root = Path(os.environ["ROOT"]).as_uri()
    opened = await client.initialize_session(
        types.InitializeParams(
            capabilities=capabilities,
            workspace_folders=[types.WorkspaceFolder(uri=root, name="it")],
            initialization_options={"leastConfidence": 0, "deadlineMs": 10000},
        )
    )
    while not await client.workspace_symbol_async(types.WorkspaceSymbolParams(query="install")):
        await asyncio.sleep(0.02)
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(FILE.as_uri(), "python", 1, FILE.read_text()))
    )
    client.opened = opened
    yield
    await client.shutdown_session()
    assert client.error is None


@pytest_lsp.fixture(config=CONFIG)
async def ghost(lsp_client: pytest_lsp.LanguageClient):
    capabilities = pytest_lsp.client_capabilities("neovim")
    capabilities.text_document.inline_completion = types.InlineCompletionClientCapabilities()
    async for it in session(lsp_client, capabilities):
        yield it


@pytest_lsp.fixture(config=CONFIG)
async def menu(lsp_client: pytest_lsp.LanguageClient):
    async for it in session(lsp_client, pytest_lsp.client_capabilities("emacs")):
        yield it


def type_at(client, line, character, text, version):
    at = types.Position(line, character)
    change = types.TextDocumentContentChangePartial(range=types.Range(at, at), text=text)
    document = types.VersionedTextDocumentIdentifier(version, FILE.as_uri())
    client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))


def inline(character, kind=types.InlineCompletionTriggerKind.Automatic):
    return types.InlineCompletionParams(
        context=types.InlineCompletionContext(trigger_kind=kind),
        text_document=types.TextDocumentIdentifier(FILE.as_uri()),
        position=types.Position(LINE, character),
    )


@pytest.mark.asyncio
async def test_ghost_text_is_shown_shortened_and_taken(ghost: pytest_lsp.LanguageClient):
    assert ghost.opened.capabilities.inline_completion_provider
    type_at(ghost, LINE, 0, BEGUN, 2)
    found = await ghost.text_document_inline_completion_async(inline(len(BEGUN)))
    (item,) = found.items
    assert item.insert_text == SAID, item
    assert item.range == types.Range(types.Position(LINE, len(BEGUN)), types.Position(LINE, len(BEGUN)))
    type_at(ghost, LINE, len(BEGUN), "prio", 3)
    found = await ghost.text_document_inline_completion_async(inline(len(BEGUN) + 4))
    assert found.items[0].insert_text == SAID[4:], found
    type_at(ghost, LINE, len(BEGUN) + 4, SAID[4:], 4)
    taken = types.ExecuteCommandParams(item.command.command, item.command.arguments)
    assert item.command.command in ghost.opened.capabilities.execute_command_provider.commands
    assert await ghost.workspace_execute_command_async(taken) is None


@pytest.mark.asyncio
async def test_what_is_taken_back_is_answered_once(ghost: pytest_lsp.LanguageClient):
    type_at(ghost, LINE, 0, BEGUN, 2)
    asked = ghost.protocol.send_request("textDocument/inlineCompletion", inline(len(BEGUN)), msg_id="mine")
    ghost.cancel_request(types.CancelParams("mine"))
    try:
        assert (await asyncio.wrap_future(asked)).items
    except (JsonRpcException, asyncio.CancelledError):
        pass
    again = await ghost.text_document_inline_completion_async(inline(len(BEGUN)))
    assert again.items[0].insert_text == SAID


@pytest.mark.asyncio
async def test_editors_without_ghost_text_get_one_item(menu: pytest_lsp.LanguageClient):
    assert menu.opened.capabilities.inline_completion_provider is None
    type_at(menu, LINE, 0, BEGUN, 2)
    place = types.CompletionParams(types.TextDocumentIdentifier(FILE.as_uri()), types.Position(LINE, len(BEGUN)))
    (item,) = (await menu.text_document_completion_async(place)).items
    assert item.text_edit.new_text == SAID and not item.preselect, item
    symbol, *_ = await menu.workspace_symbol_async(types.WorkspaceSymbolParams(query="register_handler"))
    assert symbol.location.uri.endswith("/src/registry.py"), symbol
