// Output for real-time runs only: what the driver could not run, and which decisions the times leave open.
import { many, oneLine, percentText } from "../kit/reading/legible.ts";
import { FOREIGN_DRIVER } from "../lab/scenario/history.ts";
import {
  fullName,
  isMostlyOpen,
  MOST_OPEN,
  showsNothing,
  type Result,
} from "../lab/scenario/verdict.ts";
import { wrap } from "../kit/reading/table.ts";
import type { Terminal } from "./terminal.ts";

/** Why a run without failures proves nothing; null if the run may prove something. */
export function whyNoProof(results: readonly Result[]): string | null {
  if (isMostlyOpen(results))
    return `over ${MOST_OPEN * 100} % of decisions are open, so no variant with as many has passed`;
  return showsNothing(results) ? "nothing is shown: the timing allows both outcomes" : null;
}

/** Lines about what the times of a run leave open. Empty if nothing ran in real time. */
export function linesOfDoubt(
  results: readonly Result[],
  paint: Terminal["paint"],
): readonly string[] {
  const real = results.filter(({ driver, requests }) => driver !== "virtual" && requests > 0);
  if (real.length === 0) return [];
  const isForeign = ({ driver }: Result): boolean => driver === FOREIGN_DRIVER;
  const [own, foreign] = [real.filter((each) => !isForeign(each)), real.filter(isForeign)];
  const again = real.filter(({ playedBefore = 0 }) => playedBefore > 0);
  const why = whyNoProof(results);
  return [
    "",
    ...(own.length === 0
      ? []
      : [`inconclusive: ${openDecisions(own)} decisions, ${openExpectations(own)} expectations`]),
    ...(foreign.length === 0
      ? []
      : [
          `inconclusive: ${openExpectations(foreign)} expectations, and ${openDecisions(foreign)} decisions, because foreign gateways do not report when they decide`,
        ]),
    ...(again.length === 0
      ? []
      : [`run again, because the times allowed both outcomes: ${namesOf(again)}`]),
    ...(why === null ? [] : [paint("bad", why)]),
  ];
}

/** Names variants, but a scenario with several only once: variants may have long names and fill the terminal. */
const namesOf = (results: readonly Result[]): string =>
  firstOf(
    [...Map.groupBy(results, ({ scenario }) => scenario)].map(([scenario, [first, ...more]]) =>
      more.length === 0
        ? oneLine(fullName(scenario, first!.variant))
        : `${scenario} (${more.length + 1} variants)`,
    ),
    ", ",
  );

const MOST_NAMES = 8;

const firstOf = (names: readonly string[], between: string): string =>
  names.length <= MOST_NAMES
    ? names.join(between)
    : `${names.slice(0, MOST_NAMES).join(between)} and ${names.length - MOST_NAMES} more`;

const share = (part: number, all: number): string =>
  `${part} of ${all} (${percentText(part, all)})`;

const openDecisions = (real: readonly Result[]): string =>
  share(
    sum(real, ({ undecided }) => undecided),
    sum(real, ({ requests }) => requests),
  );

function openExpectations(real: readonly Result[]): string {
  const verdicts = real.flatMap((result) => result.verdicts);
  return share(
    verdicts.filter(({ outcome }) => outcome === "inconclusive").length,
    verdicts.length,
  );
}

const sum = (results: readonly Result[], of: (result: Result) => number): number =>
  results.reduce((total, result) => total + of(result), 0);

/** Lists the unsupported variants, grouped by reason, because many scenarios share a reason. */
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
    wrap(`${oneLine(reason)}: ${firstOf([...scenarios], " ")}`, 88).map(
      (line, index) => `${index === 0 ? "  " : "    "}${line}`,
    ),
  );
  return ["", paint("faint", `unsupported, ${many(without.length, "variant")}:`), ...lines];
}
