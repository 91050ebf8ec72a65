// A foreign program. It and everything that it starts end with this process, however this process ends.
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { summarizeOutput } from "./last-words.ts";

// The shell becomes the program. A background reader in its group waits until the pipe from this process closes, and
// then kills the group, workers of the program included. If the pipe closes without a line, this process was killed and
// cannot delete the program's folder, so the reader deletes the folder.
const LAUNCH = `dir=$1; shift
{ read -r _ <&3 || { kill -KILL $$; rm -rf -- "$dir"; }; kill -KILL 0; } >/dev/null 2>&1 &
exec "$@" 3<&-`;
const STOPPED = "\n";

/**
 * Arguments for a shell that becomes this command. Its file descriptor 3 is the pipe from this process. `dir` is
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
  /** Why the program ended. Pending while it runs, and after a stop. */
  readonly exited: Promise<string>;
  readonly stop: () => Promise<void>;
}

export interface ProgramStart {
  readonly name: string; // for messages
  readonly command: readonly string[];
  readonly dir: string;
  /** Whether only this program uses the folder, which is then deleted if this process is killed. */
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
    detached: true, // its own process group, so that Ctrl-C reaches only this process
  }) as unknown as ChildProcessByStdio<Writable, Readable, Readable>;
  let output = "";
  const note = (text: string): void => void (output = (output + text).slice(-LAST_WORDS));
  child.stderr.setEncoding("utf8").on("data", note);
  // A program that ends closes its input; later writes fail and may be lost.
  child.stdin.on("error", () => undefined);
  const lease = child.stdio[3 as 2] as unknown as Writable;
  lease.on("error", () => undefined);
  let isWanted = true;
  const exit = once(child, "exit");
  const exited = exit.then(([code, signal]: (number | string | null)[]) => {
    lease.end(STOPPED); // also ends the processes that the program started
    if (!isWanted) return new Promise<string>(() => {});
    const how = signal === null ? `code ${code}` : signal;
    const words = summarizeOutput(output);
    return `${name} ended with ${how}${words === "" ? "" : `: ${words}`}`;
  });
  exited.catch(() => undefined); // if the shell cannot start, the code that awaits `exited` gets the error
  return {
    pid: child.pid!,
    stdin: child.stdin,
    stdout: child.stdout,
    exited,
    stop: async () => {
      isWanted = false;
      lease.end(STOPPED);
      if (child.exitCode !== null || child.signalCode !== null) return;
      // A stopped group (SIGSTOP) does not notice the closed pipe.
      const kill = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), LONGEST_END_MS);
      await exit;
      clearTimeout(kill);
    },
  };
}
