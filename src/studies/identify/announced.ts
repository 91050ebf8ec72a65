// Compares what responses announce with what the behaviour does: waits, limits, remaining requests and resets.
import { tightestBudget } from "../../limiter/limit-headers/exchange.ts";
import type { AdvertisedTime, ReceivedHeader } from "../../limiter/limit-headers/advertised.ts";
import { readDialects } from "../../limiter/limit-headers/dialects.ts";
import { SECOND } from "../../kit/units.ts";
import {
  intervalUsOf,
  isPaced,
  restUsOf,
  weighsWindows,
  type LimitBehaviour,
} from "./behaviour.ts";
import { modelOf } from "./behaviour-of.ts";
import type { IdentifyStep } from "./prober.ts";
import type { ProbeTiming } from "./evidence.ts";
import { isFirstSender, type Announced, type ProbeResponse } from "./target.ts";

/** Reads headers of any dialect. `receivedUs` is the time of the response by the client's clock. */
export function readAnnounced(headers: readonly ReceivedHeader[], receivedUs: number): Announced {
  const readings = readDialects(headers);
  const budgets = readings.flatMap((reading) => tightestBudget(reading) ?? []);
  const wait = readings.find(({ retryAfter }) => retryAfter !== null)?.retryAfter ?? null;
  const reset = budgets.find((budget) => budget.reset !== null)?.reset ?? null;
  const untilUs = (time: AdvertisedTime | null): number | null =>
    time === null ? null : time.seconds * SECOND - (time.isAbsolute ? receivedUs : 0);
  return {
    limit: budgets.find(({ limit }) => limit !== null)?.limit ?? null,
    remaining: budgets.find(({ remaining }) => remaining !== null)?.remaining ?? null,
    waitUs: untilUs(wait),
    resetUs: untilUs(reset),
  };
}

/** How many responses have a value, how many values could be compared, and how many of these are wrong. */
interface Comparison {
  readonly present: number;
  readonly compared: number;
  readonly untrue: number;
}

export interface AnnouncedFindings {
  /**
   * Refusals, and those with a Retry-After (`waits`). A wait is compared if the behaviour refuses as many of the requests
   * that were in flight together: only then is the true wait known. How many of these are shorter than any of theirs, or
   * over a second longer than all.
   */
  readonly refusals: number;
  readonly waits: number;
  readonly comparedWaits: number;
  readonly tooShort: number;
  readonly tooLong: number;
  /** The announced limits; empty: no response announces one. */
  readonly limits: readonly number[];
  readonly remaining: Comparison;
  readonly reset: Comparison;
}

/** By how much a correct announced time may be too late: headers have whole seconds, rounded up. */
const ROUNDING_US = SECOND;

/** Compares what responses announced with the behaviour's model, which decides all requests again. */
export function compareAnnounced(
  steps: readonly IdentifyStep[],
  behaviour: LimitBehaviour,
  { tripUs }: ProbeTiming,
): AnnouncedFindings {
  const limit = modelOf(behaviour).begin(null);
  const limits = new Set<number>();
  const remaining = { present: 0, compared: 0, untrue: 0 };
  const reset = { present: 0, compared: 0, untrue: 0 };
  let [refusals, waits, comparedWaits, tooShort, tooLong] = [0, 0, 0, 0, 0];
  const slackUs = 3 * tripUs + 5_000;
  for (const together of listDecided(steps, tripUs)) {
    const decided = together.map((one) => ({ ...one, decision: { ...limit.decide(one.atUs) } }));
    // The order in which requests were decided that were in flight together is unknown.
    const isAlone = decided.length === 1;
    const possibleUs = decided.flatMap(({ decision: { retryAfterUs } }) => retryAfterUs || []);
    const refused = decided.filter(({ response }) => response.outcome === "refused").length;
    const isAlike = decided.filter(({ decision }) => decision.refused !== null).length === refused;
    for (const { response, atUs, decision } of decided) {
      const { announced, outcome } = response;
      if (announced.limit !== null) limits.add(announced.limit);
      if (announced.remaining !== null) remaining.present++;
      if (announced.resetUs !== null) reset.present++;
      if (isAlone && isAlike && decision.limit >= 0) {
        const offBy = Math.abs((announced.remaining ?? 0) - decision.remaining);
        if (announced.remaining !== null) {
          remaining.compared++;
          if (offBy > doubtOf(behaviour, tripUs)) remaining.untrue++;
        }
        if (announced.resetUs !== null) {
          reset.compared++;
          const own = resetsOf(behaviour, decision.resetUs - atUs, decision.remaining);
          if (!own.some(isNear(announced.resetUs, slackUs))) reset.untrue++;
        }
      }
      if (outcome !== "refused") continue;
      refusals++;
      if (announced.waitUs === null) continue;
      waits++;
      if (!isAlike || possibleUs.length === 0) continue;
      comparedWaits++;
      if (announced.waitUs < Math.min(...possibleUs) - slackUs) tooShort++;
      if (announced.waitUs > Math.max(...possibleUs) + ROUNDING_US + slackUs) tooLong++;
    }
  }
  return {
    refusals,
    waits,
    comparedWaits,
    tooShort,
    tooLong,
    limits: [...limits].toSorted((a, b) => a - b),
    remaining,
    reset,
  };
}

interface Decided {
  readonly response: ProbeResponse;
  readonly atUs: number; // estimated time of the decision
}

/** The decided requests in their order. Those that were in flight together are one group. */
function listDecided(
  steps: readonly IdentifyStep[],
  tripUs: number,
): readonly (readonly Decided[])[] {
  const sent = steps
    .flatMap(({ groups }) => groups)
    .filter(isFirstSender)
    .flatMap((group) => group.responses)
    .toSorted((a, b) => a.sentUs - b.sentUs);
  const together: ProbeResponse[][] = [];
  let latestUs = 0;
  for (const response of sent) {
    if (response.sentUs >= latestUs) together.push([]);
    together.at(-1)!.push(response);
    latestUs = Math.max(latestUs, response.receivedUs);
  }
  return together.map((responses) =>
    responses
      .filter(({ outcome }) => outcome === "admitted" || outcome === "refused")
      .map((response) => {
        const tripsUs = Math.min(response.receivedUs - response.sentUs, 3 * tripUs);
        return { response, atUs: response.sentUs + tripsUs / 2 };
      })
      .toSorted((a, b) => a.atUs - b.atUs),
  );
}

/** How far an announced `remaining` may be off: by the requests that the limit regains during a response. */
const doubtOf = (behaviour: LimitBehaviour, tripUs: number): number =>
  isPaced(behaviour) || weighsWindows(behaviour)
    ? 1 + Math.floor((1.5 * tripUs) / intervalUsOf(behaviour))
    : 0;

/** Times that a reset may mean: one more request is admitted, all requests are available again, or a window ends. */
function resetsOf(behaviour: LimitBehaviour, ownUs: number, remaining: number): readonly number[] {
  const { capacity, spanUs } = behaviour;
  if (!isPaced(behaviour)) return [ownUs, spanUs];
  return [ownUs, spanUs, (capacity - remaining) * spanUs, restUsOf(behaviour)];
}

const isNear =
  (announcedUs: number, slackUs: number) =>
  (us: number): boolean =>
    announcedUs >= us - ROUNDING_US - slackUs && announcedUs <= us + ROUNDING_US + slackUs;
