// What the status bar says.

import type { Configuration } from "./settings";

/** How the server is. */
export type State =
  | { kind: "starting" }
  | { kind: "running"; version: string | undefined }
  | { kind: "failed"; why: string };

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
      return { text: "$(sparkle) foreword", tooltip: `${name} suggests`, isError: false };
    }
  }
}
