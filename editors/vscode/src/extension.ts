// Starts `foreword lsp` and gives the editor its commands. All else is the protocol's: ghost text, settings, progress.

import * as vscode from "vscode";
import { ExecuteCommandRequest, LanguageClient } from "vscode-languageclient/node";
import { SECTION, server, settings } from "./settings";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("foreword.showContextHere", showContextHere),
    vscode.commands.registerCommand("foreword.restart", restart),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("foreword.command")) {
        await restart();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  const ending = client;
  client = undefined;
  await ending?.stop();
}

async function start(): Promise<void> {
  const configuration = vscode.workspace.getConfiguration(SECTION);
  const starting = new LanguageClient("foreword", "foreword", server(configuration), {
    documentSelector: [{ scheme: "file" }, { scheme: "untitled" }],
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
  try {
    await starting.start();
  } catch (error) {
    client = undefined;
    const why = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(
      `foreword could not be started: ${why}. Install the program, or name it by the setting foreword.command.`,
    );
  }
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

async function showContextHere(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!client || !editor) {
    void vscode.window.showInformationMessage("foreword: open a file first");
    return;
  }
  const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
  const position = client.code2ProtocolConverter.asPosition(editor.selection.active);
  // The server asks for the page to be opened.
  await client.sendRequest(ExecuteCommandRequest.type, {
    command: "foreword.showContext",
    arguments: [uri, position],
  });
}
