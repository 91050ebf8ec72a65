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
   * Refusals, and those with a Retry-After (`waits`). A wait is compared if the behaviour refuses the request too: only
   * then is the true wait known. How many of these are too short, or over a second too long.
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
  const responses = listDecided(steps, tripUs);
  const limit = modelOf(behaviour).begin(null);
  const limits = new Set<number>();
  const remaining = { present: 0, compared: 0, untrue: 0 };
  const reset = { present: 0, compared: 0, untrue: 0 };
  let [refusals, waits, comparedWaits, tooShort, tooLong] = [0, 0, 0, 0, 0];
  const slackUs = 3 * tripUs + 5_000;
  for (const { response, atUs, isAlone } of responses) {
    const { announced, outcome } = response;
    const decision = limit.decide(atUs);
    const isAlike = (decision.refused === null) === (outcome === "admitted");
    if (announced.limit !== null) limits.add(announced.limit);
    if (announced.remaining !== null) remaining.present++;
    if (announced.resetUs !== null) reset.present++;
    // The order in which simultaneous requests were decided is unknown.
    if (isAlone && isAlike && decision.limit >= 0) {
      const offBy = Math.abs((announced.remaining ?? 0) - decision.remaining);
      if (announced.remaining !== null) {
        remaining.compared++;
        if (offBy > doubtOf(behaviour, tripUs)) remaining.untrue++;
      }
      if (announced.resetUs !== null) {
        reset.compared++;
        const own = decision.resetUs - atUs;
        if (!resetsOf(behaviour, own, decision.remaining).some(isNear(announced.resetUs, slackUs)))
          reset.untrue++;
      }
    }
    if (outcome !== "refused") continue;
    refusals++;
    if (announced.waitUs === null) continue;
    waits++;
    if (decision.retryAfterUs === 0) continue;
    comparedWaits++;
    if (announced.waitUs < decision.retryAfterUs - slackUs) tooShort++;
    if (announced.waitUs > decision.retryAfterUs + ROUNDING_US + slackUs) tooLong++;
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
  readonly isAlone: boolean; // no other request was in flight
}

function listDecided(steps: readonly IdentifyStep[], tripUs: number): readonly Decided[] {
  const sent = steps
    .flatMap(({ groups }) => groups)
    .filter(isFirstSender)
    .flatMap((group) => group.responses)
    .toSorted((a, b) => a.sentUs - b.sentUs);
  let latestUs = 0;
  return sent
    .map((response, index) => {
      const tripsUs = Math.min(response.receivedUs - response.sentUs, 3 * tripUs);
      const nextUs = sent[index + 1]?.sentUs ?? Infinity;
      const isAlone = response.sentUs >= latestUs && nextUs >= response.receivedUs;
      latestUs = Math.max(latestUs, response.receivedUs);
      return { response, atUs: response.sentUs + tripsUs / 2, isAlone };
    })
    .filter(({ response: { outcome } }) => outcome === "admitted" || outcome === "refused")
    .toSorted((a, b) => a.atUs - b.atUs);
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
