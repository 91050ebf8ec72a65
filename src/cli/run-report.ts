// Prints the results of a run, for people or as one document, and returns the exit code.
import { groupByRequirement } from "../lab/check/by-requirement.ts";
import {
  countDecisions,
  countsOf,
  countUnproven,
  describeOpen,
  describeUnproven,
  isGood,
  type ResultCounts,
} from "../lab/check/counts.ts";
import { failureText, passText } from "../show/result-text.ts";
import { answerRun } from "../show/answers/run.ts";
import type { RunSummary } from "../show/ci/run-summary.ts";
import { many, oneLine } from "../kit/reading/legible.ts";
import { fullName, showsNothing, type Result } from "../lab/scenario/verdict.ts";
import { REQUIREMENTS } from "../limiter/spec/requirements.ts";
import type { RunDocument } from "../lab/report/run-document.ts";
import { answerLines } from "./answer-text.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { failureLines } from "./failure-lines.ts";
import { folderTable } from "./folder-table.ts";
import { linesOfList, whyUnlisted, type InconclusiveReport } from "./inconclusive-text.ts";
import { linesOfDoubt, linesOfUnsupported, whyNoProof } from "./real-text.ts";
import { lastLine, requirementLines, unprovenLines } from "./run-text.ts";
import type { Terminal } from "./terminal.ts";
import { hintLines, lossLines, variantTable } from "./variant-table.ts";

export interface Reported {
  readonly seed: number | null; // null if the histories are from several runs
  readonly results: readonly Result[];
  readonly tookMs?: readonly number[]; // real duration of each result
  readonly isComplete: boolean; // false if the run was stopped or interrupted
  readonly isWhole: boolean; // true if no flag excluded anything by name; then unproved requirements are reported
  readonly isFolded?: boolean; // whether folders are shown instead of one line per scenario
  readonly scenarioLines?: readonly string[]; // a line for each scenario, which follows the answer
  readonly isListed?: boolean; // whether these lines were printed before, because scenarios take long
  readonly speed?: string; // how fast the run was, which differs from run to run
  /** Warnings about the scenario files. The scenarios run in spite of warnings. */
  readonly warnings?: readonly string[];
  /** The errors because of which no scenario ran. */
  readonly unread?: readonly string[];
  readonly drift?: Drift | null; // null or unset if nothing was compared
  readonly inconclusive?: InconclusiveReport | null; // null or unset if no list was given
}

/** The differences between a run and the reference results. */
export interface Drift {
  readonly file: string;
  readonly differences: readonly string[];
  readonly renew: string; // the command that saves this run as the reference
  readonly doubt?: string | null; // a warning if the saved reference has failed variants
}

const MOST_DIFFERENCES = 20;

/** The most lines for failures: these lines and the ones printed after them fit on one screen. */
const FAILURE_LINES = { ofFewScenarios: 30, ofFolders: 20 };

export function report(
  { out, err, paint, tableColumns }: Terminal,
  switches: ReadonlySet<string>,
  reported: Reported,
): ExitCode {
  const { results, isComplete, isWhole, isFolded = false, scenarioLines = [] } = reported;
  const { drift = null, inconclusive = null } = reported;
  const requirements = groupByRequirement(REQUIREMENTS, results);
  const isJson = switches.has("json");
  const print = isJson ? err : out;
  if (isJson) out(documentText(reported));
  const lines: string[] = [];
  const isPlain = !isJson && !switches.has("quiet");
  const isVerbose = switches.has("verbose");
  if (isPlain && reported.isListed === true) lines.push("");
  if (isPlain) lines.push(...answerLines(answerRun(results, isComplete), { paint, tableColumns }));
  if (scenarioLines.length > 0) lines.push("", ...scenarioLines);
  if (isPlain && new Set(results.map(({ file }) => file)).size === 1)
    lines.push(
      ...variantTable(results, paint, tableColumns),
      ...lossLines(results, paint),
      ...hintLines(results, paint),
    );
  const isWithoutProof = showsNothing(results);
  const isBad = (result: Result): boolean =>
    !isGood(result) ||
    (isWithoutProof && result.outcome === "inconclusive") ||
    inconclusive?.unlisted.includes(result) === true;
  if (isVerbose)
    for (const result of results)
      lines.push("", ...(isBad(result) ? failureText : passText)(result, paint));
  else
    lines.push(
      ...failureLines(
        results.filter(isBad),
        FAILURE_LINES[isFolded ? "ofFolders" : "ofFewScenarios"],
        paint,
      ),
    );
  if (isPlain) {
    if (isFolded) lines.push(...folderTable(results, paint));
    lines.push(...requirementLines(requirements, isVerbose, paint));
    if (isWhole && isComplete) lines.push(...unprovenLines(requirements, paint));
    lines.push(...linesOfUnsupported(results, paint));
    const open = describeOpen(results);
    if (open !== null) lines.push("", open);
  }
  const unproven = describeUnproven(results);
  const listLines = linesOfList(inconclusive);
  lines.push(
    ...linesOfDoubt(results, paint),
    ...(listLines.length === 0 ? [] : ["", ...listLines]),
    ...driftLines(drift),
    ...(unproven === null ? [] : ["", unproven]),
  );
  const { seed, speed } = reported;
  if (isPlain && seed !== null) lines.push("", `seed ${seed}`);
  for (const line of lines) print(line);
  if (speed !== undefined) err(speed);
  if (lines.length > 0) print("");
  print(lastLine(countsOfRun(reported)));
  return exitOf(reported);
}

