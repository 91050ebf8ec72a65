// What qualifies a replay: timestamps in whole seconds, costs, retries, and what to do next.
import { portableCommand } from "../../kit/command-line.ts";
import { perWords, seconds } from "../../kit/reading/periods.ts";
import { many, percent, plural, thousands } from "../../kit/reading/legible.ts";
import { micros } from "../../kit/units.ts";
import type { AnswerSentence } from "../../lab/report/answer.ts";
import { shortDuration } from "../../studies/replay/candidates.ts";
import type { ReplayedCandidate, UnansweredReplay } from "../../studies/replay/result.ts";
import { retriesOf, retryTitle } from "../../studies/replay/text.ts";
import { isOneClient, titleOf } from "./replay-words.ts";
import { clientWords, countWords, rangeWords, sentenceCase } from "./words.ts";

type Facts = UnansweredReplay;

export const notesOnReplay = (facts: Facts): readonly AnswerSentence[] =>
  [
    secondsSentence(facts),
    unitsSentence(facts),
    durationsSentence(facts),
    ...facts.candidates
      .filter(({ rejected }) => rejected > 0)
      .toSorted((a, b) => b.rejected - a.rejected)
      .slice(0, MOST_WORLDS)
      .map((candidate) => rejectionSentence(candidate, facts)),
    delaySentence(facts),
    retriesSentence(facts),
    displacementSentence(facts),
    nextSentence(facts),
  ].flatMap((sentence) => sentence ?? []);

/** Whether requests at other times within their seconds would change the counts. */
function secondsSentence(facts: Facts): AnswerSentence | null {
  if (facts.timestamps === "finer") return null;
  const spread = (candidate: ReplayedCandidate): number => {
    const counts = refusalsByPlacement(candidate);
    return Math.max(...counts) - Math.min(...counts);
  };
  const widest = facts.candidates.reduce((most, each) =>
    spread(each) > spread(most) ? each : most,
  );
  const counts = refusalsByPlacement(widest);
  const numbers = { least: Math.min(...counts), most: Math.max(...counts) };
  if (spread(widest) === 0)
    return {
      id: "seconds",
      text: "Timestamps are whole seconds, which changes no count: requests of one second spread evenly, all at once and at random give the same.",
      numbers,
    };
  const isOnly = facts.candidates.length === 1;
  return {
    id: "seconds",
    text: `Timestamps are whole seconds: at other times within them ${isOnly ? "it" : titleOf(widest, facts)} refuses ${rangeWords(counts)}${isOnly ? "" : ", the widest interval"}; the other numbers are for requests spread evenly.`,
    numbers,
  };
}

const refusalsByPlacement = ({ placements }: ReplayedCandidate): readonly number[] =>
  placements.map(({ refused }) => refused);

/** The most that one client gets in a window, in units. */
function unitsSentence(facts: Facts): AnswerSentence | null {
  const measured = facts.candidates.flatMap((candidate) =>
    candidate.units === null ? [] : { candidate, units: candidate.units },
  );
  const sorted = measured.toSorted((a, b) => a.units.aboveLimit - b.units.aboveLimit);
  const [low, high] = [sorted[0], sorted.at(-1)];
  if (low === undefined || high === undefined) return null;
  const numbers = { least: low.units.aboveLimit, most: high.units.aboveLimit };
  if (high.units.aboveLimit === 0)
    return {
      id: "units",
      text: "No client spends more units than the limit in any window.",
      numbers,
    };
  const { mostInWindow, aboveLimit, mostClient } = high.units;
  const client =
    mostClient === null || isOneClient(facts) ? "one client" : `client ${clientWords(mostClient)}`;
  const other =
    low.units.aboveLimit === aboveLimit
      ? ""
      : `, ${titleOf(low.candidate, facts)} ${countWords(low.units.aboveLimit)}`;
  return {
    id: "units",
    text: `In one ${perWords(high.candidate.perUs!)} ${client} spends up to ${thousands(mostInWindow)} units, of which ${titleOf(high.candidate, facts)} lets ${thousands(aboveLimit)} exceed the limit${other}.`,
    numbers,
  };
}

/** The overshoot that the result lacks, if requests are charged when they end and the log does not show when. */
function durationsSentence({ cost, logs }: Facts): AnswerSentence | null {
  if (cost?.charge !== "after") return null;
  const without = logs.filter(({ hasDurations }) => !hasDurations).length;
  if (without === 0) return null;
  const which =
    without === logs.length
      ? plural(logs.length, "the log has", "the logs have")
      : `${many(without, "log")} ${plural(without, "has", "have")}`;
  return {
    id: "durations",
    text: `The overshoot of requests that run at the same time is missing: ${which} no durations, so that requests end when they arrive.`,
    numbers: { without, logs: logs.length },
  };
}

