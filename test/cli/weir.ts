// The real command in a folder of its own: from source in this process, or built as a child where a test needs a process.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { weir as commandLine } from "#src/cli/main.node.ts";
import { terminal, type Stream } from "#src/cli/terminal.node.ts";
import type { Terminal } from "#src/cli/terminal.ts";
import { entry, sourceEntry } from "../built.ts";

/** The environment of a shell, without the colour variables of the test's own terminal or build machine. */
export const quietEnvironment: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !name.startsWith("GITHUB_") &&
      !["NO_COLOR", "FORCE_COLOR", "CI", "WEIR_DEBUG", "NODE_OPTIONS"].includes(name),
  ),
);

export interface CommandOutput {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** All output, in its order. */
export type Written = readonly (readonly [stream: "out" | "err", text: string])[];

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * In this process: to start another one and load the command there takes ten times as long as most commands. Folder,
 * environment and arguments are those of the process meanwhile, so that only one command may run at a time.
 */
export async function weir(
  folder: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  columns: number | null = null,
): Promise<CommandOutput> {
  const { code, written } = await weirInOrder(folder, args, environment, columns);
  const textOf = (stream: "out" | "err"): string =>
    written.flatMap(([one, text]) => (one === stream ? text : [])).join("");
  return { code, out: textOf("out"), err: textOf("err") };
}

/** The same, with the order in which it wrote to both streams. `columns`: of a terminal; null: stdout is none. */
export async function weirInOrder(
  folder: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  columns: number | null = null,
): Promise<Pick<CommandOutput, "code"> & { readonly written: Written }> {
  const { env, argv } = process;
  const home = process.cwd();
  const listening = SIGNALS.map((signal) => [signal, process.listeners(signal)] as const);
  const written: [stream: "out" | "err", text: string][] = [];
  process.chdir(folder);
  process.env = { ...quietEnvironment, ...environment };
  process.argv = [process.execPath, sourceEntry, ...args];
  try {
    const screen = terminal(args, {
      stdout: gatheringStream((text) => written.push(["out", text]), columns),
      stderr: gatheringStream((text) => written.push(["err", text])),
    });
    const code = await commandLine(args, screen, () => {});
    return { code, written };
  } finally {
    process.chdir(home);
    process.env = env;
    process.argv = argv;
    for (const [signal, earlier] of listening)
      for (const listener of process.listeners(signal))
        if (!earlier.includes(listener)) process.off(signal, listener);
  }
}

function gatheringStream(write: Stream["write"], columns: number | null = null): Stream {
  const stream: Stream = {
    isTTY: columns !== null,
    columns: columns ?? 0,
    write,
    on: () => stream,
  };
  return stream;
}

/** A terminal without colours, for functions that write to one; its lines go into these lists. */
export const plainTerminal = (out: string[] = [], err: string[] = []): Terminal => ({
  out: (line) => void out.push(line),
  err: (line) => void err.push(line),
  status: () => {},
  isWatched: false,
  columns: 80,
  tableColumns: 80,
  paint: (_tone, text) => text,
});

/** As a child process: for what is printed past the command, how it ends, and who reads it. */
export function weirProcess(
  folder: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): CommandOutput {
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry(), ...args], {
    cwd: folder,
    encoding: "utf8",
    timeout: 50_000, // one that serves where it ought to refuse would never end
    env: { ...quietEnvironment, ...environment },
  });
  return { code: status, out: stdout, err: stderr };
}

/** A folder that holds these files and is gone after the test. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "weir-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o600 }); // a world that others can read is warned of
  }
  return folder;
}
