// Binds processes to cores with --pin: gateways to one core, the load generator and the upstream to another.
import { spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { Failure } from "../../kit/reading/failure.ts";

export type Pin = (pid: number, core: keyof typeof CORES) => void;

const CORES = { gateway: 0, load: 1 } as const;

export const noPin: Pin = () => {};

export function pinning(): Pin | Failure {
  if (spawnSync("taskset", ["--version"]).status !== 0)
    return new Failure("--pin needs taskset (apt-get install -y util-linux), and Linux");
  if (availableParallelism() < 2) return new Failure("--pin needs two cores");
  return (pid, core) => {
    // All threads (`--all-tasks`): otherwise the garbage collector would share the core of the load.
    const { status, stderr } = spawnSync(
      "taskset",
      ["--all-tasks", "--cpu-list", "--pid", `${CORES[core]}`, `${pid}`],
      { encoding: "utf8" },
    );
    if (status !== 0) throw new Error(`taskset failed for process ${pid}: ${stderr}`);
  };
}
