// The extension under Node, with an editor and a client that only write down what they are told.

import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { activate, deactivate } from "../src/extension";
import { whyNotRun } from "../src/program";
import { NAMES, server, settings } from "../src/settings";
import { LanguageClient } from "./client";
import { calls, changes, listeners, picked, registered, statusItem, TextEditor, values, window } from "./vscode";

const context = { subscriptions: [] } as unknown as Parameters<typeof activate>[0];

// Programs that can be run: what the extension looks at before it starts one.
const programs = mkdtempSync(join(tmpdir(), "foreword-"));
for (const name of ["foreword", "other", "plain"]) {
  writeFileSync(join(programs, name), "#!/bin/sh\n");
  chmodSync(join(programs, name), name === "plain" ? 0o644 : 0o755);
}
process.env.PATH = `${programs}:${process.env.PATH}`;
after(() => rmSync(programs, { recursive: true }));

beforeEach(async () => {
  await deactivate();
  calls.length = 0;
  listeners.length = 0;
  changes.length = 0;
  LanguageClient.made.length = 0;
  LanguageClient.fails = undefined;
  window.activeTextEditor = undefined;
  for (const name of Object.keys(values)) {
    delete values[name];
  }
});

test("the server is started with what is set", async () => {
  const command = join(programs, "other");
  Object.assign(values, { "foreword.command": command, "foreword.maxLines": 1 });
  await activate(context);
  const [client] = LanguageClient.made;
  assert.deepEqual(client.server, { command, args: ["lsp"] });
  assert.deepEqual(client.options.initializationOptions, { maxLines: 1 });
  assert.equal(client.state, "started");
  assert.deepEqual(calls, []);
});

test("a program that is not there is said once, with the remedy and the way to it", async () => {
  values["foreword.command"] = join(programs, "absent");
  picked.label = "Name the program";
  await activate(context);
  assert.equal(LanguageClient.made.length, 0);
  assert.equal(calls.length, 2);
  assert.match(calls[0], /^error: .*no program .*absent.*foreword\.command/);
  assert.match(calls[1], /openSettings @id:foreword\.command/);
  assert.match(statusItem.tooltip, /no program/);
  assert.match((await whyNotRun(join(programs, "plain"))) ?? "", /must not be executed/);
  assert.equal(await whyNotRun("false"), undefined);
});

test("what the client says of a failed start is not said again", async () => {
  LanguageClient.fails = "the connection was closed";
  await activate(context);
  assert.deepEqual(calls, []);
  assert.match(statusItem.tooltip, /the connection was closed/);
});

test("the status item says whether the server runs", async () => {
  await activate(context);
  assert.deepEqual([statusItem.isShown, statusItem.text, statusItem.tooltip], [true, "$(sparkle) foreword", "foreword 0.1.0 suggests"]);
  assert.deepEqual([statusItem.backgroundColor], [undefined]);
  LanguageClient.made[0].listeners[0]({ newState: 1 });
  assert.match(statusItem.text, /error/);
  assert.match(statusItem.tooltip, /has ended/);
  await registered.get("foreword.restart")?.();
  assert.equal(statusItem.text, "$(sparkle) foreword");
  LanguageClient.made[0].listeners[0]({ newState: 1 });
  assert.equal(statusItem.text, "$(sparkle) foreword", "the end of the old server is no fault of the new one");
  LanguageClient.fails = "spawn foreword ENOENT";
  await registered.get("foreword.restart")?.();
  assert.match(statusItem.tooltip, /ENOENT/);
  assert.equal(statusItem.backgroundColor?.id, "statusBarItem.errorBackground");
});

test("the status item says why nothing is suggested", async () => {
  await activate(context);
  const [client] = LanguageClient.made;
  assert.deepEqual(client.capabilities, { experimental: { forewordStatus: true } });
  const told = (last: unknown) => {
    client.notifications.get("foreword/status")?.(last);
    return [statusItem.text, statusItem.tooltip];
  };
  const [text, tooltip] = told({ state: "withheld", text: "withheld, 37 %", confidence: 0.37, least: 0.45 });
  assert.equal(text, "$(sparkle) foreword: withheld, 37 %");
  assert.match(tooltip, /Trigger Inline Suggestion.*foreword\.leastConfidence/);
  const away = told({ state: "failure", text: "no answer", message: "no model answers at http://127.0.0.1:9" });
  assert.equal(away[0], "$(warning) foreword: no answer");
  assert.match(away[1], /no model answers at/);
  const shown = told({ state: "suggestion", text: "81 %", confidence: 0.81 });
  assert.deepEqual(shown, ["$(sparkle) foreword", "foreword 0.1.0 suggests"]);
});

