// Which core a process may use, where somebody wants that: gateways on one, what asks them and what stands behind
// them on another.
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

export type Pin = (pid: number, core: keyof typeof CORES) => void;

const CORES = { gateway: 0, load: 1 } as const;

export const noPin: Pin = () => {};

/** A sentence says why there is none. */
export function pinning(): Pin | string {
  if (spawnSync("taskset", ["--version"]).status !== 0)
    return "--pin needs taskset (apt-get install -y util-linux), and Linux";
  if (availableParallelism() < 2) return "--pin needs two cores";
  return (pid, core) => {
    // With its threads: the collector's would share the load's core otherwise.
    const { status, stderr } = spawnSync(
      "taskset",
      ["--all-tasks", "--cpu-list", "--pid", `${CORES[core]}`, `${pid}`],
      { encoding: "utf8" },
    );
    if (status !== 0) throw new Error(`taskset does not take process ${pid}: ${stderr}`);
  };
}
