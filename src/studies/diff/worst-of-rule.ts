// The most that a limit of a configuration admits in any window. A sender that knows when the limit admits a request
// sends at the instants that are worst for some algorithm: as often as possible, and around the end of a window.
import { client } from "../../limiter/core/client.ts";
import { memoryStore } from "../../limiter/store/memory.ts";
import { startCounting, type CountingRule } from "../../lab/implementations/started-rules.ts";

/** A limit of more requests takes too long to search, and admits more. */
export const MOST_SEARCHED = 5000;

/** Windows before the first request, so that a pattern may begin before the end of one of the clock. */
const FIRST_WINDOW = 100;

/** The most requests of one budget in any window; null: the limit is too large to search. */
export function worstOfRule(rule: CountingRule, windowUs: number): number | null {
  const { perUs } = rule.limit;
  const rate = rule.limit.rate / (rule.cost ?? 1);
  if (rate > MOST_SEARCHED) return null;
  const edgeUs = FIRST_WINDOW * perUs;
  const spacingUs = Math.ceil(perUs / rate);
  const sooner = [1, 1000]; // some programs count in milliseconds
  const train = (fromUs: number): readonly number[] =>
    Array.from({ length: 2 * Math.ceil(rate) }, (_, at) => fromUs + (at + 1) * spacingUs);
  const patterns: readonly (readonly Instant[])[] = [
    [flood(edgeUs), ...train(edgeUs).map(flood)],
    ...sooner.flatMap((us) => [
      [flood(edgeUs - us), flood(edgeUs), ...train(edgeUs).map(flood)],
      [single(edgeUs - perUs), flood(edgeUs - us), flood(edgeUs), ...train(edgeUs).map(flood)],
      // A clock that drops fractions sees the two ends of this pattern a whole window apart.
      [single(edgeUs - us), flood(edgeUs + perUs - 2 * us), flood(edgeUs + perUs - us)],
    ]),
    [flood(edgeUs - perUs / 2), flood(edgeUs), flood(edgeUs + perUs / 2 - 1)],
  ];
  let most = 0;
  const senders = [
    ...patterns.map((pattern) => () => sendPattern(rule, pattern)),
    () => sendSoonest(rule, edgeUs),
    () => sendSoonest(rule, edgeUs - 1), // a clock of whole milliseconds is nearly one behind
  ];
  for (const send of senders) {
    const admitted = send();
    if (admitted === null) return null;
    most = Math.max(most, mostWithin(admitted, windowUs));
  }
  return most;
}

/** At an instant one request is sent, or as many as are admitted. */
interface Instant {
  readonly atUs: number;
  readonly most: number;
}

const flood = (atUs: number): Instant => ({
  atUs: Math.ceil(atUs),
  most: Number.POSITIVE_INFINITY,
});
const single = (atUs: number): Instant => ({ atUs: Math.ceil(atUs), most: 1 });

/** The times of the admitted requests; null: there are too many. */
function sendPattern(rule: CountingRule, pattern: readonly Instant[]): readonly number[] | null {
  const decide = startCounting(rule, memoryStore());
  const sender = client("worst");
  const admitted: number[] = [];
  for (const { atUs, most } of pattern)
    for (let sent = 0; sent < most; sent++) {
      // A refused request, which some limiters count, is not sent.
      if (decide(sender, atUs, "evaluate").refused !== null) break;
      decide(sender, atUs, "spend");
      admitted.push(atUs);
      if (admitted.length > 4 * MOST_SEARCHED) return null;
    }
  return admitted;
}

/** The times of requests that are sent as soon as the limit admits them, for two windows; null: there are too many. */
function sendSoonest(rule: CountingRule, fromUs: number): readonly number[] | null {
  const decide = startCounting(rule, memoryStore());
  const sender = client("worst");
  const admitted: number[] = [];
  let atUs = fromUs;
  for (let tries = 0; tries < 8 * MOST_SEARCHED && atUs <= fromUs + 2 * rule.limit.perUs; tries++) {
    const { refused, retryAfterUs } = decide(sender, atUs, "evaluate");
    if (refused === null) {
      decide(sender, atUs, "spend");
      admitted.push(atUs);
      if (admitted.length > 4 * MOST_SEARCHED) return null;
    } else atUs += Math.max(1, retryAfterUs);
  }
  return admitted;
}

/** The most of the times in any half-open window. */
function mostWithin(timesUs: readonly number[], perUs: number): number {
  let most = 0;
  for (let from = 0, to = 0; to < timesUs.length; to++) {
    while (timesUs[from]! <= timesUs[to]! - perUs) from++;
    most = Math.max(most, to - from + 1);
  }
  return most;
}
