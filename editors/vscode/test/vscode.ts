// As much of the editor as the extension touches, written down as it is called.

export const calls: string[] = [];
export const registered = new Map<string, (...args: unknown[]) => unknown>();
export const values: Record<string, unknown> = {};
export const listeners: ((event: { affectsConfiguration(name: string): boolean }) => Promise<void>)[] = [];

export const commands = {
  registerCommand(name: string, action: (...args: unknown[]) => unknown) {
    registered.set(name, action);
    return { dispose: () => registered.delete(name) };
  },
  executeCommand: (...args: unknown[]) => calls.push(`execute: ${args.join(" ")}`),
};

/** What is called when a document changes. */
export const changes: ((event: unknown) => void)[] = [];

const nothing = () => ({ dispose: () => undefined });

/** The decorations of an editor: texts beside ranges, and struck ranges. */
export class TextEditor {
  decorations = new Map<unknown, unknown[]>();
  selection: { active: { line: number; character: number } };

  constructor(
    readonly document: { uri: { scheme: string; toString(): string }; version: number; lineAt(line: number): { text: string } },
    line: number,
  ) {
    this.selection = { active: { line, character: 0 } };
  }

  setDecorations(type: unknown, ranges: unknown[]) {
    this.decorations.set(type, ranges);
  }

  /** What is shown, as text. */
  shown(): string {
    return JSON.stringify([...this.decorations.values()]);
  }

  edit(change: (builder: { replace(range: Range, text: string): void }) => void) {
    change({ replace: (range, text) => calls.push(`edit: ${range.startLine}:${range.startCharacter} ${text}`) });
    return Promise.resolve(true);
  }
}

export const workspace = {
  getConfiguration: (section: string) => ({
    get: (name: string) => values[`${section}.${name}`],
    update: async (name: string, value: unknown) => {
      values[`${section}.${name}`] = value;
      await Promise.all(listeners.map((it) => it({ affectsConfiguration: (it) => it === section || it === `${section}.${name}` })));
    },
  }),
  onDidChangeTextDocument(listener: (event: unknown) => void) {
    changes.push(listener);
    return { dispose: () => undefined };
  },
  onDidChangeConfiguration(listener: (typeof listeners)[number]) {
    listeners.push(listener);
    return { dispose: () => undefined };
  },
};

export const window: { activeTextEditor: unknown; [name: string]: unknown } = {
  activeTextEditor: undefined,
  visibleTextEditors: [],
  createTextEditorDecorationType: () => ({ dispose: () => undefined }),
  onDidChangeTextEditorSelection: nothing,
  onDidChangeActiveTextEditor: nothing,
  showErrorMessage: async (text: string, ...buttons: string[]) => {
    calls.push(`error: ${text}`);
    return buttons.find((it) => it === picked.label);
  },
  showInformationMessage: (text: string) => calls.push(`information: ${text}`),
  createStatusBarItem: () => statusItem,
  showTextDocument: async (uri: unknown, options: { selection: Range }) =>
    calls.push(`show: ${String(uri)} line ${options.selection.startLine}`),
  showQuickPick: async (items: { label: string }[]) => items.find((it) => it.label.includes(picked.label)),
};

/** What the user picks of a list, or of the buttons of a message: the item with these words. */
export const picked = { label: "" };

/** The item of the status bar. */
export const statusItem = {
  text: "",
  tooltip: "",
  backgroundColor: undefined as ThemeColor | undefined,
  isShown: false,
  show() {
    this.isShown = true;
  },
};

export class ThemeColor {
  constructor(readonly id: string) {}
}

export const StatusBarAlignment = { Left: 1, Right: 2 };

export const ConfigurationTarget = { Global: 1 };

export class Range {
  constructor(
    readonly startLine: number,
    readonly startCharacter: number,
    readonly endLine: number,
    readonly endCharacter: number,
  ) {}
}

export const Uri = { parse: (text: string) => text };
