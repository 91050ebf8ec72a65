// How a client reacts to a 429.
import type { Path, Problem } from "../../../kit/reading/problems.ts";
import { record } from "../../../kit/reading/record.ts";
import {
  isJsonMap,
  numberFrom,
  oneOf,
  optional,
  mandatory,
  wholeNumber,
  type Shape,
  type Json,
} from "../../../kit/reading/shape.ts";
import { scn } from "./codes.ts";
import type { Behaviour } from "../types.ts";
import { micros, SECOND } from "../../../kit/units.ts";
import { durationAbove0 } from "../../../kit/reading/duration.ts";

const attempts = optional(wholeNumber(1, 1000), 10, "How often a request is sent in all.");

const anyAttempts = optional(wholeNumber(1, 1000), 1000, "How often a request is sent in all.");
const perMinute = numberFrom(0.6, 6_000_000);
const factor = numberFrom(1, 100);

const tokens = {
  bucket: optional(wholeNumber(1, 1_000_000), 40, "The most tokens that a client holds."),
  perMinute: optional(perMinute, 40, "Its rate at the start, in tokens per minute."),
};

const behaviours = record("a behaviour", {
  honourRetryAfter: optional(
    record("honourRetryAfter", { maxAttempts: attempts }),
    null,
    "Sends a refused request again after the time in Retry-After.",
  ),
  backoff: optional(
    record("a backoff", {
      base: mandatory(durationAbove0, "The first wait."),
      factor: optional(numberFrom(1, 1000), 2, "Each wait is this times the previous wait."),
      jitter: optional(
        numberFrom(0, 1),
        0,
        "The part of a wait that is drawn at random, from 0 (none) to 1 (all of it).",
      ),
      max: optional(durationAbove0, null, "The longest wait. Left out: no limit."),
      maxAttempts: attempts,
    }),
    null,
    "Sends a refused request again after a wait that grows.",
  ),
  atb: optional(
    record("atb", {
      ...tokens,
      step: optional(
        factor,
        1.2,
        "The rate is multiplied by this after an admission below the rate at the last 429.",
      ),
      stepAbove: optional(factor, 1.2, "The rate is multiplied by this after any other admission."),
      maxAttempts: anyAttempts,
    }),
    null,
    "Waits for a token of its own before each attempt; a 429 halves the rate of its tokens (ATB). Its requests are sent one at a time.",
  ),
  aatb: optional(
    record("aatb", {
      ...tokens,
      step: optional(
        factor,
        1.4,
        "After a report, the rate of a client that sends little is multiplied by this.",
      ),
      stepBusy: optional(factor, 1.2, "The factor for all other clients after a report."),
      quota: mandatory(
        numberFrom(0.000_001, 1e12),
        "Requests a minute of the budget that the clients share.",
      ),
      report: optional(
        durationAbove0,
        micros(30 * SECOND),
        "How often each client reports to the collector that all clients share; a 429 is reported at once.",
      ),
      maxAttempts: anyAttempts,
    }),
    null,
    "Like `atb`, with reports: a client adapts its rate to the rates of all clients of its key (AATB).",
  ),
});

export const BEHAVIOUR_EXAMPLES: readonly string[] = [
  "{ name: extra, as: alice, send: GET /orders, burst: 8, behaviour: honourRetryAfter }",
  "{ name: extra, as: alice, send: GET /orders, burst: 8, behaviour: { backoff: { base: 100ms, factor: 2, jitter: 0.5 } } }",
  "{ name: crowd, as: alice, send: GET /orders, clients: 5, poisson: 2, for: 10s, behaviour: { aatb: { quota: 80 } } }",
];

export const BEHAVIOUR_FIELDS = behaviours.fields ?? {};

export const behaviour: Shape<Behaviour> = {
  called: "a behaviour",
  schema: { anyOf: [{ enum: ["ignore", "honourRetryAfter"] }, behaviours.schema] },
  read: (value: Json, at: Path, problems: Problem[]) => {
    if (!isJsonMap(value)) {
      const simple = oneOf(["ignore", "honourRetryAfter"]).read(value, at, problems);
      return simple === undefined
        ? undefined
        : simple === "ignore"
          ? { kind: "ignore" }
          : { kind: "honour_retry_after", maxAttempts: 10 };
    }
    const read = behaviours.read(value, at, problems);
    if (read === undefined) return undefined;
    if (Object.keys(value).length !== 1)
      return scn(
        problems,
        "SCN-ONE-OF",
        at,
        `a behaviour is one of ${Object.keys(BEHAVIOUR_FIELDS).join(", ")}`,
      );
    if (read.honourRetryAfter !== null)
      return { kind: "honour_retry_after", maxAttempts: read.honourRetryAfter.maxAttempts };
    if (read.atb !== null) return { kind: "atb", ...read.atb };
    if (read.aatb !== null) {
      const { quota, report, ...rest } = read.aatb;
      return { kind: "aatb", ...rest, quotaPerMinute: quota, reportUs: report };
    }
    if (read.backoff === null) return undefined;
    const { base, max, ...rest } = read.backoff;
    return { kind: "backoff", baseUs: base, ...rest, ...(max !== null && { maxUs: max }) };
  },
};
