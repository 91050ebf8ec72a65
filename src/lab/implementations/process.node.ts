// A program of others: it ends with this process, however that ends, and so does everything that it starts.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { summarizeOutput } from "./last-words.ts";

// The shell becomes the program. A reader in its group waits for the end of the pipe that this process holds, and then
// kills the group: workers of the program too. Without a line before that end this process was killed, and cannot delete
// the folder of the program itself.
const LAUNCH = `dir=$1; shift
{ read -r _ <&3 || { kill -KILL $$; rm -rf -- "$dir"; }; kill -KILL 0; } >/dev/null 2>&1 &
exec "$@" 3<&-`;
const STOPPED = "\n";

/**
 * Arguments of a shell that becomes this command; its file descriptor 3 is the pipe that this process holds. `dir` is
 * deleted if this process is killed.
 */
export const launching = (command: readonly string[], dir = ""): readonly string[] => [
  "-c",
  LAUNCH,
  "sh",
  dir,
  ...command,
];

export interface Program {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Why it ended; pending while it runs, and after a stop. */
  readonly exited: Promise<string>;
  readonly stop: () => Promise<void>;
}

export interface ProgramStart {
  readonly name: string; // in messages
  readonly command: readonly string[];
  readonly dir: string;
  /** Whether the folder is of this program alone, and is deleted if this process is killed. */
  readonly ownsDir: boolean;
  readonly env: Readonly<Record<string, string>>;
}

const LAST_WORDS = 4_000;
const LONGEST_END_MS = 2_000;

export function startProgram({ name, command, dir, ownsDir, env }: ProgramStart): Program {
  const child = spawn("sh", launching(command, ownsDir ? dir : ""), {
    cwd: dir,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    detached: true, // a group of its own, so that Ctrl-C reaches only this process
  }) as unknown as ChildProcessByStdio<Writable, Readable, Readable>;
  let output = "";
  const note = (text: string): void => void (output = (output + text).slice(-LAST_WORDS));
  child.stderr.setEncoding("utf8").on("data", note);
  // A program that ends closes its input, and what is still written there is lost.
  child.stdin.on("error", () => undefined);
  const lease = child.stdio[3 as 2] as unknown as Writable;
  lease.on("error", () => undefined);
  let isWanted = true;
  const exit = once(child, "exit");
  const exited = exit.then(([code, signal]: (number | string | null)[]) => {
    lease.end(STOPPED); // what it started ends too
    if (!isWanted) return new Promise<string>(() => {});
    const how = signal === null ? `code ${code}` : signal;
    const words = summarizeOutput(output);
    return `${name} ended with ${how}${words === "" ? "" : `: ${words}`}`;
  });
  exited.catch(() => undefined); // `once` rejects if the shell cannot start, and each wait for it rejects too
  return {
    pid: child.pid!,
    stdin: child.stdin,
    stdout: child.stdout,
    exited,
    stop: async () => {
      isWanted = false;
      lease.end(STOPPED);
      if (child.exitCode !== null || child.signalCode !== null) return;
      // A group that was stopped (SIGSTOP) reads no end of a pipe.
      const kill = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), LONGEST_END_MS);
      await exit;
      clearTimeout(kill);
    },
  };
}
