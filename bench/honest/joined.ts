// Runs of one load that took turns with those they are compared with, as the one run they are together.
import { footerOf } from "../../src/bench/result-schema.ts";
import type { BenchResult } from "../../src/bench/result.ts";

export function joined([first, ...others]: readonly [BenchResult, ...BenchResult[]]): BenchResult {
  const all = [first, ...others];
  let round = 0;
  let seconds = 0;
  const turns = all.map((run) => {
    const before = { round, seconds };
    const rounds = run.cells.flatMap(({ repeats }) => repeats.map((one) => one.round));
    round += Math.max(-1, ...rounds) + 1;
    seconds += run.tookSeconds;
    return { run, before };
  });
  const cells = first.cells.map((cell) => ({
    ...cell,
    repeats: turns.flatMap(({ run, before }) =>
      (run.cells.find(({ name }) => name === cell.name)?.repeats ?? []).map((one) => ({
        ...one,
        round: before.round + one.round,
        atSeconds: before.seconds + one.atSeconds,
      })),
    ),
  }));
  const busy = all.map(({ machine }) => machine.busy).find((why) => why !== null) ?? null;
  return {
    ...first,
    tookSeconds: seconds,
    machine: { ...first.machine, busy },
    cells,
    footer: footerOf(cells),
  };
}
