// A run as people read it.
import type { Standing } from "../check/by-requirement.ts";
import { formatDuration, micros } from "../core/units.ts";
import type { Result, Verdict } from "../scenario/verdict.ts";
import { fullName } from "./only.ts";
import type { Terminal, Tone } from "./terminal.ts";

type Paint = Terminal["paint"];

const TONES: Readonly<Record<Result["outcome"], Tone>> = {
  pass: "good",
  fail: "bad",
  error: "bad",
  vacuous: "doubtful",
  inconclusive: "doubtful",
  unsupported: "faint",
};

const WORST_FIRST: readonly Result["outcome"][] = [
  "fail",
  "error",
  "vacuous",
  "inconclusive",
  "unsupported",
  "pass",
];

export const many = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? "" : "s"}`;

const sum = (results: readonly Result[], of: (result: Result) => number): number =>
  results.reduce((total, result) => total + of(result), 0);

/** One scenario with all its variants in one line. */
export function scenarioLine(id: string, results: readonly Result[], paint: Paint): string {
  const outcome = WORST_FIRST.find((each) => results.some((result) => result.outcome === each))!;
  const counts = [
    ...(results.length > 1 ? [many(results.length, "variant")] : []),
    many(
      sum(results, ({ requests }) => requests),
      "request",
    ),
    `${sum(results, ({ refused }) => refused)} refused`,
  ];
  return `${paint(TONES[outcome], outcome.padEnd(4))} ${id} ${paint("faint", counts.join(", "))}`;
}

/** Everything of a variant that does not pass, and how to see it again. */
export function failureText(result: Result, paint: Paint, seed: number): readonly string[] {
  const { file, scenario, variant, outcome, verdicts } = result;
  const wrong = verdicts.filter((verdict) => verdict.outcome !== "pass");
  return [
    `${paint(TONES[outcome], outcome.toUpperCase())} ${paint("strong", fullName(scenario, variant))}`,
    ...(verdicts.length === 0 ? ["  nothing is expected of this variant"] : []),
    ...wrong.flatMap((verdict) => verdictText(file, verdict, paint)),
    `  ${paint("faint", "again")}     ${replay(result, seed)}`,
  ];
}

export function verdictText(file: string, verdict: Verdict, paint: Paint): readonly string[] {
  const { expectation, line, outcome, expected, observed, examined, evidence, proves } = verdict;
  const rows = evidence.length === 0 ? "" : `; see requests ${evidence.join(", ")}`;
  return [
    `  ${paint(TONES[outcome], outcome)}: ${expectation}`,
    `  ${paint("faint", "where")}     ${file}:${line}`,
    `  ${paint("faint", "expected")}  ${expected}`,
    `  ${paint("faint", "observed")}  ${observed}`,
    `  ${paint("faint", "looked at")} ${examined}${rows}`,
    `  ${paint("faint", "proves")}    ${proves.join(", ")}`,
  ];
}

/** One line that a shell understands and that shows this variant alone. */
function replay({ file, scenario, variant }: Result, seed: number): string {
  const only =
    variant === ""
      ? ""
      : ` --only '${fullName(scenario, variant).replaceAll("'", String.raw`'\''`)}'`;
  return `weir run ${file}${only} --seed ${seed}`;
}

export function requirementLines(standings: readonly Standing[], paint: Paint): readonly string[] {
  const lines = standings.flatMap(({ requirement: { id, tier }, outcome, scenarios, variants }) =>
    outcome === null
      ? []
      : [
          `${paint(TONES[outcome], outcome.padEnd(12))} ${id.padEnd(8)} ${tier.padEnd(11)} ${many(scenarios.length, "scenario")}, ${many(variants, "variant")}`,
        ],
  );
  return lines;
}

export const speedUp = (virtualUs: number, realMs: number): string =>
  `${formatDuration(micros(Math.round(virtualUs / 1000) * 1000))} of virtual time in ${(realMs / 1000).toFixed(2)} s: ${Math.round(virtualUs / 1000 / Math.max(realMs, 0.001))}x real time`;

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Whatever neither passed nor was skipped has failed: nothing is passed that was not shown. */
export function countsOf(results: readonly Result[]): Counts {
  const passed = results.filter(({ outcome }) => outcome === "pass").length;
  const skipped = results.filter(({ outcome }) => outcome === "unsupported").length;
  return { passed, failed: results.length - passed - skipped, skipped };
}

export const lastLine = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;
