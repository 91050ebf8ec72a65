// The conformance report: the outcomes of a suite without time, machine and version. It has one variant per line, so
// that people can compare two reports, git can merge them, and variants are found by name.
import { countsOf } from "../../lab/check/counts.ts";
import type { Result, Verdict } from "../../lab/scenario/verdict.ts";

export interface Conformance {
  readonly format: "weir-conformance/2";
  readonly driver: string;
  readonly seed: number;
  readonly scenarios: readonly ScenarioEntry[]; // sorted by id
  readonly footer: Footer;
}

/** If the footer is missing, the report was cut off. */
interface Footer {
  readonly scenarios: number;
  readonly variants: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface ScenarioEntry {
  readonly id: string;
  readonly expectations: readonly string[];
  readonly variants: readonly VariantEntry[];
}

export interface VariantEntry {
  readonly variant: string;
  readonly outcome: Result["outcome"];
  readonly requests: number;
  readonly refused: number;
  readonly rejected: number;
  readonly lost?: number; // unset if none was lost
  readonly history: string; // the first 16 digits of the SHA-256 of the file that --history writes
  readonly verdicts: readonly (string | null)[]; // one for each expectation; null if it was not evaluated
}

/** "pass 12": 12 were examined. "pass 12, 3 open" also counts open decisions, so that an increase is noticed. */
const verdictText = ({ outcome, examined, open = 0 }: Verdict): string =>
  `${outcome} ${examined}${open === 0 ? "" : `, ${open} open`}`;

export interface ConformanceRun {
  readonly result: Result;
  readonly history: string;
}

export function conformanceOf(
  played: readonly ConformanceRun[],
  driver: string,
  seed: number,
): Conformance {
  const byScenario = Map.groupBy(played, ({ result }) => result.scenario);
  const scenarios = [...byScenario].map(([id, variants]) => scenarioEntry(id, variants));
  return withFooter(driver, seed, scenarios);
}

/** Replaces the entries of scenarios in this run; a run of the whole suite replaces all entries. */
export function renewConformance(
  before: Conformance | null,
  found: Conformance,
  isWhole: boolean,
): Conformance {
  if (before === null || isWhole) return found;
  const playedNow = new Set(found.scenarios.map(({ id }) => id));
  const others = before.scenarios.filter(({ id }) => !playedNow.has(id));
  return withFooter(found.driver, found.seed, [...others, ...found.scenarios]);
}

export function conformanceText({ scenarios, footer, ...head }: Conformance): string {
  const entries = scenarios.map(({ variants, ...scenario }) => {
    const lines = variants.map((variant) => JSON.stringify(variant)).join(",\n");
    return `${JSON.stringify(scenario).slice(0, -1)},"variants":[\n${lines}\n]}`;
  });
  const start = JSON.stringify(head).slice(0, -1);
  return `${start},"scenarios":[\n${entries.join(",\n")}\n],"footer":${JSON.stringify(footer)}}\n`;
}

function withFooter(
  driver: string,
  seed: number,
  scenarios: readonly ScenarioEntry[],
): Conformance {
  const sorted = scenarios.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return {
    format: "weir-conformance/2",
    driver,
    seed,
    scenarios: sorted,
    footer: footerOf(driver, sorted),
  };
}

export function footerOf(driver: string, scenarios: readonly ScenarioEntry[]): Footer {
  const variants = scenarios.flatMap((scenario) => scenario.variants);
  const counts = countsOf(variants.map(({ outcome }) => ({ outcome, driver })));
  const { passed, failed, skipped } = counts;
  return { scenarios: scenarios.length, variants: variants.length, passed, failed, skipped };
}

function scenarioEntry(id: string, played: readonly ConformanceRun[]): ScenarioEntry {
  const keyed = played.map(({ result: { verdicts } }) =>
    numberNames(verdicts.map(({ expectation }) => expectation)),
  );
  const keys = [...new Set(keyed.flat())];
  return {
    id,
    expectations: keys.map(nameOf),
    variants: played.map(({ result, history }, index): VariantEntry => {
      const { variant, outcome, requests, refused, rejected, lost, verdicts } = result;
      const verdict = (key: string): string | null => {
        const found = verdicts[keyed[index]!.indexOf(key)];
        return found === undefined ? null : verdictText(found);
      };
      return {
        variant,
        outcome,
        requests,
        refused,
        rejected,
        ...(lost > 0 && { lost }),
        history,
        verdicts: keys.map(verdict),
      };
    }),
  };
}

/** Adds a number to each name, so that equal names of several verdicts differ: "1 same", "2 same". */
export function numberNames(names: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return `${nth} ${name}`;
  });
}

export const nameOf = (key: string): string => key.slice(key.indexOf(" ") + 1);
