// What the status bar says.

import type { Configuration } from "./settings";

/** How the server is. */
export type State =
  | { kind: "starting" }
  | { kind: "running"; version: string | undefined; last?: Outcome }
  | { kind: "failed"; why: string };

/** What came of the last request for a suggestion (`foreword/status`). */
export interface Outcome {
  state: string;
  text: string;
  message?: string;
}

/** What is shown of a state. */
export interface Status {
  text: string;
  tooltip: string;
  isError: boolean;
}

/** The status item for a state of the server, with the user's settings. */
export function status(state: State, configuration: Configuration): Status {
  switch (state.kind) {
    case "starting":
      return { text: "$(sync~spin) foreword", tooltip: "foreword starts", isError: false };
    case "failed":
      return { text: "$(error) foreword", tooltip: `foreword does not run: ${state.why}`, isError: true };
    case "running": {
      const name = state.version ? `foreword ${state.version}` : "foreword";
      if (configuration.get<boolean>("enabled") === false) {
        return { text: "$(circle-slash) foreword", tooltip: `${name} suggests nothing (foreword.enabled)`, isError: false };
      }
      return { ...outcome(name, state.last), isError: false };
    }
  }
}

/** Silence is explained; a suggestion is seen. */
function outcome(name: string, last: Outcome | undefined): Omit<Status, "isError"> {
  if (!last || last.state === "suggestion") {
    return { text: "$(sparkle) foreword", tooltip: `${name} suggests` };
  }
  const shown = "“Trigger Inline Suggestion” shows it; foreword.leastConfidence is the least that is shown unasked";
  const why = last.state === "withheld" ? shown : last.message;
  const icon = last.state === "failure" ? "warning" : "sparkle";
  return { text: `$(${icon}) foreword: ${last.text}`, tooltip: `${name}: ${last.text}${why ? `. ${why}` : ""}` };
}
