// From the editor's settings to what starts the server and what it is told.

/** The section of the editor's settings. */
export const SECTION = "foreword";

/** What the server takes; it refuses all other names. */
export const NAMES = ["enabled", "leastConfidence", "maxLines", "deadlineMs"] as const;

/** As much of the editor's configuration as is asked. */
export interface Configuration {
  get<T>(name: string): T | undefined;
}

/** How the server is started. */
export function server(configuration: Configuration): { command: string; args: string[] } {
  const command = configuration.get<string>("command")?.trim();
  return { command: command || "foreword", args: ["lsp"] };
}

/** The server's settings; what is not set has the server's default. */
export function settings(configuration: Configuration): Record<string, unknown> {
  const set = NAMES.map((name) => [name, configuration.get(name)] as const);
  return Object.fromEntries(set.filter(([, value]) => value !== undefined));
}
