// A run as people read it.
import type { Standing } from "../check/by-requirement.ts";
import { SECOND } from "../core/units.ts";
import type { Result, Verdict } from "../scenario/verdict.ts";
import { fullName } from "./only.ts";
import type { Terminal, Tone } from "./terminal.ts";
import { wrapped } from "./wrapped.ts";

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
export function failureText(result: Result, paint: Paint): readonly string[] {
  const { file, outcome, verdicts } = result;
  const wrong = verdicts.filter((verdict) => verdict.outcome !== "pass");
  return [
    headline(result, outcome.toUpperCase(), paint),
    ...(verdicts.length === 0 ? ["  nothing is expected of this variant"] : []),
    ...wrong.flatMap((verdict) => verdictText(file, verdict, paint)),
    `  ${paint("faint", "again")}     ${replay(result)}`,
  ];
}

export function passText(result: Result, paint: Paint): readonly string[] {
  return [
    headline(result, result.outcome, paint),
    ...result.verdicts.flatMap((verdict) => verdictText(result.file, verdict, paint)),
  ];
}

const headline = ({ scenario, variant, outcome }: Result, text: string, paint: Paint): string =>
  `${paint(TONES[outcome], text)} ${paint("strong", fullName(scenario, variant))}`;

function verdictText(file: string, verdict: Verdict, paint: Paint): readonly string[] {
  const { expectation, line, outcome, expected, observed, examined, evidence, proves } = verdict;
  const rows = evidence.length === 0 ? "" : `; see requests ${evidence.join(", ")}`;
  const row = (name: string, text: string): string =>
    `    ${paint("faint", name.padEnd(9))} ${text}`;
  return [
    `  ${paint(TONES[outcome], outcome)}: ${expectation}`,
    row("at", `${file}:${line}`),
    row("expected", expected),
    row("observed", observed),
    row("examined", `${examined}${rows}`),
    row("proves", proves.join(", ")),
  ];
}

/** One line that a shell understands and that shows this variant alone. */
function replay({ file, scenario, variant, seed, driver }: Result): string {
  const quoted = fullName(scenario, variant).replaceAll("'", String.raw`'\''`);
  const on = driver === "virtual" ? "" : ` --driver ${driver}`;
  return `weir run ${file}${variant === "" ? "" : ` --only '${quoted}'`} --seed ${seed}${on}`;
}

const COLUMNS = ["outcome", "requirement", "tier", "scenarios", "variants"] as const;

export function requirementLines(standings: readonly Standing[], paint: Paint): readonly string[] {
  const row = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => {
        const wide = Math.max(COLUMNS[index]!.length, index === 0 ? 12 : index === 2 ? 11 : 0);
        return index < 3 ? cell.padEnd(wide) : cell.padStart(wide);
      })
      .join("  ");
  const lines = standings.flatMap(({ requirement: { id, tier }, outcome, scenarios, variants }) => {
    if (outcome === null) return [];
    const text = row([outcome, id, tier, `${scenarios.length}`, `${variants}`]);
    return [paint(TONES[outcome], text.slice(0, outcome.length)) + text.slice(outcome.length)];
  });
  return lines.length === 0 ? [] : ["", paint("faint", row(COLUMNS)), ...lines];
}

/**
 * Requirements that nothing here counts for. A suite that is about a few of them, as a user's own is, has
 * not forgotten the others.
 */
export function unprovenLines(standings: readonly Standing[], paint: Paint): readonly string[] {
  const without = standings.filter(({ outcome }) => outcome === null);
  const of = (state: "built" | "planned"): readonly string[] =>
    without.flatMap(({ requirement }) => (requirement.state === state ? [requirement.id] : []));
  const [built, planned] = [of("built"), of("planned")];
  if (without.length > standings.length / 2)
    return [
      "",
      paint(
        "faint",
        `${many(without.length, "requirement")} without a scenario here; weir list --requirements shows them`,
      ),
    ];
  const told = (what: string, ids: readonly string[]): readonly string[] =>
    ids.length === 0
      ? []
      : wrapped(`${what}: ${ids.join(" ")}`, 88).map((line, n) => (n === 0 ? line : `  ${line}`));
  const missing = told("built, and without a scenario", built).map((line) => paint("bad", line));
  const later = told("planned, without a scenario yet", planned).map((line) =>
    paint("faint", line),
  );
  return missing.length + later.length === 0 ? [] : ["", ...missing, ...later];
}

/** How much faster than the traffic itself; nothing to say where no time passed in it. */
export function speedUp(virtualUs: number, realMs: number): string {
  const times = Math.round(virtualUs / 1000 / Math.max(realMs, 1));
  const faster = times < 2 ? "" : `, ${times}x real time`;
  return `${roughly(virtualUs / SECOND)} of traffic in ${(realMs / 1000).toFixed(2)} s${faster}`;
}

function roughly(seconds: number): string {
  if (seconds < 60) return `${Number(seconds.toFixed(1))} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What neither passed nor failed, and need not be shown as if it had. */
export const isSkipped = ({ outcome, driver }: Result): boolean =>
  outcome === "unsupported" || (outcome === "inconclusive" && driver !== "virtual");

export const isGood = (result: Result): boolean => result.outcome === "pass" || isSkipped(result);

/** Whatever neither passed nor was skipped has failed: nothing is passed that was not shown. */
export function countsOf(results: readonly Result[]): Counts {
  const passed = results.filter(({ outcome }) => outcome === "pass").length;
  const skipped = results.filter(isSkipped).length;
  return { passed, failed: results.length - passed - skipped, skipped };
}

export const lastLine = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;