test("suggestions are switched off and on, and the status item says so", async () => {
  await activate(context);
  await registered.get("foreword.toggle")?.();
  assert.equal(values["foreword.enabled"], false);
  assert.match(statusItem.tooltip, /suggests nothing/);
  await registered.get("foreword.toggle")?.();
  assert.equal(values["foreword.enabled"], true);
  assert.match(statusItem.tooltip, /suggests$/);
});

test("a click on the status item offers what can be done", async () => {
  await activate(context);
  const { command } = JSON.parse(readFileSync("package.json", "utf8")).contributes.commands.find(
    (it: { command: string }) => it.command === "foreword.menu",
  );
  for (const [label, check] of [
    ["Show context", () => assert.match(calls.join(), /open a file first/)],
    ["Suggest nothing", () => assert.equal(values["foreword.enabled"], false)],
    ["Suggest again", () => assert.equal(values["foreword.enabled"], true)],
    ["Show the log", () => assert.ok(LanguageClient.made[0].logShown)],
    ["Settings", () => assert.match(calls.join(), /openSettings foreword/)],
    ["Restart", () => assert.equal(LanguageClient.made.length, 2)],
  ] as const) {
    picked.label = label;
    await registered.get(command)?.();
    check();
  }
});

test("the places of the next edit are listed, and the one that is picked is opened", async () => {
  await activate(context);
  window.activeTextEditor = { document: { uri: "file:///fees.py" }, selection: { active: { line: 0, character: 4 } } };
  const client = LanguageClient.made[0];
  client.answer = [];
  await registered.get("foreword.nextEdit")?.();
  assert.match(calls.join(), /no other place follows/);
  const range = { start: { line: 4, character: 0 }, end: { line: 5, character: 0 } };
  const location = { uri: "file:///desk.py", range };
  client.answer = [{ location, message: "has late_fee", path: "desk.py", symbol: "pay", text: "", confidence: 0.4 }];
  picked.label = "desk.py:5";
  await registered.get("foreword.nextEdit")?.();
  assert.match(calls.join(), /show: file:\/\/\/desk.py line 4/);
  assert.deepEqual(client.requests.at(-1), [
    "workspace/executeCommand",
    { command: "foreword.nextEdits", arguments: ["file:///fees.py", { line: 0, character: 4 }] },
  ]);
  window.activeTextEditor = undefined;
});

