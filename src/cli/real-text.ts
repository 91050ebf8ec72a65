// Output of runs in real time only: what the driver could not run, and which decisions its times leave open.
import { many, oneLine } from "../reading/legible.ts";
import { fullName, type Result, MOST_OPEN } from "../scenario/verdict.ts";
import { type Terminal, wrap } from "./terminal.ts";

interface Doubt {
  readonly lines: readonly string[];
  readonly isTooMuch: boolean;
}

export function doubtOf(results: readonly Result[], paint: Terminal["paint"]): Doubt {
  const real = results.filter(({ driver }) => driver !== "virtual");
  const decisions = sum(real, ({ requests }) => requests);
  if (decisions === 0) return { lines: [], isTooMuch: false };
  const open = sum(real, ({ undecided }) => undecided);
  const verdicts = real.flatMap((result) => result.verdicts);
  const inconclusive = verdicts.filter(({ outcome }) => outcome === "inconclusive").length;
  const isTooMuch = open > decisions * MOST_OPEN;
  const again = real.filter(({ playedBefore = 0 }) => playedBefore > 0);
  const share = (part: number, all: number): string =>
    `${part} of ${all} (${((100 * part) / Math.max(1, all)).toFixed(1)} %)`;
  return {
    lines: [
      "",
      `inconclusive: ${share(open, decisions)} decisions, ${share(inconclusive, verdicts.length)} expectations`,
      ...(again.length === 0
        ? []
        : [
            `run again, because the times allowed both outcomes: ${again.map(({ scenario, variant }) => oneLine(fullName(scenario, variant))).join(" ")}`,
          ]),
      ...(isTooMuch
        ? [paint("bad", `above ${MOST_OPEN * 100} % of open decisions this run shows nothing`)]
        : []),
    ],
    isTooMuch,
  };
}

const sum = (results: readonly Result[], of: (result: Result) => number): number =>
  results.reduce((total, result) => total + of(result), 0);

/** By reason, because many scenarios share one. */
export function linesOfUnsupported(
  results: readonly Result[],
  paint: Terminal["paint"],
): readonly string[] {
  const scenariosBy = new Map<string, Set<string>>();
  const without = results.filter(({ outcome }) => outcome === "unsupported");
  for (const { unsupported, scenario } of without)
    for (const reason of unsupported) {
      const scenarios = scenariosBy.get(reason);
      if (scenarios === undefined) scenariosBy.set(reason, new Set([scenario]));
      else scenarios.add(scenario);
    }
  if (without.length === 0) return [];
  const lines = [...scenariosBy].flatMap(([reason, scenarios]) =>
    wrap(`${oneLine(reason)}: ${[...scenarios].join(" ")}`, 88).map(
      (line, index) => `${index === 0 ? "  " : "    "}${line}`,
    ),
  );
  return ["", paint("faint", `unsupported, ${many(without.length, "variant")}:`), ...lines];
}