const countsOfRun = ({ results, inconclusive }: Reported): ResultCounts =>
  countsOf(results, inconclusive?.unlisted);

/** The report of a run that did not start, because files have errors. Without it an old report would look current. */
export const notRun = (
  seed: number | null,
  unread: readonly string[],
  warnings: readonly string[] = [],
): Reported => ({
  seed,
  results: [],
  isComplete: false,
  isWhole: false,
  unread,
  warnings,
});

export const summaryOf = (reported: Reported): RunSummary => ({
  seed: reported.seed,
  results: reported.results,
  answer: answerRun(reported.results, reported.isComplete),
  unlisted: reported.inconclusive?.unlisted ?? [],
  tookMs: reported.tookMs ?? [],
  faults: problemsOf(reported),
  warnings: reported.warnings ?? [],
});

const problemsOf = (reported: Reported): readonly string[] => [
  ...(reported.unread ?? []),
  ...(reported.isComplete || reported.unread !== undefined
    ? []
    : ["the run was stopped before its end"]),
  ...problemsOfRun(reported),
];

/** Lists reasons for which a run fails even if none of its variants fails. */
export function problemsOfRun(reported: Reported): readonly string[] {
  const { results, drift = null, inconclusive = null } = reported;
  const reasons = [whyNoProof(results), whyUnlisted(inconclusive)];
  return [
    ...reasons.filter((why) => why !== null),
    ...(drift === null || drift.differences.length === 0 ? [] : [driftSentence(drift)]),
  ];
}

const driftSentence = ({ file, differences, renew }: Drift): string =>
  `${many(differences.length, "difference")} from ${file}; if intended, update it with: ${renew}`;

function driftLines(drift: Drift | null): readonly string[] {
  if (drift === null || drift.differences.length === 0) return [];
  const { differences } = drift;
  const left = differences.length - MOST_DIFFERENCES;
  return [
    "",
    oneLine(driftSentence(drift)),
    ...differences.slice(0, MOST_DIFFERENCES).map((difference) => `  ${oneLine(difference)}`),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ];
}

/** Formats a run as JSON. No time, path or version is included: the same code, scenarios and seed give equal bytes. */
export function documentText(reported: Reported): string {
  const { seed, results, isComplete, unread = [], warnings = [], inconclusive = null } = reported;
  const requirements = groupByRequirement(REQUIREMENTS, results);
  const document: RunDocument = {
    format: "weir-run/2",
    answer: answerRun(results, isComplete), // empty if nothing ran
    seed,
    results,
    requirements: requirements.map(({ requirement: { id, tier, state }, ...rest }) => ({
      id,
      tier,
      state,
      ...rest,
    })),
    ...(unread.length === 0 ? {} : { faults: unread }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(inconclusive === null ? {} : { inconclusive: namesOfList(inconclusive) }),
    footer: {
      complete: isComplete,
      variants: results.length,
      ...countsOfRun(reported),
      vacuous: countUnproven(results).vacuous, // among the failed ones
      decisions: countDecisions(results),
      errors: unread.length, // number of errors because of which nothing ran
    },
  };
  return JSON.stringify(document, null, 2);
}

const namesOfList = ({ file, unlisted, decided, absent }: InconclusiveReport) => ({
  file,
  unlisted: unlisted.map(({ scenario, variant }) => fullName(scenario, variant)),
  decided: decided.map(({ name }) => name),
  absent,
});

function exitOf({ results, isComplete, drift = null, inconclusive = null }: Reported): ExitCode {
  const any = (...outcomes: readonly Result["outcome"][]): boolean =>
    results.some(({ outcome }) => outcomes.includes(outcome));
  const isDifferent = drift !== null && drift.differences.length > 0;
  if (any("fail", "error") || (isDifferent && isComplete) || whyUnlisted(inconclusive) !== null)
    return EXIT.failed;
  return results.every(isGood) && whyNoProof(results) === null ? EXIT.passed : EXIT.unproven;
}
