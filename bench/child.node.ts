// A process for each measurement: what one candidate taught the compiler about shapes and branches does
// not slow the next, and memory is counted from nothing.
import { spawn } from "node:child_process";
import { join } from "node:path";

export type Figures = Readonly<Record<string, number>>;

/** Runs a program of bench/ with its input as one argument; its last line of output is JSON. */
export function inChild(
  program: string,
  input: unknown,
  flags: readonly string[] = [],
): Promise<Figures> {
  const file = join(import.meta.dirname, program);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...flags, file, JSON.stringify(input)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (err += chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(JSON.parse(out.trimEnd().split("\n").at(-1)!) as Figures);
      else reject(new Error(`${program} ${JSON.stringify(input)} ended with ${code}:\n${err}`));
    });
  });
}
