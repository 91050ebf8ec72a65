// A run in Markdown, for the summary of a build. Texts from a scenario are in code spans, in which Markdown, HTML and
// mentions have no effect.
import { groupByRequirement, type RequirementResult } from "../../lab/check/by-requirement.ts";
import { countsOf, describeUnproven, isSkipped, isUndecided } from "../../lab/check/counts.ts";
import { fullName, type Result } from "../../lab/scenario/verdict.ts";
import { REQUIREMENTS } from "../../limiter/spec/requirements.ts";
import { complaintsOf, type Complaint } from "./complaints.ts";
import {
  clip,
  codeSpan,
  fenceFor,
  legible,
  markdownProse,
  plural,
} from "../../kit/reading/legible.ts";
import { formatCount, many } from "../html/parts.ts";
import { lossTexts, WORST_FIRST } from "../result-text.ts";
import type { RunSummary } from "./run-summary.ts";

/** The most entries of a list: more would be unreadable, and a summary may not exceed a megabyte. */
const MOST = 40;

export function markdownSummary(summary: RunSummary): string {
  const { seed, results, faults, warnings = [], answer = [] } = summary;
  const complaints = complaintsOf(results);
  const unproven = describeUnproven(results);
  const parts = [
    `## Weir: ${headline(summary)}`,
    ...circumstances(seed, results),
    ...answer.map(({ text }) => markdownProse(text)),
    ...(unproven === null ? [] : [`${unproven}.`]),
    ...(faults.length === 0 ? [] : [fence(faults)]),
    ...describeLosses(results),
    ...(warnings.length === 0 ? [] : [fence(warnings)]),
    ...complaints.slice(0, MOST).map(complaintText),
    ...(complaints.length > MOST
      ? [`And ${complaints.length - MOST} more ${plural(complaints.length - MOST, "expectation")}.`]
      : []),
    ...requirementsText(groupByRequirement(REQUIREMENTS, results)),
    ...withoutResultText("Skipped", results.filter(isSkipped)),
    ...withoutResultText("Inconclusive", results.filter(isUndecided)),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Many readers read only the first line, so a failed run must not look like a passed one. */
function headline({ results, unlisted, faults }: RunSummary): string {
  if (results.length === 0 && faults.length > 0)
    return `nothing ran, ${many(faults.length, "error")}`;
  const { passed, failed, skipped, inconclusive } = countsOf(results, unlisted);
  const open = inconclusive === 0 ? "" : `, ${formatCount(inconclusive)} inconclusive`;
  const counts = `${formatCount(passed)} passed, ${formatCount(failed)} failed, ${formatCount(skipped)} skipped${open}`;
  return faults.length === 0 ? counts : `${counts}; the run failed`;
}

function circumstances(seed: number | null, results: readonly Result[]): readonly string[] {
  if (results.length === 0) return [];
  const scenarios = new Set(results.map(({ scenario }) => scenario)).size;
  const drivers = new Set(results.map(({ driver }) => driver));
  const parts = [
    many(scenarios, "scenario"),
    ...[...drivers].map(codeSpan),
    ...(seed === null ? [] : [`seed ${seed}`]),
  ];
  return [parts.join(", ")];
}

/** Lists requests without a response, which no other count includes. */
function describeLosses(results: readonly Result[]): readonly string[] {
  const lines = results.flatMap((result) =>
    lossTexts(result).map(
      (text) => `- ${codeSpan(fullName(result.scenario, result.variant))}: ${codeSpan(text)}`,
    ),
  );
  const left = lines.length - MOST;
  const shown = left > 0 ? [...lines.slice(0, MOST), `- and ${left} more`] : lines;
  return lines.length === 0 ? [] : ["Requests without a response:", shown.join("\n")];
}

function complaintText(complaint: Complaint): string {
  const { outcome, expectation, scenario, variant, variants, file, line } = complaint;
  const { expected, observed, again } = complaint;
  const of = variants > 1 ? `, ${formatCount(variants)} variants` : "";
  const here = variant === "" ? [] : [`variant   ${variant}`];
  return [
    `### ${outcome}: ${codeSpan(expectation)}`,
    `${codeSpan(scenario)}, ${codeSpan(`${file}:${line}`)}${of}`,
    fence([
      ...here,
      `expected  ${clip(expected)}`,
      `observed  ${clip(observed)}`,
      `again     ${again}`,
    ]),
  ].join("\n\n");
}

function requirementsText(requirements: readonly RequirementResult[]): readonly string[] {
  const shown = requirements.filter(({ outcome }) => outcome !== null);
  if (shown.length === 0) return [];
  const counts = WORST_FIRST.flatMap((outcome) => {
    const count = shown.filter((each) => each.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${outcome}`];
  });
  const rows = shown.map(
    ({ requirement: { id, tier }, outcome, scenarios, variants }) =>
      `| ${outcome} | ${id} | ${tier} | ${scenarios.length} | ${variants} |`,
  );
  return foldHtml(`Requirements: ${counts.join(", ")}`, [
    "| outcome | requirement | tier | scenarios | variants |",
    "| --- | --- | --- | ---: | ---: |",
    ...rows,
  ]);
}

function withoutResultText(title: string, results: readonly Result[]): readonly string[] {
  if (results.length === 0) return [];
  const reasons = results.flatMap(({ outcome, unsupported }) =>
    outcome === "unsupported" ? unsupported : ["the timing allows both outcomes"],
  );
  const byReason = Map.groupBy(reasons, (reason) => reason);
  return foldHtml(
    `${title}: ${formatCount(results.length)}`,
    [...byReason].map(([reason, each]) => `- ${codeSpan(reason)}: ${formatCount(each.length)}`),
  );
}

/** Three parts that the caller joins by empty lines: GitHub parses Markdown inside HTML only between empty lines. */
const foldHtml = (summary: string, lines: readonly string[]): readonly string[] => [
  `<details><summary>${summary}</summary>`,
  lines.join("\n"),
  "</details>",
];

function fence(lines: readonly string[]): string {
  const text = legible(lines.join("\n")).replaceAll("\r", String.raw`\r`);
  const ticks = fenceFor(text, 3);
  return `${ticks}text\n${text}\n${ticks}`;
}
