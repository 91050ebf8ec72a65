// The first sentences about a run: how many variants pass, and of those that do not, the cause.
import { formatDuration, micros } from "../../kit/units.ts";
import { countText, cut, oneLine, plural, thousands } from "../../kit/reading/legible.ts";
import { countsOf, isGood } from "../../lab/check/counts.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import { NO_STATUS as LOST } from "../../lab/scenario/history.ts";
import {
  fullName,
  OUTCOMES,
  type ComparedRequests,
  type ReportedVerdict,
  type Result,
} from "../../lab/scenario/verdict.ts";
import { listWords, namesWords, rangeWords } from "./words.ts";

/**
 * `which` has the failed variants of one scenario in words, and `holding` those that pass; both are empty for several
 * scenarios. `isComplete`: all of them ran.
 */
export function verdictSentence(
  results: readonly Result[],
  { which, holding }: { readonly which: string; readonly holding: string },
  isComplete: boolean,
): AnswerSentence {
  const { passed, failed, skipped, inconclusive } = countsOf(results);
  const numbers = { variants: results.length, passed, failed, skipped, inconclusive };
  const of = (text: string): AnswerSentence => ({ id: "verdict", text, numbers });
  const [only, ...others] = results;
  const rest = [
    ...(inconclusive === 0
      ? []
      : [
          `${inconclusive} ${plural(inconclusive, "is", "are")} inconclusive: ${plural(inconclusive, "its times allow", "their times allow")} both outcomes`,
        ]),
    ...(skipped === 0 ? [] : [`${skipped} ${plural(skipped, "was", "were")} skipped`]),
    ...(isComplete ? [] : ["the run ended before the others"]),
  ].map((text) => `, and ${text}`);
  if (skipped === results.length)
    return of(
      `Nothing ran: ${results.length === 1 ? "the driver cannot run this variant" : `the driver can run none of the ${results.length} variants`}.`,
    );
  if (only !== undefined && others.length === 0 && isComplete) return of(`${oneText(only)}.`);
  const scenarios = new Set(results.map(({ file }) => file)).size;
  const inScenarios =
    scenarios === 1 ? ` of ${nameOf(only!.scenario)}` : ` of ${thousands(scenarios)} scenarios`;
  const variants = `${countText(results.length, "variant")}${inScenarios}`;
  if (failed === 0)
    return of(
      passed === results.length
        ? `${results.length === 1 ? "The" : "All"} ${variants} ${plural(passed, "passes", "pass")}: ${textOfPasses(results)}${rest.join("")}.`
        : `${thousands(passed)} of ${variants} ${plural(passed, "passes", "pass")}${rest.join("")}.`,
    );
  const all = failed === results.length ? `All ${variants}` : `${thousands(failed)} of ${variants}`;
  const holds = holding === "" ? "" : `All expectations hold ${holding}. `;
  return of(`${holds}${all} ${textOfFailures(results, failed)}${which}${rest.join("")}.`);
}

/** The result of a run of one variant; a failed one with its cause. */
function oneText(result: Result): string {
  const name = nameOf(fullName(result.scenario, result.variant));
  if (result.outcome === "pass") return `${name} passes: ${textOfPasses([result])}`;
  if (isGood(result)) return `${name} is inconclusive: its times allow both outcomes`;
  return `${name} ${textOfFailures([result], 1)}: ${causeText(result)}`;
}

/** "all 45 expectations hold, with 13,675 requests". */
function textOfPasses(results: readonly Result[]): string {
  const expectations = results.reduce((sum, { verdicts }) => sum + verdicts.length, 0);
  const requests = results.reduce((sum, each) => sum + each.requests, 0);
  const refused = results.reduce((sum, each) => sum + each.refused, 0);
  const held =
    expectations === 1
      ? "its expectation holds"
      : `all ${thousands(expectations)} expectations hold`;
  return `${held}, with ${countText(requests, "request")}, ${refused === 0 ? "none" : thousands(refused)} of them refused`;
}

const FAILED: Readonly<
  Record<"fail" | "error" | "vacuous" | "inconclusive", readonly [string, string]>
> = {
  fail: ["fails", "fail"],
  error: ["cannot be evaluated", "cannot be evaluated"],
  vacuous: ["proves nothing", "prove nothing"],
  inconclusive: ["is inconclusive", "are inconclusive"],
};

/** "fails", or "do not pass: 2 fail and 1 proves nothing". */
function textOfFailures(results: readonly Result[], failed: number): string {
  const bad = results.filter((result) => !isGood(result));
  const groups = (["fail", "error", "vacuous", "inconclusive"] as const).flatMap((outcome) => {
    const { length } = bad.filter((result) => result.outcome === outcome);
    return length === 0 ? [] : [{ length, words: plural(length, ...FAILED[outcome]) }];
  });
  return groups.length === 1
    ? groups[0]!.words
    : `${plural(failed, "does", "do")} not pass (${listWords(groups.map(({ length, words }) => `${length} ${words}`))})`;
}

/** The most failed scenarios of which the answer has the cause; the details of all follow. */
const MOST_CAUSES = 2;

