// tabby-agent as a language server, asked as an editor asks: tabby_lsp.cjs PACKAGES REQUEST. HOME is a directory of the
// test, with the agent's own settings.

const { spawn } = require("node:child_process");
const [packages, text] = process.argv.slice(2);
const { uri, source, line, character, expected } = JSON.parse(text);

const agent = spawn(process.execPath, [`${packages}/tabby-agent/dist/cli.js`, "--lsp", "--stdio"], {
  stdio: ["pipe", "pipe", "inherit"],
});
const waiting = new Map();
let pending = Buffer.alloc(0);
let number = 0;

function send(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  agent.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function ask(method, params) {
  number += 1;
  send({ id: number, method, params });
  return new Promise((resolve, reject) => waiting.set(number, { resolve, reject }));
}

function take(message) {
  if (message.method && message.id !== undefined) {
    // What it asks of an editor: nothing is known, nothing is set.
    const many = message.method === "workspace/configuration";
    return send({ id: message.id, result: many ? message.params.items.map(() => null) : null });
  }
  const { resolve, reject } = waiting.get(message.id) ?? {};
  if (message.error) reject?.(new Error(message.error.message));
  else resolve?.(message.result);
}

agent.stdout.on("data", (bytes) => {
  pending = Buffer.concat([pending, bytes]);
  for (;;) {
    const end = pending.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/content-length: *(\d+)/i.exec(pending.subarray(0, end).toString())[1]);
    if (pending.length < end + 4 + length) return;
    const body = pending.subarray(end + 4, end + 4 + length).toString();
    pending = pending.subarray(end + 4 + length);
    take(JSON.parse(body));
  }
});

async function main() {
  const { capabilities } = await ask("initialize", {
    processId: process.pid, rootUri: null, workspaceFolders: null, clientInfo: { name: "test", version: "1" },
    capabilities: { textDocument: { completion: { dynamicRegistration: false } } },
  });
  if (!capabilities.completionProvider) throw new Error(JSON.stringify(capabilities));
  send({ method: "initialized", params: {} });
  const textDocument = { uri, languageId: "python", version: 1, text: source };
  send({ method: "textDocument/didOpen", params: { textDocument } });
  const at = { textDocument: { uri }, position: { line, character }, context: { triggerKind: 1 } };
  const found = await ask("textDocument/completion", at);
  const item = found.items[0];
  const got = item?.textEdit?.newText ?? item?.insertText;
  if (!got?.includes(expected)) throw new Error(`no completion: ${JSON.stringify(found)}`);
  console.log("done");
}

main().then(() => 0, (error) => (console.error(error), 1)).then((code) => {
  agent.kill();
  process.exit(code);
});
