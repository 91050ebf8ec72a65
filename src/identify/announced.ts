// Whether the waits and counts that responses announce are those of the identified behaviour.
import { readDialects } from "../limit-headers/dialects.ts";
import { configurationOf, type LimitBehaviour } from "./behaviour.ts";
import { createLimitModel } from "./model.ts";
import type { IdentifyStep } from "./identify.ts";
import { isFirstSender } from "./target.ts";
import type { ProbeTiming } from "./suspect.ts";

export interface AnnouncedFindings {
  /** Refusals, those with a Retry-After, and how many of these are too short or more than a second too long. */
  readonly refusals: number;
  readonly waits: number;
  readonly tooShort: number;
  readonly tooLong: number;
  /** The limits that headers show; empty: none does. */
  readonly limits: readonly number[];
}

/** The standard has whole seconds, so a wait may be up to a second too long. */
const ROUNDING_US = 1_000_000;

/** The behaviour decides all requests again; where it refuses too, it knows the wait. */
export function compareAnnounced(
  steps: readonly IdentifyStep[],
  behaviour: LimitBehaviour,
  { tripUs }: ProbeTiming,
): AnnouncedFindings {
  const responses = steps
    .flatMap(({ groups }) => groups)
    .filter(isFirstSender)
    .flatMap((group) => group.responses)
    .filter(({ outcome }) => outcome === "admitted" || outcome === "refused")
    .map((response) => {
      const tripsUs = Math.min(response.receivedUs - response.sentUs, 3 * tripUs);
      return { response, atUs: response.sentUs + tripsUs / 2 };
    })
    .toSorted((a, b) => a.atUs - b.atUs);
  const limit = createLimitModel(configurationOf(behaviour)).begin(null);
  const limits = new Set<number>();
  let [refusals, waits, tooShort, tooLong] = [0, 0, 0, 0];
  for (const { response, atUs } of responses) {
    const { retryAfterUs } = limit.decide(atUs);
    const readings = readDialects(response.headers);
    for (const { budgets } of readings)
      for (const budget of budgets) if (budget.limit !== null) limits.add(budget.limit);
    if (response.outcome !== "refused") continue;
    refusals++;
    const wait = readings.find((each) => each.retryAfter !== null)?.retryAfter ?? null;
    if (wait === null) continue;
    waits++;
    if (retryAfterUs === 0) continue;
    const announcedUs = wait.isAbsolute
      ? wait.seconds * 1e6 - response.receivedUs
      : wait.seconds * 1e6;
    const slackUs = 3 * tripUs + 5_000;
    if (announcedUs < retryAfterUs - slackUs) tooShort++;
    if (announcedUs > retryAfterUs + ROUNDING_US + slackUs) tooLong++;
  }
  return { refusals, waits, tooShort, tooLong, limits: [...limits].toSorted((a, b) => a - b) };
}
