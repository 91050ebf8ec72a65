// The library that logs what a process does to files (`shim.c`), made where it is wanted.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Null, or what is missing to run it. */
export function compileShim(to: string): string | null {
  if (process.platform !== "linux") return "it needs Linux, whose system calls it logs";
  const source = join(import.meta.dirname, "shim.c");
  const args = ["-Wall", "-O2", "-shared", "-fPIC", "-o", to, source, "-ldl", "-lpthread"];
  const { error, status, stderr } = spawnSync("cc", args, { encoding: "utf8" });
  if (error !== undefined) return "it needs a C compiler called cc (apt-get install gcc libc6-dev)";
  return status === 0 ? null : `cc cannot compile ${source}: ${stderr}`;
}
