// A language client that starts nothing and writes down what it is told.

export const State = { Stopped: 1, Running: 2, Starting: 3 };

export const ExecuteCommandRequest = { type: "workspace/executeCommand" };

export class LanguageClient {
  static made: LanguageClient[] = [];
  static fails: string | undefined;
  requests: unknown[] = [];
  state = "made";
  initializeResult = { serverInfo: { name: "foreword", version: "0.1.0" } };
  logShown = false;
  outputChannel = { show: () => (this.logShown = true) };
  listeners: ((event: { newState: number }) => void)[] = [];
  code2ProtocolConverter = { asUri: (it: unknown) => it, asPosition: (it: unknown) => it };

  constructor(
    readonly id: string,
    readonly name: string,
    readonly server: { command: string; args: string[] },
    readonly options: {
      initializationOptions: unknown;
      documentSelector: { scheme: string }[];
      middleware: {
        workspace: {
          configuration(params: unknown, token: unknown, next: (...args: unknown[]) => unknown): Promise<unknown>;
        };
      };
    },
  ) {
    LanguageClient.made.push(this);
  }

  async start() {
    if (LanguageClient.fails) {
      throw new Error(LanguageClient.fails);
    }
    this.state = "started";
  }

  async stop() {
    this.state = "stopped";
  }

  onDidChangeState(listener: (event: { newState: number }) => void) {
    this.listeners.push(listener);
  }

  capabilities: { experimental?: unknown } = {};

  registerFeature(feature: { fillClientCapabilities(capabilities: unknown): void }) {
    feature.fillClientCapabilities(this.capabilities);
  }

  /** What the extension does with the server's notifications. */
  notifications = new Map<string, (params: unknown) => void>();

  onNotification(method: string, handler: (params: unknown) => void) {
    this.notifications.set(method, handler);
  }

  /** What the server answers to each request. */
  answer: unknown = undefined;

  async sendRequest(type: unknown, params: unknown) {
    this.requests.push([type, params]);
    return this.answer;
  }
}
