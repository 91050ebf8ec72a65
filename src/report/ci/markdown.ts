// A run in Markdown, for the summary of a build. Whatever a scenario says stands between backticks, where
// neither Markdown nor HTML nor a mention means anything.
import { byRequirement, type Standing } from "../../check/by-requirement.ts";
import { countsOf, describeUnproven, isSkipped } from "../../check/counts.ts";
import type { Result } from "../../scenario/verdict.ts";
import { REQUIREMENTS } from "../../spec/requirements.ts";
import { complaintsOf, type Complaint } from "./complaints.ts";
import { legible, oneLine } from "../../reading/legible.ts";
import { many } from "../html/parts.ts";
import { WORST_FIRST } from "../result-text.ts";
import { clipped, grouped, type RunTold } from "./run-told.ts";

/** A summary may be a megabyte long, and nobody reads more than this. */
const MOST = 40;

export function markdownSummary({ seed, results, faults }: RunTold): string {
  const complaints = complaintsOf(results);
  const unproven = describeUnproven(results);
  const parts = [
    `## Weir: ${headline(results, faults)}`,
    ...circumstances(seed, results),
    ...(unproven === null ? [] : [`${unproven}.`]),
    ...(faults.length === 0 ? [] : [fenced(faults)]),
    ...complaints.slice(0, MOST).map(complaintText),
    ...(complaints.length > MOST ? [`And ${complaints.length - MOST} more expectations.`] : []),
    ...requirementsText(byRequirement(REQUIREMENTS, results)),
    ...skippedText(results.filter(isSkipped)),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The first line is often all that is read, so that a run that fails must not look like one that passed. */
function headline(results: RunTold["results"], faults: RunTold["faults"]): string {
  if (results.length === 0 && faults.length > 0)
    return `nothing ran, ${many(faults.length, "error")}`;
  const { passed, failed, skipped } = countsOf(results);
  const counts = `${grouped(passed)} passed, ${grouped(failed)} failed, ${grouped(skipped)} skipped`;
  return faults.length === 0 ? counts : `${counts}; the run failed`;
}

function circumstances(seed: number | null, results: readonly Result[]): readonly string[] {
  if (results.length === 0) return [];
  const scenarios = new Set(results.map(({ scenario }) => scenario)).size;
  const drivers = new Set(results.map(({ driver }) => driver));
  const told = [
    many(scenarios, "scenario"),
    ...[...drivers].map(codeSpan),
    ...(seed === null ? [] : [`seed ${seed}`]),
  ];
  return [told.join(", ")];
}

function complaintText(complaint: Complaint): string {
  const { outcome, expectation, scenario, variant, variants, file, line } = complaint;
  const { expected, observed, again } = complaint;
  const of = variants > 1 ? `, ${grouped(variants)} variants` : "";
  const here = variant === "" ? [] : [`variant   ${variant}`];
  return [
    `### ${outcome}: ${codeSpan(expectation)}`,
    `${codeSpan(scenario)}, ${codeSpan(`${file}:${line}`)}${of}`,
    fenced([
      ...here,
      `expected  ${clipped(expected)}`,
      `observed  ${clipped(observed)}`,
      `again     ${again}`,
    ]),
  ].join("\n\n");
}

function requirementsText(standings: readonly Standing[]): readonly string[] {
  const shown = standings.filter(({ outcome }) => outcome !== null);
  if (shown.length === 0) return [];
  const counts = WORST_FIRST.flatMap((outcome) => {
    const count = shown.filter((standing) => standing.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${outcome}`];
  });
  const rows = shown.map(
    ({ requirement: { id, tier }, outcome, scenarios, variants }) =>
      `| ${outcome} | ${id} | ${tier} | ${scenarios.length} | ${variants} |`,
  );
  return folded(`Requirements: ${counts.join(", ")}`, [
    "| outcome | requirement | tier | scenarios | variants |",
    "| --- | --- | --- | ---: | ---: |",
    ...rows,
  ]);
}

function skippedText(skipped: readonly Result[]): readonly string[] {
  if (skipped.length === 0) return [];
  const reasons = skipped.flatMap(({ outcome, unsupported }) =>
    outcome === "unsupported" ? unsupported : ["the times leave it open"],
  );
  const byReason = Map.groupBy(reasons, (reason) => reason);
  return folded(
    `Skipped: ${grouped(skipped.length)}`,
    [...byReason].map(([reason, each]) => `- ${codeSpan(reason)}: ${grouped(each.length)}`),
  );
}

/** Markdown inside HTML is read as such between empty lines. */
const folded = (summary: string, lines: readonly string[]): readonly string[] => [
  `<details><summary>${summary}</summary>`,
  lines.join("\n"),
  "</details>",
];

/** More backticks than there are in a row inside. */
const fenceFor = (text: string, atLeast: number): string =>
  "`".repeat(Math.max(atLeast, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));

/** In one line: a line break would end it. Of a table a bar would end the cell, so none stands in one. */
function codeSpan(text: string): string {
  const line = oneLine(clipped(text));
  const fence = fenceFor(line, 1);
  const gap = /^[` ]|[` ]$/.test(line) || line === "" ? " " : "";
  return `${fence}${gap}${line}${gap}${fence}`;
}

function fenced(lines: readonly string[]): string {
  const text = legible(lines.join("\n")).replaceAll("\r", String.raw`\r`);
  const fence = fenceFor(text, 3);
  return `${fence}text\n${text}\n${fence}`;
}
