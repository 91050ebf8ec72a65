// How the requests of a log are spread over its minutes. A limit is found for the traffic that a log shows, and a log
// with a part of the requests, or without some of its files, shows less than clients need.
import { z } from "zod";

const MINUTE_US = 60_000_000;
const MINUTES_OF_HOUR = 60;

/** A shorter log has few minutes, and one with fewer requests has most of its minutes empty. */
const FEWEST_MINUTES = 60;
const FEWEST_REQUESTS = 100;
/** Most requests: so few others do not hide that they are in few minutes. */
const MOST = 0.9;
/** They are in few minutes if requests at random times would be in twenty times as many. */
const FEW = 0.05;
/** At this share of the log, one time without requests is a gap. Nights and weekends of whole weeks are shorter. */
const GAP = 0.5;
const FEWEST_HOURS = 3;

const count = z.int().min(0);

/** Minutes are those of the clock, in UTC. */
export const coverageSchema = z.strictObject({
  requests: count,
  minutes: count, // from the first request to the last
  /** The fewest minutes that have at least 90 % of the requests, and how many they have. */
  busyMinutes: count,
  busyRequests: count,
  /** The minute of the hour with at least 90 % of the requests, and how many it has; null: there is none. */
  minuteOfHour: z.strictObject({ minute: count, requests: count, hours: count }).nullable(),
  /** Consecutive minutes without a request: the most of them. */
  longestGapMinutes: count,
  /** What makes it doubtful that the log is whole; null: nothing does. */
  doubt: z.enum(["same minute of each hour", "few minutes", "gap"]).nullable(),
});

export type LogCoverage = z.infer<typeof coverageSchema>;

/** The longest window of which a log that is doubted as a sample of minutes shows what clients need. */
export const longestShownUs = ({ doubt }: Pick<LogCoverage, "doubt">): number =>
  doubt === "same minute of each hour" || doubt === "few minutes"
    ? MINUTE_US
    : Number.POSITIVE_INFINITY;

/** Counts the requests of each minute. */
export class MinuteCounts {
  readonly #counts = new Map<number, number>();

  /** Adds the first `length` times. Those of one minute usually follow each other. */
  add(atUs: Float64Array, length: number): void {
    let from = 0;
    while (from < length) {
      const minute = Math.floor(atUs[from]! / MINUTE_US);
      const [startUs, endUs] = [minute * MINUTE_US, (minute + 1) * MINUTE_US];
      let to = from + 1;
      while (to < length && atUs[to]! < endUs && atUs[to]! >= startUs) to++;
      this.#counts.set(minute, (this.#counts.get(minute) ?? 0) + to - from);
      from = to;
    }
  }

  coverage(): LogCoverage {
    const times = [...this.#counts.keys()].toSorted((a, b) => a - b);
    const requests = [...this.#counts.values()].reduce((sum, each) => sum + each, 0);
    const minutes = times.length === 0 ? 0 : times.at(-1)! - times[0]! + 1;
    const [busyMinutes, busyRequests] = countBusy([...this.#counts.values()], requests);
    const minuteOfHour = findMinuteOfHour(this.#counts, requests);
    const longestGapMinutes = times.reduce(
      (most, time, at) => Math.max(most, at === 0 ? 0 : time - times[at - 1]! - 1),
      0,
    );
    const expected = minutes * (1 - Math.exp(-requests / minutes));
    const isLong = minutes >= FEWEST_MINUTES && requests >= FEWEST_REQUESTS;
    const doubt = !isLong
      ? null
      : minuteOfHour !== null
        ? "same minute of each hour"
        : busyMinutes < FEW * expected
          ? "few minutes"
          : longestGapMinutes >= GAP * minutes
            ? "gap"
            : null;
    return { requests, minutes, busyMinutes, busyRequests, minuteOfHour, longestGapMinutes, doubt };
  }
}

/** The fewest minutes with most requests, and how many they have. */
function countBusy(counts: readonly number[], requests: number): readonly [number, number] {
  let [minutes, busy] = [0, 0];
  for (const each of counts.toSorted((a, b) => b - a)) {
    if (busy >= MOST * requests) break;
    minutes++;
    busy += each;
  }
  return [minutes, busy];
}

function findMinuteOfHour(
  counts: ReadonlyMap<number, number>,
  requests: number,
): LogCoverage["minuteOfHour"] {
  const sums = new Map<number, { requests: number; hours: number }>();
  for (const [time, each] of counts) {
    const minute = time % MINUTES_OF_HOUR;
    const sum = sums.get(minute) ?? { requests: 0, hours: 0 };
    sums.set(minute, { requests: sum.requests + each, hours: sum.hours + 1 });
  }
  const found = [...sums].find(([, sum]) => sum.requests >= MOST * requests);
  return found === undefined || found[1].hours < FEWEST_HOURS
    ? null
    : { minute: found[0], ...found[1] };
}
