#!/usr/bin/env node
// Starts the program of the package for this platform, and ends as it ends.
"use strict";

const { spawn } = require("node:child_process");

/** Whether the C library is musl's: the only one that Node reports no version of. */
function isMusl() {
  return process.platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
}

/** The file of the program; `FOREWORD_BINARY` names another. */
function program() {
  if (process.env.FOREWORD_BINARY) return process.env.FOREWORD_BINARY;
  const platform = `${process.platform}-${process.arch}${isMusl() ? "-musl" : ""}`;
  const file = process.platform === "win32" ? "foreword.exe" : "foreword";
  try {
    return require.resolve(`@foreword/${platform}/${file}`);
  } catch {
    console.error(
      `foreword: the package @foreword/${platform} is not installed. If there is one, npm was told to omit optional ` +
        "dependencies: install without that. If there is none, build from source: cargo install foreword.",
    );
    process.exit(3);
  }
}

const file = program();
const child = spawn(file, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
// A signal to the terminal's group reaches both; one to this process alone has to be handed on.
for (const signal of ["SIGTERM", "SIGHUP", "SIGINT"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`foreword: ${file} cannot be started: ${error.message}`);
  process.exit(3);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
