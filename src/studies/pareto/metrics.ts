// Computes the metrics of one run. docs/answer/pareto.md explains each metric in one sentence.
import { isAdmittedStatus } from "../../lab/check/select.ts";
import type { History, Requests } from "../../lab/scenario/history.ts";

export const METRICS = {
  over: {
    unit: "%",
    about:
      "admitted although all gateways together had rightly admitted `rate` requests of the key in the last `per`",
  },
  wrong: {
    unit: "%",
    about:
      "refused although fewer than `rate` requests of the key were admitted or wrongly refused in the last `per`",
  },
  burst: {
    unit: "x rate",
    about: "the most requests of one key that were admitted in any window of `per`",
  },
  operations: {
    unit: "",
    about: "commands that the store does for one request, those inside scripts too",
  },
  bytes: {
    unit: "B",
    about: "memory of the store and the gateways for one key, at its peak",
  },
  latency: { unit: "ms", about: "from the request to the answer, on average" },
} as const;

export type ParetoMetricName = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as readonly ParetoMetricName[];
export type Figures = Readonly<Record<ParetoMetricName, number>>;

export interface Errors {
  readonly over: number; // number of wrongly admitted requests
  readonly wrong: number;
  readonly fullest: number; // the most requests of one key admitted in one window
}

/**
 * Counts errors by the true times of decisions: a request is counted from its admission, even while in flight. An
 * error is one request too many or too few. Its consequences are not counted again: with traffic at the limit, one
 * request too many would otherwise make all later ones errors.
 */
export function errorsIn(requests: Requests, rate: number, perUs: number): Errors {
  const rows = [...requests.status.keys()].toSorted(
    (a, b) => requests.toUs[a]! - requests.toUs[b]! || a - b,
  );
  const byKey = new Map<number, Past>();
  let [over, wrong, fullest] = [0, 0, 0];
  for (const row of rows) {
    const key = requests.key[row]!;
    let past = byKey.get(key);
    if (past === undefined) byKey.set(key, (past = pastOf(perUs)));
    const nowUs = requests.toUs[row]!;
    if (isAdmittedStatus(requests.status[row]!)) {
      if (past.rightly.countUntil(nowUs) >= rate) over++;
      else past.rightly.add(nowUs);
      past.owed.add(nowUs);
      past.admitted.add(nowUs);
      fullest = Math.max(fullest, past.admitted.countUntil(nowUs));
    } else if (past.owed.countUntil(nowUs) < rate) {
      wrong++;
      past.owed.add(nowUs);
    }
  }
  return { over, wrong, fullest };
}

/** The requests of one key in the last window. */
interface Past {
  readonly admitted: WindowCounter;
  readonly rightly: WindowCounter; // rightly admitted
  readonly owed: WindowCounter; // admitted, or wrongly refused
}

const pastOf = (perUs: number): Past => ({
  admitted: windowCounter(perUs),
  rightly: windowCounter(perUs),
  owed: windowCounter(perUs),
});

/** Counts requests in the window that ends at `nowUs`. Calls must pass increasing values of `nowUs`. */
interface WindowCounter {
  readonly countUntil: (nowUs: number) => number;
  readonly add: (nowUs: number) => void;
}

function windowCounter(perUs: number): WindowCounter {
  const atUs: number[] = [];
  let first = 0;
  return {
    countUntil: (nowUs) => {
      while (first < atUs.length && atUs[first]! <= nowUs - perUs) first++;
      return atUs.length - first;
    },
    add: (nowUs) => void atUs.push(nowUs),
  };
}

export function figuresOf(
  { requests, store }: History,
  { rate, perUs, bytes }: { readonly rate: number; readonly perUs: number; readonly bytes: number },
): Figures {
  const { length, sentUs, answeredUs } = requests;
  if (length === 0) throw new Error("a run without requests has no metrics");
  const { over, wrong, fullest } = errorsIn(requests, rate, perUs);
  let waitedUs = 0;
  for (let row = 0; row < length; row++) waitedUs += answeredUs[row]! - sentUs[row]!;
  const keys = new Set(requests.key).size;
  return {
    over: round((100 * over) / length),
    wrong: round((100 * wrong) / length),
    burst: round(fullest / rate),
    operations: round((store.commands + store.inner) / length),
    bytes: round(bytes / keys),
    latency: round(waitedUs / length / 1000),
  };
}

/** Rounds, because machines differ in the last digits of sines and logarithms. */
const round = (value: number): number => Number(value.toPrecision(6));
