// Decides when a probe sends its next request: at once until a refusal, then at instants that test advertised waits.
import {
  waitOf,
  measureClock,
  endOf,
  type JudgedExchange,
} from "../../limiter/limit-headers/exchange.ts";
import { testWaits } from "../../limiter/limit-headers/waits.ts";
import type { DialectId } from "../../limiter/limit-headers/advertised.ts";

export interface ProbeCaps {
  readonly requests: number;
  readonly seconds: number;
}

type ProbeStep =
  | { readonly kind: "send"; readonly atS: number }
  | { readonly kind: "end"; readonly why: string };

/** Times are Unix seconds by the client's clock. */
interface ProbeState {
  readonly exchanges: readonly JudgedExchange[];
  readonly startS: number;
  readonly nowS: number;
  readonly caps: ProbeCaps;
}

const end = (why: string): ProbeStep => ({ kind: "end", why });
const sendAt = (atS: number): ProbeStep => ({ kind: "send", atS });

/** After this many errors in a row, no further request is sent. */
const MOST_ERRORS = 3;
/** A request sent this long after an instant surely arrives after it. */
const AFTER_S = 0.02;
/** Seconds. If no advertised wait is longer, MOST_RUNS windows are used up, because a short window proves less. */
const SHORT_WAIT_S = 2;
const LEAST_RUNS = 2;
const MOST_RUNS = 3;
const FIRST_BACKOFF_S = 0.5;
/** After this many refusals in a row, each after the advertised wait, that wait is ignored. */
const MOST_REFUSALS = 4;

export function nextProbe(state: ProbeState): ProbeStep {
  const { exchanges, startS, nowS, caps } = state;
  const last = exchanges.at(-1);
  if (last === undefined) return sendAt(nowS);
  // Only the first admission after a refusal can complete the examination. A check per admission takes quadratic time.
  const isFirstAdmitted = last.outcome === "admitted" && exchanges.at(-2)?.outcome !== "admitted";
  if (isFirstAdmitted && isExamined(exchanges)) return end("all is examined");
  if (exchanges.length >= caps.requests)
    return end(`the cap of ${caps.requests} requests is reached`);
  const timeUp = `the cap of ${caps.seconds} s is reached`;
  if (nowS >= startS + caps.seconds) return end(timeUp);
  if (last.outcome === "admitted") return sendAt(nowS);
  if (last.outcome === "other") {
    const errors = exchanges.slice(-MOST_ERRORS);
    const isOver =
      exchanges.length < MOST_ERRORS || errors.every(({ outcome }) => outcome === "other");
    return isOver ? end(`the server responds with ${last.status}`) : sendAt(nowS + FIRST_BACKOFF_S);
  }
  const atS = afterRefusal(state, last);
  return atS < startS + caps.seconds ? sendAt(atS) : end(timeUp);
}

/** Whether each wait was tested, and enough windows were used up to compare their sizes. */
function isExamined(exchanges: readonly JudgedExchange[]): boolean {
  const refusals = exchanges.filter(({ outcome }) => outcome === "refused");
  const runs = refusals.filter(({ index }) => exchanges[index - 1]?.outcome === "admitted").length;
  if (runs < LEAST_RUNS) return false;
  const waits = refusals.flatMap(({ readings }) => readings.flatMap((each) => waitOf(each) ?? []));
  const isQuick = waits.every((wait) => !wait.isAbsolute && wait.seconds <= SHORT_WAIT_S);
  const wanted = isQuick ? MOST_RUNS : LEAST_RUNS;
  return runs >= wanted && listOpenTests(exchanges, measureClock(exchanges)).length === 0;
}

interface PendingTest {
  readonly dialect: DialectId;
  readonly kind: "before" | "after";
}

/** The tests that are still to be made. A wait that the first test finds wrong is tested twice. */
function listOpenTests(
  exchanges: readonly JudgedExchange[],
  clock: ReturnType<typeof measureClock>,
): readonly PendingTest[] {
  const refusals = exchanges.filter(({ outcome }) => outcome === "refused");
  const dialects = new Set(
    refusals.flatMap(({ readings }) =>
      readings.flatMap((reading) => (waitOf(reading) === null ? [] : reading.dialect)),
    ),
  );
  return [...dialects].flatMap((dialect): readonly PendingTest[] => {
    const { enough, short, needed, long } = testWaits(exchanges, dialect, clock);
    const isBeforeOpen = dialect === "retry-after" && needed + long < (long > 0 ? 2 : 1);
    return [
      ...(isBeforeOpen ? [{ dialect, kind: "before" } as const] : []),
      ...(enough + short < (short > 0 ? 2 : 1) ? [{ dialect, kind: "after" } as const] : []),
    ];
  });
}

/** When to send next: when the next test is due. Past the time cap, or after wrong waits, a growing pause applies. */
function afterRefusal({ exchanges, startS, nowS, caps }: ProbeState, last: JudgedExchange): number {
  const clock = measureClock(exchanges);
  const slowest = Math.max(
    ...exchanges.slice(-20).map(({ sentS, receivedS }) => receivedS - sentS),
  );
  const instants = listOpenTests(exchanges, clock).flatMap(({ dialect, kind }) => {
    const wait = last.readings.flatMap((reading) =>
      reading.dialect === dialect ? (waitOf(reading) ?? []) : [],
    )[0];
    if (wait === undefined) return [];
    const over = endOf(wait, last, clock);
    if (kind === "after") return [Math.max(nowS, over.toS) + AFTER_S];
    const before = over.fromS - 1 - Math.min(0.1, AFTER_S + 2 * slowest);
    return before > nowS ? [before] : [];
  });
  const ends = last.readings.flatMap((reading) => {
    const wait = waitOf(reading);
    return wait === null ? [] : [Math.max(nowS, endOf(wait, last, clock).toS) + AFTER_S];
  });
  const next = Math.min(...(instants.length > 0 ? instants : ends));
  const inARow =
    exchanges.length - 1 - exchanges.findLastIndex(({ outcome }) => outcome !== "refused");
  const backoff = (refusals: number): number => nowS + FIRST_BACKOFF_S * 2 ** (refusals - 1);
  if (next >= startS + caps.seconds) return backoff(inARow);
  return inARow <= MOST_REFUSALS ? next : Math.max(next, backoff(inARow - MOST_REFUSALS));
}
