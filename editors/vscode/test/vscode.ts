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
};

export const workspace = {
  getConfiguration: (section: string) => ({ get: (name: string) => values[`${section}.${name}`] }),
  onDidChangeConfiguration(listener: (typeof listeners)[number]) {
    listeners.push(listener);
    return { dispose: () => undefined };
  },
};

export const window: { activeTextEditor: unknown; [name: string]: unknown } = {
  activeTextEditor: undefined,
  showErrorMessage: (text: string) => calls.push(`error: ${text}`),
  showInformationMessage: (text: string) => calls.push(`information: ${text}`),
};