const MOST_WORLDS = 3;

function rejectionSentence(candidate: ReplayedCandidate, facts: Facts): AnswerSentence {
  const { rejected } = candidate;
  const { requests } = facts;
  return {
    id: "rejected",
    text: `${titleOf(candidate, facts)} rejects ${thousands(rejected)} of ${thousands(requests)} requests (${percent(rejected / requests)}) before any limit: no API has their path, no key has their credential, or the key has no access.`,
    numbers: { rejected, requests },
  };
}

/** The longest wait of an admitted request, such as in a leaky bucket. */
function delaySentence(facts: Facts): AnswerSentence | null {
  const delaying = facts.candidates.filter(({ delayed }) => delayed > 0);
  if (delaying.length === 0) return null;
  const worst = delaying.reduce((most, each) =>
    each.longestDelayUs > most.longestDelayUs ? each : most,
  );
  const { delayed, longestDelayUs } = worst;
  return {
    id: "delayed",
    text: `${sentenceCase(titleOf(worst, facts))} lets ${thousands(delayed)} of the admitted requests wait, the longest ${seconds(longestDelayUs)}.`,
    numbers: { delayed, longestDelayUs },
  };
}

/** What refused clients reach by retries. */
function retriesSentence(facts: Facts): AnswerSentence | null {
  const rows = retriesOf(facts.candidates).filter(({ retries }) => retries.refusedAttempts > 0);
  const sorted = rows.toSorted((a, b) => a.retries.gaveUp - b.retries.gaveUp);
  const [low, high] = [sorted[0], sorted.at(-1)];
  if (low === undefined || high === undefined || low.retries.behaviour === "give-up") return null;
  const numbers = {
    least: low.retries.gaveUp,
    most: high.retries.gaveUp,
    leastLater: low.retries.admittedLater,
    mostLater: high.retries.admittedLater,
  };
  const effect = ({ admittedLater, gaveUp }: typeof low.retries): string =>
    `${admittedLater === 0 ? "no" : thousands(admittedLater)} ${admittedLater < 2 ? "request is" : "requests are"} admitted later and ${countWords(gaveUp)} given up`;
  const text =
    low.retries.gaveUp === high.retries.gaveUp
      ? effect(low.retries)
      : `${effect(low.retries)} with ${titleOf(low.candidate, facts)}, ${countWords(high.retries.admittedLater)} and ${countWords(high.retries.gaveUp)} with ${titleOf(high.candidate, facts)}`;
  return { id: "retries", text: `${sentenceCase(retryTitle(rows))}, ${text}.`, numbers };
}

/** How many more requests are refused at first because retries come before them; null: none. */
function displacementSentence(facts: Facts): AnswerSentence | null {
  const rows = retriesOf(facts.candidates).flatMap(({ candidate, retries }) => {
    const refusedAtFirst = retries.admittedLater + retries.gaveUp;
    const more = refusedAtFirst - candidate.refused;
    return retries.behaviour === "atb" || more <= 0 ? [] : [{ candidate, refusedAtFirst, more }];
  });
  const [most] = rows.toSorted((a, b) => b.more - a.more);
  if (most === undefined) return null;
  const { candidate, refusedAtFirst, more } = most;
  const by = facts.candidates.length === 1 ? "" : ` with ${titleOf(candidate, facts)}`;
  return {
    id: "crowded",
    text: `The retries push others out:${by} ${thousands(refusedAtFirst)} requests are refused at first, ${thousands(more)} more than without retries.`,
    numbers: { refusedAtFirst, more, refused: candidate.refused },
  };
}

/** Formats that a command finds by itself: not those of `--format` with a text, nor rows of a SELECT. */
const TYPED_FORMATS = new Set(["log_format", "LogFormat", "sql"]);

/** The command that searches a limit for the same requests; null: the result does not have what to type. */
function nextSentence({ logs, key, cost, candidates }: Facts): AnswerSentence | null {
  const perUs = candidates.find((candidate) => candidate.perUs !== null)?.perUs ?? null;
  const [log, ...others] = logs;
  if (log === undefined || others.length > 0 || perUs === null || cost !== null) return null;
  if (log.file === "-" || log.notSelected > 0 || TYPED_FORMATS.has(log.format)) return null;
  const ofKey = key === "ip" ? [] : ["--key", key];
  const command = portableCommand([
    "recommend",
    log.file,
    "--per",
    shortDuration(micros(perUs)),
    ...ofKey,
  ]);
  return {
    id: "next",
    text: `Search the smallest limit that refuses almost nothing: ${command}`,
    numbers: { perUs },
    command,
  };
}
