// vscode-languageserver-protocol, the library below VS Code's client, as an editor of `foreword lsp`:
// editor.mjs PACKAGES PROGRAM ROOT.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [packages, program, root] = process.argv.slice(2);
const lsp = createRequire(`${packages}/`)("vscode-languageserver-protocol/node");

const said = "priority=10, reload=True)";
const begun = "    register_handler(registry, 'epsilon', ";
const file = `${root}/src/table.py`;
const uri = pathToFileURL(file).href;
const text = readFileSync(file, "utf8");
const line = text.split("\n").length - 1;
const at = (character) => ({ line, character });

/** An editor with these capabilities at work in the repository. */
async function session(textDocument, work) {
  const server = spawn(program, ["lsp"], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  const connection = lsp.createProtocolConnection(
    new lsp.StreamMessageReader(server.stdout),
    new lsp.StreamMessageWriter(server.stdin),
  );
  connection.onError((error) => assert.fail(String(error)));
  const registered = new Promise((resolve) => {
    connection.onRequest(lsp.RegistrationRequest.type, (params) => resolve(params.registrations));
  });
  connection.onRequest(lsp.ConfigurationRequest.type, ({ items }) => {
    assert.deepEqual(items, [{ section: "foreword" }]);
    return [{ leastConfidence: 0, deadlineMs: 10_000 }];
  });
  connection.listen();
  const opened = await connection.sendRequest(lsp.InitializeRequest.type, {
    processId: process.pid,
    rootUri: null,
    workspaceFolders: [{ uri: pathToFileURL(root).href, name: "it" }],
    capabilities: { workspace: { configuration: true }, textDocument },
  });
  await connection.sendNotification(lsp.InitializedNotification.type, {});
  for (;;) {
    const found = await connection.sendRequest(lsp.WorkspaceSymbolRequest.type, { query: "install" });
    if (found.length > 0) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "python", version: 1, text },
  });
  await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range: { start: at(0), end: at(0) }, text: begun }],
  });
  await work(connection, opened.capabilities, registered);
  await connection.sendRequest(lsp.ShutdownRequest.type);
  await connection.sendNotification(lsp.ExitNotification.type);
  assert.equal(await ended, 0);
}

const place = { textDocument: { uri }, position: at(begun.length) };
const ask = { ...place, context: { triggerKind: lsp.InlineCompletionTriggerKind.Automatic } };

for (const dynamicRegistration of [false, true]) {
  await session({ inlineCompletion: { dynamicRegistration } }, async (connection, can, registered) => {
    if (dynamicRegistration) {
      assert.equal((await registered)[0].method, lsp.InlineCompletionRequest.method);
    }
    assert.equal(can.inlineCompletionProvider ?? false, !dynamicRegistration);
    const { items } = await connection.sendRequest(lsp.InlineCompletionRequest.type, ask);
    assert.equal(items[0].insertText, said);
    assert.ok(can.executeCommandProvider.commands.includes(items[0].command.command));
    assert.equal(await connection.sendRequest(lsp.ExecuteCommandRequest.type, items[0].command), null);

    const source = new lsp.CancellationTokenSource();
    const cancelled = connection.sendRequest(lsp.InlineCompletionRequest.type, ask, source.token);
    source.cancel();
    await cancelled.then(
      (it) => assert.ok(it.items),
      (error) => assert.equal(error.code, lsp.LSPErrorCodes.RequestCancelled),
    );
    await assert.rejects(
      connection.sendRequest("textDocument/hover", place),
      (error) => error.code === lsp.ErrorCodes.MethodNotFound,
    );
  });
}

await session({}, async (connection, can) => {
  assert.ok(can.completionProvider && !can.inlineCompletionProvider);
  const { items } = await connection.sendRequest(lsp.CompletionRequest.type, place);
  assert.equal(items.length, 1);
  assert.equal(items[0].textEdit.newText, said);
  const [symbol] = await connection.sendRequest(lsp.WorkspaceSymbolRequest.type, { query: "register_handler" });
  assert.match(symbol.location.uri, /\/src\/registry\.py$/);
});
console.log("done");
