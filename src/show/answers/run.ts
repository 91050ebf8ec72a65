// The answer of weir run: how many variants pass, why the others do not, and what separates those of one scenario.
import { countText, cut, oneLine, plural, thousands } from "../../kit/reading/legible.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import type { ScenarioReport } from "../../lab/report/model.ts";
import { isGood } from "../../lab/check/counts.ts";
import { fullName, type Result } from "../../lab/scenario/verdict.ts";
import { causeSentences, verdictSentence } from "./run-verdict.ts";
import { countWords, limiterWords, namesWords, sentenceCase, withinWords } from "./words.ts";

/** `isComplete`: no variant is left out because the run ended early. Empty if nothing ran. */
export function answerRun(results: readonly Result[], isComplete = true): Answer {
  if (results.length === 0) return [];
  const isOne = new Set(results.map(({ file }) => file)).size === 1;
  const played = results.filter(({ outcome }) => outcome !== "unsupported");
  const axes = isOne ? axesOf(played) : [];
  const nameIn = (result: Result): string =>
    isOne && axes.length > 0
      ? `With ${nameWords(result, axes)}`
      : cut(oneLine(fullName(result.scenario, result.variant)));
  return [
    verdictSentence(
      results,
      isOne
        ? { which: whichFail(played, axes), holding: whichHold(played, axes) }
        : { which: "", holding: "" },
      isComplete,
    ),
    ...causeSentences(results, nameIn),
    ...(isOne && played.length > 1 ? differenceSentences(played, axes) : []),
  ];
}

/** What separates the variants of one scenario. */
function differenceSentences(
  played: readonly Result[],
  axes: readonly string[],
): readonly AnswerSentence[] {
  const idle = idleAxes(played, axes);
  const effective = axes.filter((axis) => !idle.includes(axis));
  const differences = [LOST, REJECTED, REFUSED, DELAYED]
    .map((count) => extremesSentence(played, effective, count))
    .concat(peakSentence(played, effective));
  const isAlike = differences.every((sentence) => sentence === null);
  return (isAlike ? [alikeSentence(played)] : [...differences, idleSentence(idle)]).flatMap(
    (sentence) => sentence ?? [],
  );
}

/** The part of a report with the answer of its results, for a page. That all pass, the page has in any case. */
export function answerPart(part: ScenarioReport, results: readonly Result[]): ScenarioReport {
  const answer = answerRun(results);
  return answer.length < 2 && results.every(isGood) ? part : { ...part, answer };
}

/** The axes in which the variants differ. */
const axesOf = (results: readonly Result[]): readonly string[] =>
  [...new Set(results.flatMap(({ axes }) => Object.keys(axes)))].filter(
    (axis) => new Set(results.map(({ axes }) => JSON.stringify(axes[axis]))).size > 1,
  );

/** "a token bucket", or the values of the axes: "gateways=3 algorithm=drl". */
function nameWords({ axes, variant }: Result, differing: readonly string[]): string {
  const [axis, ...others] = differing;
  const value = axis === undefined ? undefined : axes[axis];
  if (axis === "algorithm" && others.length === 0 && typeof value === "string")
    return oneLine(limiterWords({ algorithm: value, profile: null }));
  const values = differing.map((each) => `${each}=${valueText(axes[each])}`);
  return cut(oneLine(values.length === 0 ? variant : values.join(" ")));
}

const valueText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/** "a token bucket and GCRA". */
const listNames = (results: readonly Result[], axes: readonly string[]): string =>
  namesWords([...new Set(results.map((result) => nameWords(result, axes)))]);

interface Count {
  readonly id: string;
  /** For one request, and for several. */
  readonly done: readonly [string, string];
  readonly of: (result: Result) => number;
}

const LOST: Count = {
  id: "lost",
  done: ["gets no response", "get no response"],
  of: ({ lost }) => lost,
};
const REJECTED: Count = {
  id: "rejected",
  done: ["is rejected", "are rejected"],
  of: ({ rejected }) => rejected,
};
const DELAYED: Count = { id: "delayed", done: ["waits", "wait"], of: ({ delayed }) => delayed };
const REFUSED: Count = {
  id: "refused",
  done: ["is refused", "are refused"],
  of: ({ refused }) => refused,
};

/** The smallest and the largest share of the requests; null: all are the same. */
function extremesSentence(
  results: readonly Result[],
  axes: readonly string[],
  { id, done, of }: Count,
): AnswerSentence | null {
  const share = (result: Result): number => of(result) / result.requests;
  const sorted = results
    .filter(({ requests }) => requests > 0)
    .toSorted((a, b) => share(a) - share(b));
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (least === undefined || most === undefined || share(least) === share(most)) return null;
  const withWords = (end: Result): string =>
    `with ${listNames(
      sorted.filter((each) => of(each) === of(end) && each.requests === end.requests),
      axes,
    )}`;
  const partWords = ({ requests }: Result, count: number): string =>
    `${countWords(count)} of ${thousands(requests)}`;
  const mostWords =
    least.requests === most.requests ? thousands(of(most)) : partWords(most, of(most));
  return {
    id,
    text: `${sentenceCase(partWords(least, of(least)))} requests ${plural(of(least), ...done)} ${withWords(least)}, ${mostWords} ${withWords(most)}.`,
    numbers: {
      least: of(least),
      leastRequests: least.requests,
      most: of(most),
      mostRequests: most.requests,
    },
  };
}

