// What clients do with a refused request, by its name on the command line.
import { micros, SECOND } from "../../kit/units.ts";
import { RETRIES } from "../replay/choices.ts";
import type { LimitSize } from "../replay/candidates.ts";
import type { Behaviour } from "../../lab/scenario/types.ts";

const UPON_A_SECOND = { kind: "backoff", factor: 2, maxAttempts: 10 } as const;

const TOKENS = { bucket: 40, perMinute: 40, maxAttempts: 1_000 } as const;

const BEHAVIOURS = {
  none: { kind: "ignore" },
  "retry-after": RETRIES["retry-after"],
  backoff: RETRIES.backoff,
  // The first wait w is 1 s. Full jitter draws from 0 to w (w/2 ± 100 %), equal jitter from w/2 to w (3w/4 ± 33 %).
  "full-jitter": { ...UPON_A_SECOND, baseUs: micros(500_000), jitter: 1 },
  "equal-jitter": { ...UPON_A_SECOND, baseUs: micros(750_000), jitter: 1 / 3 },
  patient: {
    ...UPON_A_SECOND,
    baseUs: micros(500_000),
    jitter: 1,
    maxUs: micros(32 * SECOND),
    maxAttempts: 1_000,
  },
  stubborn: { ...UPON_A_SECOND, baseUs: SECOND, factor: 1, jitter: 0, maxAttempts: 100 },
  "at-once": { ...UPON_A_SECOND, baseUs: micros(100_000), factor: 1, jitter: 0, maxAttempts: 100 },
  atb: { kind: "atb", ...TOKENS, step: 1.2, stepAbove: 1.2 },
} as const satisfies Readonly<Record<string, Behaviour>>;

export const TRY_RETRIES = [
  ...(Object.keys(BEHAVIOURS) as readonly (keyof typeof BEHAVIOURS)[]),
  "aatb",
] as const;
export type TryRetry = (typeof TRY_RETRIES)[number];

/** Other words for a name, which an error answers by the name. */
export const RETRY_WORDS: ReadonlyMap<string, TryRetry> = new Map([
  ["immediate", "at-once"],
  ["immediately", "at-once"],
]);

/** Returns a behaviour by its name. Only `aatb` uses the limit, because its collector knows it. */
export const behaviourCalled = (name: TryRetry, { rate, perUs }: LimitSize): Behaviour =>
  name === "aatb"
    ? {
        kind: "aatb",
        ...TOKENS,
        step: 1.4,
        stepBusy: 1.2,
        quotaPerMinute: Number(((rate * 60 * SECOND) / perUs).toFixed(6)),
        reportUs: micros(30 * SECOND),
      }
    : BEHAVIOURS[name];
