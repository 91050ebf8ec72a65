// Processes that end with the run, however it ends.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";

/** The file of a module at a path relative to this one, with the ending of this file: source or compiled. */
export const moduleAt = (path: string): string =>
  new URL(path + extname(import.meta.filename), import.meta.url).pathname;

export interface BenchProcess {
  readonly process: ChildProcess;
  readonly pid: number;
  /** Resolves with the reason when the process ends; stays pending if `stop` ended it. */
  readonly exited: Promise<string>;
  /** To be called when the process is ready: earlier output will not be quoted if the process ends. */
  readonly markReady: () => void;
  readonly stop: () => Promise<void>;
}

const LAST_WORDS = 500;

/** Starts a program of Node. `processName` is the name of the process in messages. */
export function startChild(
  processName: string,
  args: readonly string[],
  stdout: "ignore" | "pipe" = "ignore",
): BenchProcess {
  const child = spawn(
    process.execPath,
    ["--import", new URL(`file://${moduleAt("./with-parent.node")}`).href, ...args],
    // Its own process group keeps Ctrl-C from it: only the run receives the signal, and then stops it in order.
    { stdio: ["ignore", stdout, "pipe", "ipc"], detached: true, env: withoutSettings() },
  );
  let output = "";
  let isWanted = true;
  child
    .stderr!.setEncoding("utf8")
    .on("data", (text: string) => (output = (output + text).slice(-LAST_WORDS)));
  const exit = once(child, "exit");
  const exited = exit.then(([code, signal]) => {
    if (!isWanted) return new Promise<string>(() => {});
    return `${processName} has ended with ${signal ?? `code ${code}`}${output === "" ? "" : `: ${output.trim()}`}`;
  });
  return {
    process: child,
    pid: child.pid!,
    exited,
    markReady: () => {
      output = "";
    },
    stop: async () => {
      isWanted = false;
      await endChild(child);
    },
  };
}

const LONGEST_END_MS = 2_000;

/** Ends a process by closing its channel. If it does not react, for example because it is suspended, it is killed. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  if (child.connected) child.disconnect();
  const kill = setTimeout(() => child.kill("SIGKILL"), LONGEST_END_MS);
  await exited;
  clearTimeout(kill);
}

/** The environment without settings of Weir, because no setting applies to the gateways of a benchmark. */
const withoutSettings = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.startsWith("WEIR_") || name === "WEIR_IMPLEMENTATIONS",
    ),
  );