/** The most admitted in one window; null: the same for all, or of different windows. */
function peakSentence(results: readonly Result[], axes: readonly string[]): AnswerSentence | null {
  const peaks = results.flatMap((result) =>
    result.peak === null ? [] : [{ result, ...result.peak }],
  );
  const counts = peaks.map(({ admitted }) => admitted);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const [perUs, ...others] = new Set(peaks.map((peak) => peak.perUs));
  if (peaks.length < results.length || perUs === undefined || others.length > 0 || least === most)
    return null;
  const withWords = (count: number): string =>
    `with ${listNames(
      peaks.flatMap(({ admitted, result }) => (admitted === count ? [result] : [])),
      axes,
    )}`;
  return {
    id: "peak",
    text: `At most ${thousands(least)} ${plural(least, "is", "are")} admitted ${withinWords(perUs)} ${withWords(least)}, ${thousands(most)} ${withWords(most)}.`,
    numbers: { least, most, perUs },
  };
}

/** What all variants do, if all of their counts are the same; null: some have other requests, or none. */
function alikeSentence(results: readonly Result[]): AnswerSentence | null {
  const [{ requests, refused }] = results as readonly [Result];
  if (requests === 0 || results.some((each) => each.requests !== requests)) return null;
  const outcomes = [...Map.groupBy(results, ({ outcome }) => outcome)];
  const each = `refuses ${countWords(refused)} of ${countText(requests, "request")}`;
  const numbers = { variants: results.length, requests, refused };
  if (outcomes.length === 1)
    return {
      id: "alike",
      text: `Nothing separates the ${results.length} variants: each ${each}.`,
      numbers,
    };
  const words = outcomes.map(([outcome, group]) => `${group.length} ${outcome}`);
  return {
    id: "outcomes",
    text: `Only the outcomes differ (${words.join(", ")}): each variant ${each}.`,
    numbers,
  };
}

/** The axes whose value changes no count, whatever the others are. */
const idleAxes = (results: readonly Result[], axes: readonly string[]): readonly string[] =>
  axes.filter((axis) => {
    const groups = Map.groupBy(results, (result) =>
      JSON.stringify(axes.map((each) => (each === axis ? null : (result.axes[each] ?? null)))),
    );
    return [...groups.values()].every(
      (group) => group.length > 1 && new Set(group.map(countsText)).size === 1,
    );
  });

const idleSentence = (axes: readonly string[]): AnswerSentence | null =>
  axes.length === 0
    ? null
    : {
        id: "idle-axis",
        text: `Another value of ${namesWords(axes.map((axis) => cut(oneLine(axis))))} changes none of these numbers.`,
        numbers: { axes: axes.length },
      };

const countsText = ({
  requests,
  admitted,
  delayed,
  refused,
  rejected,
  lost,
  peak,
}: Result): string => JSON.stringify([requests, admitted, delayed, refused, rejected, lost, peak]);

/** The most variants that are named; of more, those that fail are the news. */
const MOST_HOLDING = 4;

/** "with a token bucket and GCRA": the variants that pass, next to others that do not; empty: none, all, or too many. */
function whichHold(results: readonly Result[], axes: readonly string[]): string {
  const passed = results.filter(({ outcome }) => outcome === "pass");
  if (passed.length === 0 || axes.length === 0 || results.every(isGood)) return "";
  return passed.length > MOST_HOLDING
    ? `in ${countText(passed.length, "variant")}`
    : `with ${listNames(passed, axes)}`;
}

/** ": exactly those with a sliding log", by the value of an axis where exactly those with it fail; empty: none or all. */
function whichFail(results: readonly Result[], axes: readonly string[]): string {
  const failed = results.filter((result) => !isGood(result));
  if (failed.length === 0 || failed.length === results.length) return "";
  const axis = axes.find((each) => {
    const values = new Set(failed.map((result) => JSON.stringify(result.axes[each])));
    return (
      values.size === 1 &&
      results.every(
        (result) => values.has(JSON.stringify(result.axes[each])) === failed.includes(result),
      )
    );
  });
  return axis === undefined
    ? `: ${namesWords(failed.map((result) => nameWords(result, axes)))}`
    : `: exactly those with ${nameWords(failed[0]!, axes.length === 1 ? axes : [axis])}`;
}
