// A result in words, for terminals and build servers.
import { formatDuration, micros } from "../kit/units.ts";
import { many, oneLine, type Paint, type Tone } from "../kit/reading/legible.ts";
import {
  fullName,
  type LostRequests,
  type Result,
  type ReportedVerdict,
} from "../lab/scenario/verdict.ts";
import { commandLine, commandOf, portableLine, shellWord } from "../kit/command-line.ts";

export const TONES: Readonly<Record<Result["outcome"], Tone>> = {
  pass: "good",
  fail: "bad",
  error: "bad",
  vacuous: "doubtful",
  inconclusive: "doubtful",
  unsupported: "faint",
};

export const WORST_FIRST: readonly Result["outcome"][] = [
  "fail",
  "error",
  "vacuous",
  "inconclusive",
  "unsupported",
  "pass",
];

/** Short output shows at most this many expectations of a variant, and only the two ends of longer values. */
const MOST_SHORT_VERDICTS = 1;
const LONGEST_SHORT = 240;

/** All details of a variant that does not pass, and the command that runs the variant again. */
export function failureText(
  result: Result,
  paint: Paint,
  { isShort } = { isShort: false },
): readonly string[] {
  const { file, outcome, verdicts } = result;
  const wrong = verdicts.filter((verdict) => verdict.outcome !== "pass");
  const shown = isShort ? wrong.slice(0, MOST_SHORT_VERDICTS) : wrong;
  const left = wrong.length - shown.length;
  return [
    headline(result, outcome.toUpperCase(), paint),
    ...(verdicts.length === 0 ? ["  nothing is expected of this variant"] : []),
    ...shown.flatMap((verdict) => verdictText(file, verdict, paint, isShort)),
    ...(left > 0 ? [`  and ${left} more of its expectations`] : []),
    ...(result.why === undefined || isShort
      ? []
      : [`  ${paint("faint", "why")}       ${oneLine(result.why)}`]),
    ...explainLine(result, wrong).map((line) => `  ${paint("faint", "explain")}   ${line}`),
    `  ${paint("faint", "again")}     ${replay(result)}`,
  ];
}

/** The command that explains a request against the expectation: the last one, with which the evidence ends. */
function explainLine(
  { file, variant, seed, driver }: Result,
  wrong: readonly ReportedVerdict[],
): readonly string[] {
  const found = wrong.find(({ outcome, requests }) => outcome === "fail" && requests.length > 0);
  if (driver !== "virtual" || found === undefined) return [];
  const request = found.requests.at(-1)!.replace(/^request /, "");
  const of = variant === "" ? [] : ["--variant", variant];
  return [oneLine(commandOf(["explain", file, request, ...of, "--seed", `${seed}`]))];
}

export function passText(result: Result, paint: Paint): readonly string[] {
  return [
    headline(result, result.outcome, paint),
    ...result.verdicts.flatMap((verdict) => verdictText(result.file, verdict, paint, false)),
  ];
}

const headline = ({ scenario, variant, outcome }: Result, text: string, paint: Paint): string =>
  `${paint(TONES[outcome], text)} ${paint("strong", oneLine(fullName(scenario, variant)))}`;

function verdictText(
  file: string,
  verdict: ReportedVerdict,
  paint: Paint,
  isShort: boolean,
): readonly string[] {
  const { expectation, line, outcome, expected, observed, examined, requests, proves } = verdict;
  const named = requests.length === 0 ? "" : `${requests.join(", ")}${moreEvidence(verdict)}`;
  const before = examined === 0 ? ": " : "; requests ";
  const row = (name: string, text: string): string =>
    `    ${paint("faint", name.padEnd(9))} ${isShort ? withoutMiddle(oneLine(text)) : oneLine(text)}`;
  return [
    `  ${paint(TONES[outcome], outcome)}: ${oneLine(expectation)}`,
    row("at", `${file}:${line}`),
    row("expected", expected),
    row("observed", observed),
    row("examined", `${examinationText(verdict)}${named === "" ? "" : `${before}${named}`}`),
    ...(proves.length === 0 ? [] : [row("proves", proves.join(", "))]),
  ];
}

/** Removes the middle of a long value. The end stays, because an observed sequence ends with its first difference. */
function withoutMiddle(text: string): string {
  if (text.length <= LONGEST_SHORT) return text;
  const half = LONGEST_SHORT / 2;
  return `${text.slice(0, half).toWellFormed()} ... ${text.slice(-half).toWellFormed()}`;
}

/** How many requests were examined, in words. If none was, the evidence names requests that were not examined. */
export function examinationText({
  examined,
  evidenceTotal,
}: Pick<ReportedVerdict, "examined" | "evidenceTotal">): string {
  if (examined > 0) return examined.toLocaleString("en-US");
  if (evidenceTotal === 0) return "nothing";
  return `none of ${evidenceTotal.toLocaleString("en-US")} ${evidenceTotal === 1 ? "request" : "requests"}`;
}

/** Such as " and 190 more": readers must see that evidence was cut. */
export const moreEvidence = ({
  requests,
  evidenceTotal,
}: Pick<ReportedVerdict, "requests" | "evidenceTotal">): string =>
  evidenceTotal > requests.length
    ? ` and ${(evidenceTotal - requests.length).toLocaleString("en-US")} more`
    : "";

/** "150 of 300 requests got no response, sent from 15s to 29.9s, f:151 first: no gateway took the connection". */
export function lossText(
  {
    cause,
    requests,
    first,
    fromUs,
    toUs,
  }: Pick<LostRequests, "cause" | "requests" | "first"> & {
    readonly fromUs: number;
    readonly toUs: number;
  },
  offered: number,
): string {
  const [from, to] = [formatDuration(micros(fromUs)), formatDuration(micros(toUs))];
  const sent = fromUs === toUs ? `sent at ${from}` : `sent from ${from} to ${to}`;
  const which = requests === 1 ? first : `${first} first`;
  return `${requests.toLocaleString("en-US")} of ${many(offered, "request")} got no response, ${sent}, ${which}: ${cause}`;
}

/** One text for each reason why requests were lost. */
export const lossTexts = ({ losses, requests }: Result): readonly string[] =>
  losses.map((loss) => lossText(loss, requests));

type Replayed = Pick<
  Result,
  "file" | "scenario" | "variant" | "seed" | "driver" | "against" | "stretch"
>;

/** The same for a page or a document. */
export const portableReplay = (of: Replayed): string => portableLine(wordsOfReplay(of));

/** A shell command on one line that runs only this variant. */
export const replay = (of: Replayed): string => commandLine(wordsOfReplay(of));

function wordsOfReplay({
  file,
  scenario,
  variant,
  seed,
  driver,
  against,
  stretch,
}: Replayed): string {
  // Replaces characters that a line cannot contain by a pattern that matches any character.
  const name = Array.from(fullName(scenario, variant), (sign) =>
    oneLine(sign) === sign ? sign : "*",
  ).join("");
  const quoted = name.replaceAll("'", String.raw`'\''`);
  // Without `--stretch`, a run in real time may repeat variants at a larger stretch.
  const on =
    driver === "virtual" ? "" : ` ${against ?? `--driver ${driver}`} --stretch ${stretch ?? 1}`;
  return oneLine(
    `run ${shellWord(file)}${variant === "" ? "" : ` --only '${quoted}'`} --seed ${seed}${on}`,
  );
}
