// A folder to type the commands of a page in: a copy of the suite and of the sample log, and `weir` as it is built.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { recordings } from "./recordings.ts";
import { sampleConfigurations } from "./sample-configurations.ts";
import { sampleLogs, sampleRows } from "./sample-logs.ts";
import { entry } from "../built.ts";
import { runsToCompare } from "../studies/bench/runs-to-compare.ts";

export const root = join(import.meta.dirname, "../..");

export interface Desk {
  readonly folder: string;
  /** `weir`: shell code that takes the place of the built command. */
  readonly type: (command: string, weir?: string) => string;
}

export function desk(files: Readonly<Record<string, string | Uint8Array>> = {}): Desk {
  const folder = mkdtempSync(join(tmpdir(), "weir-docs-"));
  for (const part of ["scenarios", "samples"])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  mkdirSync(join(folder, "bin"));
  // As npm installs a command, so that what it prints to be copied begins with its name.
  symlinkSync(entry(), join(folder, "bin/weir"));
  symlinkSync(process.execPath, join(folder, "bin/node"));
  const path = [join(folder, "bin"), process.env["PATH"]].join(delimiter);
  const env = { ...process.env, PATH: path, NO_COLOR: "1" };
  return {
    folder,
    type: (command, weir = "") => {
      // The page explains exit codes in words, and a failing example has one.
      const shell = `${weir}
        (${command}) 2>errors || true; grep -vE ' of traffic in |^running [0-9]+ scenario' errors || true`;
      return execFileSync("bash", ["-c", shell], { cwd: folder, encoding: "utf8", env }).trim();
    },
  };
}

interface PageDesk {
  readonly files?: () => Readonly<Record<string, string | Uint8Array>>;
  /** The shell command for a command of the page; null: it needs the checkout, and takes long. */
  readonly shell: (command: string) => string | null;
}

const asShown = (command: string): string => command;
const withErrors = (command: string): string => `(${command}) 2>&1`;
const withoutErrors = (command: string): string => `(${command}) 2>/dev/null`;

/** Progress and times go to standard error, and are not shown. */
function inClone(command: string): string | null {
  const typed =
    command === "npm start"
      ? "weir run scenarios"
      : command.replace(/^npm run --silent weir -- /, "weir ");
  return typed.startsWith("weir ") ? withoutErrors(typed) : null;
}

/** Every page whose console blocks are compared with what is printed, and written anew by `npm run docs:figures`. */
export const DESKS: Readonly<Record<string, PageDesk>> = {
  "README.md": { shell: inClone },
  "docs/inside/swarm.md": { shell: inClone },
  "docs/answer/reading-results.md": { shell: asShown },
  "docs/answer/semantics.md": { shell: asShown },
  "docs/answer/worst-case.md": { shell: asShown },
  "docs/serve/comparing.md": { shell: asShown, files: () => runsToCompare },
  "docs/answer/in-ci.md": {
    shell: (command) => `(${command}) 2>&1 | grep -vE ' of traffic in |^running [0-9]+ scenario'`,
  },
  "docs/answer/lint.md": { shell: asShown, files: () => recordings },
  "docs/answer/identify.md": { shell: asShown },
  "docs/answer/diff.md": { shell: withErrors, files: () => sampleConfigurations },
  "docs/answer/recommend.md": { shell: withErrors, files: () => sampleLogs },
  "docs/reference/log-formats.md": {
    shell: withErrors,
    files: () => ({ ...sampleLogs, ...sampleRows() }),
  },
  "docs/answer/replay.md": {
    shell: withErrors,
    files: () => ({ ...sampleConfigurations, ...sampleRows() }),
  },
  "docs/answer/clients.md": { shell: withoutErrors },
  "docs/start/tutorial.md": { shell: withoutErrors },
  "docs/answer/try.md": {
    shell: withoutErrors,
    files: () => ({ "nginx.conf": sampleConfigurations["nginx.conf"]! }),
  },
  "docs/answer/drivers.md": { shell: withoutErrors },
  "docs/answer/implementations.md": { shell: withoutErrors },
  "docs/answer/pareto.md": {
    shell: (command) => `${withoutErrors(command)} | sed 's/commit .*/commit .../'`,
  },
};
