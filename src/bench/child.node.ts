// Processes that last as long as the run, and no longer, however that ends.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { extname } from "node:path";

/** A module beside this one: source beside source, compiled beside compiled. */
export const moduleAt = (path: string): string =>
  new URL(path + extname(import.meta.filename), import.meta.url).pathname;

export interface Child {
  readonly process: ChildProcess;
  readonly pid: number;
  /** Why it has ended, when it has; it is never told of one that was stopped. */
  readonly gone: Promise<string>;
  /** It runs: what it has said so far is not why it ends one day. */
  readonly isUp: () => void;
  readonly stop: () => Promise<void>;
}

const LAST_WORDS = 500;

/** `called` is how it is spoken of when it ends. */
export function startChild(
  called: string,
  args: readonly string[],
  output: "ignore" | "pipe" = "ignore",
): Child {
  const child = spawn(
    process.execPath,
    ["--import", new URL(`file://${moduleAt("./with-parent.node")}`).href, ...args],
    // In a group of its own: Ctrl-C is for whoever runs the benchmark, and that one ends it in good order.
    { stdio: ["ignore", output, "pipe", "ipc"], detached: true, env: withoutSettings() },
  );
  let said = "";
  let isWanted = true;
  child
    .stderr!.setEncoding("utf8")
    .on("data", (text: string) => (said = (said + text).slice(-LAST_WORDS)));
  const exit = once(child, "exit");
  const gone = exit.then(([code, signal]) => {
    if (!isWanted) return new Promise<string>(() => {});
    return `${called} has ended with ${signal ?? `code ${code}`}${said === "" ? "" : `: ${said.trim()}`}`;
  });
  return {
    process: child,
    pid: child.pid!,
    gone,
    isUp: () => {
      said = "";
    },
    stop: async () => {
      isWanted = false;
      await endChild(child);
    },
  };
}

const LONGEST_END_MS = 2_000;

/** It ends when its channel closes; one that does not react, a stopped one for example, is killed. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  if (child.connected) child.disconnect();
  const kill = setTimeout(() => child.kill("SIGKILL"), LONGEST_END_MS);
  await gone;
  clearTimeout(kill);
}

/** What a shell says of another gateway is not meant for these. */
const withoutSettings = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("WEIR_")));
