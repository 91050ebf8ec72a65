// Processes that end with the run, however it ends.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";

/** The module at a path relative to this one: source from source, compiled from compiled. */
export const moduleAt = (path: string): string =>
  new URL(path + extname(import.meta.filename), import.meta.url).pathname;

export interface BenchProcess {
  readonly process: ChildProcess;
  readonly pid: number;
  /** Why it ended; pending for a process that was stopped. */
  readonly exited: Promise<string>;
  /** It runs: its output so far does not explain a later end. */
  readonly markReady: () => void;
  readonly stop: () => Promise<void>;
}

const LAST_WORDS = 500;

/** `processName` is its name in messages. */
export function startChild(
  processName: string,
  args: readonly string[],
  stdout: "ignore" | "pipe" = "ignore",
): BenchProcess {
  const child = spawn(
    process.execPath,
    ["--import", new URL(`file://${moduleAt("./with-parent.node")}`).href, ...args],
    // A group of its own: Ctrl-C reaches only the run itself, which then stops the process in order.
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

/** Closes its channel, which ends it; a process that does not react, such as a suspended one, is killed. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  if (child.connected) child.disconnect();
  const kill = setTimeout(() => child.kill("SIGKILL"), LONGEST_END_MS);
  await exited;
  clearTimeout(kill);
}

/** Settings in the environment are for other gateways, not for these. */
const withoutSettings = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !name.startsWith("WEIR_") || name === "WEIR_IMPLEMENTATIONS",
    ),
  );