/** The cause of the first failed variant of each scenario. `nameIn` names it among the others. */
export function causeSentences(
  results: readonly Result[],
  nameIn: (result: Result) => string,
): readonly AnswerSentence[] {
  const [first, ...others] = firstCauses(results).slice(0, MOST_CAUSES);
  if (first === undefined) return [];
  if (results.length === 1) return whySentence(first); // the verdict has its cause
  const causeOf = (result: Result): AnswerSentence => ({
    id: "cause",
    text: `${nameIn(result)}: ${causeText(result)}.`,
    numbers: { expectations: result.verdicts.filter(({ outcome }) => outcome !== "pass").length },
  });
  // With more causes, the details have the reason of each.
  return others.length === 0
    ? [causeOf(first), ...whySentence(first)]
    : [first, ...others].map(causeOf);
}

/** What the gateway counted when it decided against the expectation that is the cause. */
function whySentence({ why, verdicts }: Result): readonly AnswerSentence[] {
  const cause = verdicts.find(isAgainst);
  return why === undefined || cause?.outcome !== "fail" || cause.requests.length === 0
    ? []
    : [{ id: "why", text: oneLine(why), numbers: {} }];
}

/** The first variant of each scenario that does not pass, the worst first. */
function firstCauses(results: readonly Result[]): readonly Result[] {
  const bad = results.filter((result) => !isGood(result));
  const rank = ({ outcome }: Result): number => (OUTCOMES as readonly string[]).indexOf(outcome);
  return [...Map.groupBy(bad, ({ file }) => file).values()]
    .map(([first]) => first!)
    .toSorted((a, b) => rank(a) - rank(b));
}

const isAgainst = ({ outcome }: ReportedVerdict): boolean => outcome !== "pass";

const nameOf = (name: string): string => cut(oneLine(name));

/** Why a variant does not pass: its first expectation that does not hold. */
function causeText({ verdicts }: Result): string {
  const verdict = verdicts.find(isAgainst);
  if (verdict === undefined) return "nothing is expected of it";
  const text = textOf(verdict);
  const more = verdicts.filter((each) => each !== verdict && each.outcome !== "pass").length;
  return more === 0
    ? text
    : `${text}; ${more} more of its expectations ${plural(more, "does", "do")} not hold`;
}

function textOf({ expectation, outcome, observed, expected, compared }: ReportedVerdict): string {
  const id = `"${shorten(expectation, LONGEST_ID)}"`;
  switch (outcome) {
    case "vacuous":
      return `${id} examined nothing that could show it (${shorten(observed)})`;
    case "error":
      return `${id} cannot be evaluated: ${shorten(observed)}`;
    case "inconclusive":
      return `${id} is open: ${shorten(observed)}`;
    case "fail":
    case "pass": {
      if (compared !== undefined) return textOfComparison(compared);
      const wanted = observed.includes("expected ")
        ? ""
        : `, where ${shorten(expected)} is expected`;
      return `${id} does not hold: ${shorten(observed)}${wanted}`;
    }
  }
}

const LONGEST_ID = 80;
const LONGEST_VALUE = 160;

/** Without its middle: an observed sequence ends with its first difference. */
function shorten(text: string, longest = LONGEST_VALUE): string {
  const line = oneLine(text);
  if (line.length <= longest) return line;
  const half = longest / 2;
  return `${line.slice(0, half).toWellFormed()} ... ${line.slice(-half).toWellFormed()}`;
}

/** "client alice got 12 requests through within 1s, where at most 10 are allowed". */
function textOfComparison(compared: ComparedRequests): string {
  const { windowUs, observed, offered } = compared;
  const count = rangeWords([observed.from, observed.to]);
  if (windowUs !== null)
    return `${sendersWords(compared)} got ${count} ${plural(observed.to, "request")} through within ${formatDuration(micros(windowUs))}, where ${boundWords(compared)}`;
  const of = `${count} of ${countText(offered, "request")}`;
  return `${of} of ${sendersWords(compared)} ${statusWords(compared, observed.to)}, where ${boundWords(compared)}`;
}

function sendersWords({ clients, flows }: ComparedRequests): string {
  if (clients.length > 0)
    return `${plural(clients.length, "client")} ${namesWords(clients.map(nameOf))}`;
  return flows.length > 0
    ? `${plural(flows.length, "flow")} ${namesWords(flows.map(nameOf))}`
    : "all clients together";
}

function statusWords({ statuses }: ComparedRequests, count: number): string {
  if (statuses === null) return plural(count, "was sent", "were sent");
  const [first, ...others] = statuses;
  if (others.length === 0 && first === LOST) return "got no response";
  if (others.length === 0 && first === 429) return plural(count, "was refused", "were refused");
  if (statuses.every((status) => status >= 200 && status < 300))
    return plural(count, "was admitted", "were admitted");
  return `got ${listWords(statuses.map((status) => (status === LOST ? "no response" : `${status}`)))}`;
}

function boundWords({ least, most }: ComparedRequests): string {
  const are = (count: number): string => plural(count, "is", "are");
  if (least === most) return `exactly ${thousands(least!)} ${are(least!)} expected`;
  if (least === null) return `at most ${thousands(most!)} ${are(most!)} allowed`;
  return most === null
    ? `at least ${thousands(least)} ${are(least)} expected`
    : `${thousands(least)} to ${thousands(most)} are expected`;
}
