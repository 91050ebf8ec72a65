// A run as text for people.
import { commandLine } from "../kit/command-line.ts";
import type { RequirementResult } from "../lab/check/by-requirement.ts";
import { SECOND } from "../kit/units.ts";
import type { ResultCounts } from "../lab/check/counts.ts";
import { TONES, WORST_FIRST } from "../show/result-text.ts";
import { countText, many, thousands, type Paint } from "../kit/reading/legible.ts";
import type { Result } from "../lab/scenario/verdict.ts";
import { wrap } from "../kit/reading/table.ts";

const sum = (results: readonly Result[], of: (result: Result) => number): number =>
  results.reduce((total, result) => total + of(result), 0);

/** All variants of one scenario on one line. */
export function scenarioLine(id: string, results: readonly Result[], paint: Paint): string {
  const outcome = WORST_FIRST.find((each) => results.some((result) => result.outcome === each))!;
  const delayed = sum(results, (result) => result.delayed);
  const rejected = sum(results, (result) => result.rejected);
  const lost = sum(results, (result) => result.lost);
  const requests = sum(results, (result) => result.requests);
  const refused = sum(results, (result) => result.refused);
  const counts = [
    ...(results.length > 1 ? [countText(results.length, "variant")] : []),
    countText(requests, "request"),
    ...(delayed === 0 ? [] : [`${thousands(delayed)} delayed`]),
    `${thousands(refused)} refused`,
    ...(rejected === 0 ? [] : [`${thousands(rejected)} rejected`]),
    ...(lost === 0 ? [] : [`${thousands(lost)} lost`]),
  ];
  return `${paint(TONES[outcome], outcome.padEnd(4))} ${id} ${paint("faint", counts.join(", "))}`;
}

const COLUMNS = ["outcome", "requirement", "tier", "scenarios", "variants"] as const;

const MOST_REQUIREMENTS = 6;

/** Lists requirements that do not pass (only ids, if many), and the number of those that do. If verbose, lists all. */
export function requirementLines(
  requirements: readonly RequirementResult[],
  isVerbose: boolean,
  paint: Paint,
): readonly string[] {
  const row = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => {
        const wide = Math.max(COLUMNS[index]!.length, index === 0 ? 12 : index === 2 ? 11 : 0);
        return index < 3 ? cell.padEnd(wide) : cell.padStart(wide);
      })
      .join("  ");
  const lines = requirements.flatMap(
    ({ requirement: { id, tier }, outcome, scenarios, variants }) => {
      if (outcome === null || (outcome === "pass" && !isVerbose)) return [];
      const text = row([outcome, id, tier, `${scenarios.length}`, `${variants}`]);
      return [paint(TONES[outcome], text.slice(0, outcome.length)) + text.slice(outcome.length)];
    },
  );
  const passed = requirements.filter(({ outcome }) => outcome === "pass").length;
  const isShort = !isVerbose && lines.length > MOST_REQUIREMENTS;
  const table =
    lines.length === 0
      ? []
      : [
          "",
          ...(isShort
            ? namesByOutcome(requirements, paint)
            : [paint("faint", row(COLUMNS)), ...lines]),
        ];
  if (isVerbose || passed === 0) return table;
  return [
    ...table,
    "",
    `${many(passed, "requirement")} of the specification ${passed === 1 ? "holds" : "hold"}; --verbose lists ${passed === 1 ? "it" : "them"}`,
  ];
}

const MOST_NAMES = 12;

function namesByOutcome(
  requirements: readonly RequirementResult[],
  paint: Paint,
): readonly string[] {
  return WORST_FIRST.flatMap((each) => {
    const ids = requirements.flatMap(({ requirement: { id }, outcome }) =>
      outcome === each && each !== "pass" ? [id] : [],
    );
    const left = ids.length - MOST_NAMES;
    const names = ids.slice(0, MOST_NAMES).join(" ");
    return ids.length === 0
      ? []
      : [
          `${paint(TONES[each], each)} ${many(ids.length, "requirement")}: ${names}${left > 0 ? ` and ${left} more` : ""}`,
        ];
  });
}

/** Lists requirements without a scenario. If most have none, as in a user's suite, returns only their number. */
export function unprovenLines(
  requirements: readonly RequirementResult[],
  paint: Paint,
): readonly string[] {
  const without = requirements.filter(({ outcome }) => outcome === null);
  const of = (state: "built" | "planned"): readonly string[] =>
    without.flatMap(({ requirement }) => (requirement.state === state ? [requirement.id] : []));
  const [built, planned] = [of("built"), of("planned")];
  if (without.length > requirements.length / 2)
    return [
      "",
      paint(
        "faint",
        `${many(without.length, "requirement")} without a scenario here; ${commandLine("list --requirements")} shows them`,
      ),
    ];
  const idLines = (what: string, ids: readonly string[]): readonly string[] =>
    ids.length === 0
      ? []
      : wrap(`${what}: ${ids.join(" ")}`, 88).map((line, n) => (n === 0 ? line : `  ${line}`));
  const missing = idLines("built, and without a scenario", built).map((line) => paint("bad", line));
  const later = idLines("planned, without a scenario yet", planned).map((line) =>
    paint("faint", line),
  );
  return missing.length + later.length === 0 ? [] : ["", ...missing, ...later];
}

/** Formats the durations of the traffic and of the run, and how much faster than real time the run was. */
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

/** The last line of a run. `inconclusive` is printed only if it is not 0, which happens only in real time. */
export const lastLine = ({ passed, failed, skipped, inconclusive }: ResultCounts): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped${inconclusive === 0 ? "" : `, ${inconclusive} inconclusive`}`;
