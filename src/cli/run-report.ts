// What a run comes to, for people or as one document, and the exit code that says it.
import { byRequirement } from "../check/by-requirement.ts";
import type { Result } from "../scenario/verdict.ts";
import { REQUIREMENTS } from "../spec/requirements.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { doubtOf, unsupportedLines } from "./real-text.ts";
import {
  countsOf,
  failureText,
  isGood,
  lastLine,
  passText,
  requirementLines,
  unprovenLines,
} from "./run-text.ts";
import type { Terminal } from "./terminal.ts";

export interface Reported {
  readonly seed: number | null; // null: histories of several runs
  readonly results: readonly Result[];
  readonly isComplete: boolean; // false: stopped or interrupted
  readonly isWhole: boolean; // nothing was left out by name, so what is not proved is news
}

export function report(
  { out, err, paint }: Terminal,
  switches: ReadonlySet<string>,
  reported: Reported,
): ExitCode {
  const { results, isComplete, isWhole } = reported;
  const standings = byRequirement(REQUIREMENTS, results);
  const isJson = switches.has("json");
  const say = isJson ? err : out;
  if (isJson) out(JSON.stringify(documentOf(reported, standings), null, 2));
  const lines: string[] = [];
  if (!isJson && !switches.has("quiet")) {
    lines.push(...requirementLines(standings, paint));
    if (isWhole && isComplete) lines.push(...unprovenLines(standings, paint));
  }
  for (const result of results) {
    if (!isGood(result)) lines.push("", ...failureText(result, paint));
    else if (switches.has("verbose")) lines.push("", ...passText(result, paint));
  }
  const doubt = doubtOf(results, paint);
  if (!isJson && !switches.has("quiet")) lines.push(...unsupportedLines(results, paint));
  lines.push(...doubt.lines);
  for (const line of lines) say(line);
  if (lines.length > 0) say("");
  say(lastLine(countsOf(results)));
  return doubt.isTooMuch ? EXIT.failed : exitOf(results);
}

/** The same bytes for the same code, scenarios and seed: no time, no place, no version. */
function documentOf(
  { seed, results, isComplete }: Reported,
  standings: ReturnType<typeof byRequirement>,
): unknown {
  return {
    format: "weir-run/1",
    seed,
    results,
    requirements: standings.map(({ requirement: { id, tier, state }, ...standing }) => ({
      id,
      tier,
      state,
      ...standing,
    })),
    footer: { complete: isComplete, variants: results.length, ...countsOf(results) },
  };
}

export function exitOf(results: readonly Result[]): ExitCode {
  const any = (...outcomes: readonly Result["outcome"][]): boolean =>
    results.some(({ outcome }) => outcomes.includes(outcome));
  if (any("fail", "error")) return EXIT.failed;
  return results.every(isGood) ? EXIT.passed : EXIT.unproven;
}