test("after a change a hint names the next edit, and one key goes there and makes it", async () => {
  await activate(context);
  const uri = (path: string) => ({ scheme: "file", toString: () => `file:///${path}` });
  const lineAt = () => ({ text: "x = 1" });
  const fees = new TextEditor({ uri: uri("fees.py"), version: 2, lineAt }, 0);
  const desk = new TextEditor({ uri: uri("desk.py"), version: 7, lineAt }, 4);
  Object.assign(window, { activeTextEditor: fees, visibleTextEditors: [fees] });
  const range = (line: number, start: number, end: number) => ({ start: { line, character: start }, end: { line, character: end } });
  const client = LanguageClient.made[0];
  const place = (version: number) => ({
    location: { uri: "file:///desk.py", range: range(4, 0, 0) },
    message: "has late_fee",
    path: "desk.py",
    symbol: "pay",
    text: "return late_fee(days)",
    confidence: 0.9,
    edits: [{ range: range(4, 11, 19), newText: "overdue_fee", version }],
  });
  const shown = async (of: TextEditor, part: RegExp) => {
    changes[0]({ document: of.document, contentChanges: [{}] });
    for (let n = 0; n < 100 && !part.test(of.shown()); n += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.match(of.shown(), part);
  };
  client.answer = [place(7)];
  await shown(fees, /Tab: desk.py:5: return late_fee/);
  assert.deepEqual(client.requests.at(-1), [
    "workspace/executeCommand",
    { command: "foreword.nextEdits", arguments: [fees.document.uri, { line: 0, character: 0 }, { onlyAfterEdits: true }] },
  ]);
  assert.match(calls.join(), /setContext foreword.hasNextEdit true/);
  await registered.get("foreword.takeNextEdit")?.();
  assert.match(calls.join(), /show: file:\/\/\/desk.py line 4/);
  Object.assign(window, { activeTextEditor: desk, visibleTextEditors: [fees, desk] });
  await registered.get("foreword.takeNextEdit")?.();
  assert.match(calls.join(), /edit: 4:11 overdue_fee/);
  assert.match(calls.at(-2) ?? "", /setContext foreword.hasNextEdit false/);
  // Of another version nothing is made.
  client.answer = [place(6)];
  await shown(desk, /overdue_fee/);
  const before = calls.length;
  await registered.get("foreword.takeNextEdit")?.();
  assert.doesNotMatch(calls.slice(before).join(), /edit: /);
  // What was hidden is not shown again.
  await shown(desk, /overdue_fee/);
  await registered.get("foreword.dismissNextEdit")?.();
  assert.doesNotMatch(desk.shown(), /overdue_fee/);
  const asked = client.requests.length;
  changes[0]({ document: desk.document, contentChanges: [{}] });
  while (client.requests.length === asked) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.doesNotMatch(desk.shown(), /overdue_fee/);
});

test("every command of the extension is one that the editor knows, and the other way round", async () => {
  await activate(context);
  const own = JSON.parse(readFileSync("package.json", "utf8")).contributes.commands;
  assert.deepEqual(own.map((it: { command: string }) => it.command).sort(), [...registered.keys()].sort());
});

test("another program is started when it is named", async () => {
  await activate(context);
  values["foreword.command"] = "other";
  await listeners[0]({ affectsConfiguration: (name) => name === "foreword.command" });
  await listeners[0]({ affectsConfiguration: () => false });
  assert.deepEqual(LanguageClient.made.map((it) => [it.server.command, it.state]), [
    ["foreword", "stopped"],
    ["other", "started"],
  ]);
});

test("programs named in quick succession leave one server", async () => {
  await activate(context);
  const named = async (name: string) => {
    values["foreword.command"] = name;
    await listeners[0]({ affectsConfiguration: () => true });
  };
  await Promise.all([named("other"), named("absent"), named("foreword"), named("other")]);
  const running = LanguageClient.made.filter((it) => it.state === "started");
  assert.deepEqual(running.map((it) => it.server.command), ["other"]);
});

test("the context is asked for where the cursor is", async () => {
  await activate(context);
  await registered.get("foreword.showContextHere")?.();
  assert.match(calls[0], /open a file first/);
  const position = { line: 3, character: 1 };
  window.activeTextEditor = { document: { uri: "file:///a.py" }, selection: { active: position } };
  await registered.get("foreword.showContextHere")?.();
  assert.deepEqual(LanguageClient.made[0].requests, [
    ["workspace/executeCommand", { command: "foreword.showContext", arguments: ["file:///a.py", position] }],
  ]);
});

test("the server is told its own settings alone", async () => {
  Object.assign(values, { "foreword.command": "other", "foreword.enabled": false });
  await activate(context);
  const { configuration } = LanguageClient.made[0].options.middleware.workspace;
  const next = async () => [{ command: "other", enabled: false }, { tab: 4 }];
  const asked = { items: [{ section: "foreword" }, { section: "editor" }] };
  assert.deepEqual(await configuration(asked, undefined, next), [{ enabled: false }, { tab: 4 }]);
});

test("every setting of the page is one that the extension has, with the same default", () => {
  const own = JSON.parse(readFileSync("package.json", "utf8")).contributes.configuration.properties;
  const none = { get: () => undefined };
  assert.deepEqual(server(none), { command: "foreword", args: ["lsp"] });
  assert.deepEqual(settings(none), {});
  assert.deepEqual(Object.keys(own).sort(), ["command", ...NAMES].map((it) => `foreword.${it}`).sort());
  const page = readFileSync(process.env.FOREWORD_EDITORS_PAGE ?? "../../docs/editors.md", "utf8");
  for (const name of NAMES) {
    assert.ok(page.includes(`| \`${name}\` | \`${own[`foreword.${name}`].default}\` |`), name);
  }
});
