// Starts `foreword lsp` and gives the editor its commands. All else is the protocol's: ghost text, settings, progress.

import * as vscode from "vscode";
import { ExecuteCommandRequest, LanguageClient, State as ClientState } from "vscode-languageclient/node";
import { NextEdit, type NextPlace } from "./next";
import { whyNotRun } from "./program";
import { SECTION, server, settings } from "./settings";
import { type Outcome, type State, status } from "./status";

const STOPPED = ClientState.Stopped;

let client: LanguageClient | undefined;
let item: vscode.StatusBarItem | undefined;
let state: State = { kind: "starting" };
let started = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  item = vscode.window.createStatusBarItem("foreword", vscode.StatusBarAlignment.Right, 100);
  item.name = "foreword";
  item.command = "foreword.menu";
  context.subscriptions.push(
    item,
    ...new NextEdit(placesAfterChange).register(),
    vscode.commands.registerCommand("foreword.menu", showMenu),
    vscode.commands.registerCommand("foreword.showContextHere", showContextHere),
    vscode.commands.registerCommand("foreword.nextEdit", nextEdit),
    vscode.commands.registerCommand("foreword.toggle", toggle),
    vscode.commands.registerCommand("foreword.restart", restart),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("foreword.command")) {
        await restart();
      }
      show(state);
    }),
  );
  await restart();
}

/** Shows a state in the status bar. */
function show(now: State): void {
  state = now;
  if (!item) {
    return;
  }
  const shown = status(now, vscode.workspace.getConfiguration(SECTION));
  item.text = shown.text;
  item.tooltip = shown.tooltip;
  item.backgroundColor = shown.isError ? new vscode.ThemeColor("statusBarItem.errorBackground") : undefined;
  item.show();
}

/** What can be done, as a list: where a click on the status item leads. */
async function showMenu(): Promise<void> {
  const enabled = vscode.workspace.getConfiguration(SECTION).get<boolean>("enabled") ?? true;
  const actions = [
    { label: "$(eye) Show context here", run: showContextHere },
    { label: "$(arrow-right) Where the next edit is likely", run: nextEdit },
    { label: enabled ? "$(circle-slash) Suggest nothing" : "$(sparkle) Suggest again", run: toggle },
    { label: "$(refresh) Restart the server", run: restart },
    { label: "$(output) Show the log", run: async () => client?.outputChannel.show() },
    { label: "$(gear) Settings", run: async () => void vscode.commands.executeCommand("workbench.action.openSettings", SECTION) },
  ];
  await (await vscode.window.showQuickPick(actions, { title: "foreword" }))?.run();
}

/** Switches suggestions off, or on again, in the user's settings. */
async function toggle(): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(SECTION);
  const enabled = configuration.get<boolean>("enabled") ?? true;
  await configuration.update("enabled", !enabled, vscode.ConfigurationTarget.Global);
}

export async function deactivate(): Promise<void> {
  const ending = client;
  client = undefined;
  await ending?.stop();
}

async function start(): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(SECTION);
  const program = server(configuration);
  show({ kind: "starting" });
  const why = await whyNotRun(program.command);
  if (why) {
    show({ kind: "failed", why });
    void offerSetting(why);
    return;
  }
  const starting = new LanguageClient("foreword", "foreword", program, {
    // A cell of a notebook is a document of its own.
    documentSelector: [{ scheme: "file" }, { scheme: "untitled" }, { scheme: "vscode-notebook-cell" }],
    initializationOptions: settings(configuration),
    synchronize: { configurationSection: SECTION },
    // `workspace/configuration` gets what the server knows: the name of the program is not its concern.
    middleware: {
      workspace: {
        configuration: async (params, token, next) => {
          const sections = await next(params, token);
          if (!Array.isArray(sections)) {
            return sections;
          }
          const own = settings(vscode.workspace.getConfiguration(SECTION));
          return params.items.map((it, at) => (it.section === SECTION ? own : sections[at]));
        },
      },
    },
  });
  client = starting;
  starting.registerFeature({
    fillClientCapabilities: (capabilities) => {
      capabilities.experimental = { ...(capabilities.experimental as object | undefined), forewordStatus: true };
    },
    initialize: () => undefined,
    getState: () => ({ kind: "static" }),
    clear: () => undefined,
  });
  starting.onNotification("foreword/status", (last: Outcome) => {
    if (client === starting && state.kind === "running") {
      show({ ...state, last });
    }
  });
  starting.onDidChangeState((event) => {
    // The client gives up on a server that ends again and again.
    if (client === starting && event.newState === STOPPED) {
      show({ kind: "failed", why: "the server has ended" });
    }
  });
  try {
    await starting.start();
    show({ kind: "running", version: starting.initializeResult?.serverInfo?.version });
  } catch (error) {
    // The client has said so, with a button that leads to its log.
    client = undefined;
    show({ kind: "failed", why: error instanceof Error ? error.message : String(error) });
  }
}

/** Says that the program cannot be run, and leads to the setting that names it. */
async function offerSetting(why: string): Promise<void> {
  const name = "Name the program";
  const text = `foreword: ${why}. Install it (pip install foreword), or name it by the setting foreword.command.`;
  if ((await vscode.window.showErrorMessage(text, name)) === name) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "@id:foreword.command");
  }
}

/** One after the other: while a path is typed into the settings, the program is named again and again. */
function restart(): Promise<void> {
  started = started.then(deactivate).catch(() => undefined).then(start);
  return started;
}

/** Runs a command of the server at the cursor; `undefined` without a file or a server. */
async function executeAtCursor<T>(command: string, ...more: unknown[]): Promise<T | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!client || !editor) {
    void vscode.window.showInformationMessage("foreword: open a file first");
    return undefined;
  }
  const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
  const position = client.code2ProtocolConverter.asPosition(editor.selection.active);
  return client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [uri, position, ...more] });
}

/** The server asks for the page to be opened. */
async function showContextHere(): Promise<void> {
  await executeAtCursor("foreword.showContext");
}

/** The places of the next edit after what was changed; `undefined` where nothing is suggested. */
async function placesAfterChange(): Promise<NextPlace[] | undefined> {
  const isWanted = vscode.workspace.getConfiguration(SECTION).get<boolean>("enabled") ?? true;
  const isFile = vscode.window.activeTextEditor?.document.uri.scheme === "file";
  return client && isWanted && isFile ? executeAtCursor<NextPlace[]>("foreword.nextEdits", { onlyAfterEdits: true }) : undefined;
}

/** Lists the places where the next edit is likely, and goes to the one that is picked. */
async function nextEdit(): Promise<void> {
  const places = await executeAtCursor<NextPlace[]>("foreword.nextEdits");
  if (!places) {
    return;
  }
  if (places.length === 0) {
    void vscode.window.showInformationMessage("foreword: no other place follows from what was changed");
    return;
  }
  const items = places.map((it) => ({
    label: `${it.path}:${it.location.range.start.line + 1}`,
    description: `${it.symbol}  ${Math.round(it.confidence * 100)} %`,
    detail: it.message,
    place: it,
  }));
  const picked = await vscode.window.showQuickPick(items, { title: "foreword: the next edit" });
  if (picked) {
    const { uri: target, range } = picked.place.location;
    const at = new vscode.Range(range.start.line, 0, range.start.line, 0);
    await vscode.window.showTextDocument(vscode.Uri.parse(target), { selection: at });
  }
}
