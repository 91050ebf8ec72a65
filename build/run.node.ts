// Runs the programs that a build needs.
import { spawnSync } from "node:child_process";
import { Failure } from "../src/kit/reading/failure.ts";

/** A shell's environment, in which npm takes the folder that it is called in. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => name !== "npm_config_local_prefix"),
);

/** What the program prints, or the last that it printed before it failed. */
export function run(folder: string, program: string, ...args: readonly string[]): string | Failure {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  if (status === 0) return stdout.trim();
  const why = error?.message ?? `${stdout}\n${stderr}`.trim().split("\n").slice(-5).join("\n");
  return new Failure(`${[program, ...args].join(" ")} fails in ${folder}: ${why}`);
}
