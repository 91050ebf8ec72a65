// The facts about the machine and the command of a measurement, as report pages list them.
import { portableCommand } from "../../../kit/command-line.ts";
import type { BenchMachine } from "../result.ts";

interface Measurement {
  readonly startedAt: string;
  readonly tookSeconds: number;
  readonly argv: readonly string[];
  readonly seed: number;
  readonly machine: BenchMachine;
}

type Fact = readonly [name: string, what: string];

export const factsOf = ({
  startedAt,
  tookSeconds,
  argv,
  seed,
  machine,
}: Measurement): readonly Fact[] => {
  const { cpu, cores, governor, memoryGiB, system, load, node, commit, changed } = machine;
  return [
    ["command", portableCommand(argv)],
    ["started", `${startedAt}, and took ${Math.round(tookSeconds)} s`],
    ["seed", String(seed)],
    [
      "commit",
      commit === null ? "none" : `${commit}${changed ? ", and files that differ from it" : ""}`,
    ],
    [
      "machine",
      `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${system}${governor === null ? "" : `, governor ${governor}`}`,
    ],
    ["load", `${load.before} before, ${load.after} after`],
    ["Node", node],
    [
      "versions",
      Object.entries(machine.versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(", "),
    ],
  ];
};
