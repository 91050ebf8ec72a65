// What a user waits for: whole processes, from start to end.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import type { Candidate, Case, Suite } from "../harness.ts";

const root = join(import.meta.dirname, "..", "..");
const COMMAND = join("dist", "cli", "weir.node.js");

const whole = (name: string, role: Candidate["role"], args: readonly string[]): Candidate => ({
  name,
  role,
  measure: () => {
    const startMs = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    const tookMs = performance.now() - startMs;
    // A scenario that does not pass makes another exit code, and takes as long.
    if (status !== 0 && status !== 1 && status !== 5)
      throw new Error(`${name} ended with ${status}: ${stderr}`);
    return Promise.resolve(tookMs);
  },
});

/** What is measured is what is there now, not what was built some time ago. */
function build(): void {
  const { status, stderr } = spawnSync(process.execPath, [join(root, "build", "dist.node.ts")], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the build ended with ${status}: ${stderr}`);
}

function cases(repeats: number): readonly Case[] {
  build();
  const empty = whole("node -e 0", "control", ["-e", "0"]);
  const shared = { unit: "ms", better: "less", control: "node -e 0", warmUps: 1 } as const;
  return [
    {
      ...shared,
      name: "weir --help",
      candidates: [whole("weir --help", "ours", [COMMAND, "--help"]), empty],
      targets: [{ candidate: "weir --help", against: ["node -e 0"], times: 1 / 1.5 }],
      repeats,
    },
    {
      ...shared,
      name: "all scenarios",
      candidates: [whole("weir run", "ours", [COMMAND, "run", "scenarios"]), empty],
      targets: [{ candidate: "weir run", value: 2_000 }],
      repeats: Math.ceil(repeats / 3),
    },
  ];
}

export const start: Suite = {
  name: "start",
  about: "weir --help and the whole scenario suite as processes, beside an empty Node",
  cases: (scale) => cases(scale === "quick" ? 5 : 15),
};
