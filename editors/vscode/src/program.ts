// Whether the program can be run at all. The client would find out, too, but says it in words that name no remedy.

import { execFile } from "node:child_process";

/** Why a program cannot be run; nothing if it can be, however it ends. */
export function whyNotRun(command: string): Promise<string | undefined> {
  return new Promise((answer) => {
    execFile(command, ["--version"], { timeout: 10_000 }, (error) => {
      switch (error?.code) {
        case "ENOENT":
          return answer(`there is no program ${command}`);
        case "EACCES":
          return answer(`${command} must not be executed`);
        default:
          return answer(undefined);
      }
    });
  });
}
