// The next edit: a hint of its place after a change, a key that goes there, and the same key to make it.

import * as vscode from "vscode";

interface Range {
  start: { line: number; character: number };
  end: { line: number; character: number };
}

/** A place where the next edit is likely, as the server says it. */
export interface NextPlace {
  location: { uri: string; range: Range };
  message: string;
  path: string;
  symbol: string;
  text: string;
  confidence: number;
  edits: { range: Range; newText: string; version: number | null }[];
}

/** Milliseconds without a change before the server is asked. */
const DELAY = 300;

/** Whether a place is shown: what the keys depend on. */
const CONTEXT = "foreword.hasNextEdit";

const rangeOf = (it: Range) => new vscode.Range(it.start.line, it.start.character, it.end.line, it.end.character);

const keyOf = (it: NextPlace) => [it.location.uri, it.text, it.edits[0]?.newText].join("\n");

/** The first line to change, from 0. */
const lineOf = (it: NextPlace) => (it.edits[0]?.range ?? it.location.range).start.line;

export class NextEdit {
  private place: NextPlace | undefined;
  /** Places that were hidden, until nothing is left to do. */
  private readonly dismissed = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  /** The number of the latest request; the answers to earlier ones do not count. */
  private latest = 0;
  private readonly old = vscode.window.createTextEditorDecorationType({ textDecoration: "line-through", opacity: "0.6" });
  private readonly beside = vscode.window.createTextEditorDecorationType({});

  /** `ask` asks the server for the places after what was changed. */
  constructor(private readonly ask: () => Promise<NextPlace[] | undefined>) {}

  /** Watches the editor as long as the extension runs. */
  register(): vscode.Disposable[] {
    return [
      vscode.commands.registerCommand("foreword.takeNextEdit", () => this.take()),
      vscode.commands.registerCommand("foreword.dismissNextEdit", () => this.dismiss()),
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.contentChanges.length > 0 && event.document.uri.scheme === "file") {
          this.changed();
        }
      }),
      vscode.window.onDidChangeTextEditorSelection(() => this.draw()),
      vscode.window.onDidChangeActiveTextEditor(() => this.draw()),
      { dispose: () => clearTimeout(this.timer) },
      this.old,
      this.beside,
    ];
  }

  private changed(): void {
    this.show(undefined);
    this.latest += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.find(), DELAY);
  }

  /** Shows the first place that was not hidden. */
  async find(): Promise<void> {
    this.latest += 1;
    const asked = this.latest;
    const places = (await this.ask().catch(() => undefined)) ?? [];
    if (asked !== this.latest) {
      return;
    }
    if (places.length === 0) {
      this.dismissed.clear();
    }
    this.show(places.find((it) => !this.dismissed.has(keyOf(it))));
  }

  private show(place: NextPlace | undefined): void {
    if (Boolean(place) !== Boolean(this.place)) {
      void vscode.commands.executeCommand("setContext", CONTEXT, Boolean(place));
    }
    const hadPlace = Boolean(this.place);
    this.place = place;
    if (place || hadPlace) {
      this.draw();
    }
  }

  private isOf(editor: vscode.TextEditor, place: NextPlace): boolean {
    return editor.document.uri.toString() === vscode.Uri.parse(place.location.uri).toString();
  }

  /** Whether the cursor is at the place. */
  private isThere(editor: vscode.TextEditor, place: NextPlace): boolean {
    const last = place.edits.length > 0 ? lineOf(place) : place.location.range.end.line - 1;
    const { line } = editor.selection.active;
    return this.isOf(editor, place) && lineOf(place) <= line && line <= last;
  }

  /** Shows what an edit takes away and puts there, and beside the cursor where it is. */
  private draw(): void {
    const { place } = this;
    for (const editor of vscode.window.visibleTextEditors) {
      const edits = place && this.isOf(editor, place) ? place.edits : [];
      editor.setDecorations(this.old, edits.map((it) => rangeOf(it.range)));
      const beside: vscode.DecorationOptions[] = edits.map((it) => {
        const { line, character } = it.range.end;
        const color = new vscode.ThemeColor("gitDecoration.addedResourceForeground");
        const after = { contentText: it.newText.split("\n")[0], color };
        return { range: new vscode.Range(line, character, line, character), renderOptions: { after } };
      });
      if (place && editor === vscode.window.activeTextEditor && !this.isThere(editor, place)) {
        const where = this.isOf(editor, place) ? `line ${lineOf(place) + 1}` : `${place.path}:${lineOf(place) + 1}`;
        const { line } = editor.selection.active;
        const end = editor.document.lineAt(line).text.length;
        const color = new vscode.ThemeColor("editorGhostText.foreground");
        const after = { contentText: `  Tab: ${where}: ${place.text}`, color };
        beside.push({ range: new vscode.Range(line, end, line, end), renderOptions: { after } });
      }
      editor.setDecorations(this.beside, beside);
    }
  }

  /** Goes to the place; there, makes its edits in one step of undo. */
  async take(): Promise<void> {
    const { place } = this;
    const editor = vscode.window.activeTextEditor;
    if (!place || !editor) {
      return;
    }
    if (!this.isThere(editor, place)) {
      const { start } = (place.edits[0] ?? place.location).range;
      const selection = new vscode.Range(start.line, start.character, start.line, start.character);
      await vscode.window.showTextDocument(vscode.Uri.parse(place.location.uri), { selection });
      this.draw();
      return;
    }
    const { version } = place.edits[0] ?? { version: null };
    this.show(undefined);
    // The document may have changed since the server was asked.
    if (version !== null && version !== editor.document.version) {
      this.changed();
      return;
    }
    await editor.edit((it) => place.edits.forEach((edit) => it.replace(rangeOf(edit.range), edit.newText)));
  }

  /** Hides the place; the next change brings the next one. */
  dismiss(): void {
    if (this.place) {
      this.dismissed.add(keyOf(this.place));
      this.show(undefined);
    }
  }
}
