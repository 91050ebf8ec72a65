// The answer of weir worst: how many requests get through a limit, why, and whether more could.
import { portableCommand } from "../../kit/command-line.ts";
import { perWords, rateWords } from "../../kit/reading/periods.ts";
import type { Algorithm } from "../../limiter/core/algorithms.ts";
import { formatDuration, micros } from "../../kit/units.ts";
import type { Answer, AnswerSentence } from "../../lab/report/answer.ts";
import { countText, thousands } from "../../kit/reading/legible.ts";
import { boundOf, definitionBoundOf } from "../../studies/worst/bound.ts";
import type { UnansweredWorstCase } from "../../studies/worst/result.ts";
import { limiterWords, listWords, sentenceCase, withinWords } from "./words.ts";

type Facts = UnansweredWorstCase;

export const answerWorst = (facts: Facts): Answer =>
  [
    mostSentence(facts),
    causeSentence(facts),
    boundSentence(facts),
    clockSentence(facts),
    searchSentence(facts),
    nextSentence(facts),
  ].flatMap((sentence) => sentence ?? []);

/** The bound by the definition of the algorithm; null: it is not known, or the requirement states one. */
const definitionBound = ({ question }: Facts): number | null =>
  definitionBoundOf({ ...question, inFlight: question.inFlight ?? Infinity });

const isReached = (facts: Facts): boolean =>
  facts.standing === "reached" || facts.most === definitionBound(facts);

const wholeRate = ({ question }: Facts): number => Math.floor(question.rate);

/** A search that reaches the bound knows the most; any other has found what is possible at least. */
function mostSentence(facts: Facts): AnswerSentence {
  const { question, most } = facts;
  const { algorithm, rate, perUs, nodes } = question;
  const where = nodes === 1 ? "" : ` on ${nodes} gateways`;
  const limit = `${limiterWords({ algorithm, profile: null })} of ${rateWords(rate, perUs)}${where}`;
  const extent = isReached(facts) ? "Up to" : "At least";
  return {
    id: "most",
    text:
      isReached(facts) && most <= wholeRate(facts)
        ? `No more than ${countText(most, "request")} can get through ${limit} in any ${perWords(perUs)}.`
        : `${extent} ${countText(most, "request")} can get through ${limit} ${withinWords(perUs)}: ${burstWords(facts)}.`,
    numbers: { most, rate, perUs },
  };
}

const MOST_BURSTS = 3;

/** "4 at once, and 5 more 100ms later". */
function burstWords({ window }: Facts): string {
  const [first, ...others] = window;
  const lastUs = window.at(-1)!.atUs - first!.atUs;
  if (window.length > MOST_BURSTS)
    return `they are sent at ${window.length} times within ${durationWords(lastUs)}`;
  const later = others.map(
    ({ atUs, count }, at) =>
      `${thousands(count)} more ${durationWords(atUs - window[at]!.atUs)} later`,
  );
  return listWords([`${thousands(first!.count)} at once`, ...later]);
}

/** "100 ms". */
const durationWords = (us: number): string =>
  formatDuration(micros(us)).replaceAll(/(\d)([a-z])/g, "$1 $2");

// ---------------------------------------------------------------- why

/** The reason that the found traffic shows; null: the limit is kept, or the traffic shows none. */
function causeSentence(facts: Facts): AnswerSentence | null {
  if (facts.most <= wholeRate(facts)) return null;
  const text = clockCause(facts) ?? overlapCause(facts) ?? algorithmCause(facts);
  return text === null ? null : { id: "cause", text, numbers: {} };
}

/** Nothing expires in a bucket, and the gateways of DRL count alone. */
const WITHOUT_SHARED_TIMES: ReadonlySet<Algorithm> = new Set([
  "token_bucket",
  "leaky_bucket",
  "gcra",
  "drl",
]);

/** The bound if all clocks were equal: clocks explain only what exceeds it, and nothing else explains that. */
const boundOfOneClock = ({ question }: Facts): number | null =>
  boundOf({ ...question, inFlight: question.inFlight ?? Infinity, skewUs: [] }).most;

function clockCause(facts: Facts): string | null {
  const { question, most, window } = facts;
  if (WITHOUT_SHARED_TIMES.has(question.algorithm) || most <= (boundOfOneClock(facts) ?? 0))
    return null;
  const clocks = Array.from({ length: question.nodes }, (_, node) => question.skewUs[node] ?? 0);
  const gateways = [...new Set(window.flatMap((burst) => burst.gateways))];
  const own = gateways.map((gateway) => clocks[gateway]!);
  const differUs = Math.max(...own) - Math.min(...own);
  return differUs === 0
    ? null
    : `The clocks of the gateways differ by ${durationWords(differUs)}: requests that one still counts have expired for another.`;
}

function overlapCause(facts: Facts): string | null {
  const { question, window } = facts;
  const isCountedLate =
    question.algorithm === "sentinel" || question.algorithm === "non_transactional";
  const together = Math.max(...window.map(({ count }) => count));
  if (!isCountedLate || question.inFlight === null || together < 2) return null;
  return `${countText(together, "request")} are under way together, and each is decided before the others are counted.`;
}

function algorithmCause(facts: Facts): string | null {
  const { question, window } = facts;
  const { algorithm, burst } = question;
  if (algorithm === "fixed_window" || algorithm === "drl") return windowCause(facts);
  if (algorithm === "token_bucket") return bucketCause(wholeRate(facts), facts);
  if (algorithm === "gcra") return bucketCause(burst === "rate" ? wholeRate(facts) : burst, facts);
  return algorithm === "sliding_window_counter" && window.length > 1
    ? "It counts the requests of the window before as if they were spread evenly, but they are sent at its end."
    : null;
}

