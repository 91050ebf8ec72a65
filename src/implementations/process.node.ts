// A program of others: it ends with this process, however that ends, and so does everything that it starts.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { summarizeOutput } from "./last-words.ts";

// The shell becomes the program. A reader in its group waits for the end of the pipe that this process holds, and then
// kills the group: workers of the program too.
const LAUNCH = `{ read -r _ <&3; kill -KILL 0; } >/dev/null 2>&1 &
exec "$@" 3<&-`;

/** Arguments of a shell that becomes this command; its file descriptor 3 is the pipe that this process holds. */
export const launching = (command: readonly string[]): readonly string[] => [
  "-c",
  LAUNCH,
  "sh",
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
  readonly env: Readonly<Record<string, string>>;
}

const LAST_WORDS = 4_000;
const LONGEST_END_MS = 2_000;

export function startProgram({ name, command, dir, env }: ProgramStart): Program {
  const child = spawn("sh", launching(command), {
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
    lease.end(); // what it started ends too
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
      lease.end();
      if (child.exitCode !== null || child.signalCode !== null) return;
      // A group that was stopped (SIGSTOP) reads no end of a pipe.
      const kill = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), LONGEST_END_MS);
      await exit;
      clearTimeout(kill);
    },
  };
}