/** In the order of the traffic: the full bucket admits its burst first or last. */
function bucketCause(full: number, facts: Facts): string | null {
  const { most, question, window } = facts;
  if (
    most <= full ||
    most > (boundOfOneClock(facts) ?? most) ||
    window.every(({ count }) => count !== full)
  )
    return null;
  const gained = thousands(most - full);
  return window[0]!.count < full && window.at(-1)!.count === full
    ? `The bucket gains again the ${gained} that are spent first, and once full it admits ${thousands(full)} at once.`
    : `A full bucket admits ${thousands(full)} at once, and it gains ${gained} more ${withinWords(question.perUs)}.`;
}

/** The end of a window, at the largest gap: neither side has more than one window admits. */
function windowCause({ question, window, bursts }: Facts): string | null {
  const gaps = window.slice(1).map(({ atUs }, at) => atUs - window[at]!.atUs);
  if (gaps.length === 0) return null;
  const end = gaps.indexOf(Math.max(...gaps)) + 1;
  const countOf = (bursts: typeof window): number =>
    bursts.reduce((sum, { count }) => sum + count, 0);
  const [before, after] = [countOf(window.slice(0, end)), countOf(window.slice(end))];
  const { rate, nodes, algorithm } = question;
  if (Math.max(before, after) > Math.floor(rate)) return null;
  const each =
    algorithm === "drl" && nodes > 1
      ? `each of ${nodes} gateways begins a new window with its whole share`
      : `the next window begins with its whole budget`;
  const opening = bursts[0]!;
  const sent =
    opening.atUs < window[0]!.atUs
      ? `${opening.count === 1 ? "One request opens" : `${countText(opening.count, "request")} open`} a window, ${thousands(before)} more are sent before it ends`
      : `${countText(before, "request")} are sent before a window ends`;
  return `${sent} and ${thousands(after)} after it, and ${each}.`;
}

// ---------------------------------------------------------------- whether more is possible, and the next step

function boundSentence(facts: Facts): AnswerSentence {
  const { bound, standing } = facts;
  const { most, because } = bound;
  const derived = definitionBound(facts);
  if (derived !== null) return definitionSentence(facts, derived);
  const text = {
    reached: `More is impossible: this traffic reaches the bound of ${most} (${because}) that requirement LIM-C11 proves.`,
    "not reached": `The bound is ${most} (${because}) by requirement LIM-C11; no traffic of the search reached it, which does not exclude it.`,
    passed: `Requirement LIM-C11 allows only ${most} (${because}): this is a bug of Weir, please report it.`,
    "nothing stated": `No bound is known (${because}), so that other traffic may get more through.`,
  }[standing];
  return { id: "bound", text, numbers: most === null ? {} : { bound: most } };
}

/** The bound by the definition, of which a sliding window counter has an explanation. */
function definitionSentence(facts: Facts, derived: number): AnswerSentence {
  const { question, most, bound } = facts;
  const whole = thousands(wholeRate(facts));
  const why =
    question.algorithm === "sliding_window_counter"
      ? `: of the ${whole} of the window before, a part still counts`
      : "";
  const limit = `the definition of the algorithm admits at most ${thousands(derived)}${why} (${bound.because})`;
  const text =
    most === derived
      ? `More is impossible: ${limit}, and this traffic reaches that.`
      : `${sentenceCase(limit)}; no traffic of the search reached that, which does not exclude it.`;
  return { id: "bound", text, numbers: { bound: derived } };
}

/** Windows that begin by the clock admit more than those that begin with a request. Null: it is no such limit. */
function clockSentence({ question, bound: { most } }: Facts): AnswerSentence | null {
  if (question.fixedWindowStart === "clock") return null;
  const inFlight = question.inFlight ?? Infinity;
  const byClock = boundOf({ ...question, inFlight, fixedWindowStart: "clock" }).most;
  if (byClock === null || most === null || byClock <= most) return null;
  return {
    id: "clock",
    text: `That is for windows that begin with a request; by the clock they allow ${thousands(byClock)}: --fixed-window-start clock.`,
    numbers: { bound: byClock },
  };
}

function searchSentence(facts: Facts): AnswerSentence | null {
  const { standing, patterns } = facts;
  if (isReached(facts) || standing === "passed") return null;
  return {
    id: "search",
    text: `The search tried ${thousands(patterns)} patterns of traffic; --search-time 1m tries more.`,
    numbers: { patterns },
  };
}

/** For a limit that is exceeded. */
function nextSentence(facts: Facts): AnswerSentence | null {
  const { question, most, standing } = facts;
  if (most <= wholeRate(facts) || standing === "passed") return null;
  const { rate, perUs, algorithm, level } = question;
  const each = level === "api" ? "" : " of each key";
  const upstream = `Plan the upstream for ${thousands(most)} per ${perWords(perUs)}${each}`;
  const sentence = { id: "next", text: `${upstream}.`, numbers: { most } };
  if (algorithm === "sliding_log") return sentence;
  const limit = ["--rate", String(rate), "--per", formatDuration(perUs)];
  const command = portableCommand(["worst", "--algorithm", "sliding_log", ...limit]);
  return {
    ...sentence,
    text: `${upstream}, or compare with a sliding log: ${command}`,
    command,
  };
}
