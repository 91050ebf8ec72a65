// What a client does about a 429.
import type { Path, Problem } from "../../reading/problems.ts";
import { record } from "../../reading/record.ts";
import {
  isJsonMap,
  numberFrom,
  oneOf,
  optional,
  mandatory,
  wholeNumber,
  type Shape,
  type Json,
} from "../../reading/shape.ts";
import { scn } from "./codes.ts";
import type { Behaviour } from "../types.ts";
import { durationAbove0 } from "../../reading/duration.ts";

const attempts = optional(wholeNumber(1, 1000), 10, "How often a request is sent in all.");

const behaviours = record("a behaviour", {
  honourRetryAfter: optional(
    record("honourRetryAfter", { maxAttempts: attempts }),
    null,
    "Sends a refused request again after the time in Retry-After.",
  ),
  backoff: optional(
    record("a backoff", {
      base: mandatory(durationAbove0, "The first wait."),
      factor: optional(numberFrom(1, 1000), 2, "Each wait is the one before times this."),
      jitter: optional(
        numberFrom(0, 1),
        0,
        "The part of a wait that is drawn at random, from 0 (none) to 1 (all of it).",
      ),
      maxAttempts: attempts,
    }),
    null,
    "Sends a refused request again after a wait that grows.",
  ),
});

export const BEHAVIOUR_EXAMPLES: readonly string[] = [
  "{ name: extra, as: alice, send: GET /orders, burst: 8, behaviour: honourRetryAfter }",
  "{ name: extra, as: alice, send: GET /orders, burst: 8, behaviour: { backoff: { base: 100ms, factor: 2, jitter: 0.5 } } }",
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
      return scn(problems, "SCN-ONE-OF", at, "a behaviour is one of honourRetryAfter, backoff");
    if (read.honourRetryAfter !== null)
      return { kind: "honour_retry_after", maxAttempts: read.honourRetryAfter.maxAttempts };
    if (read.backoff === null) return undefined;
    const { base, factor, jitter, maxAttempts } = read.backoff;
    return { kind: "backoff", baseUs: base, factor, jitter, maxAttempts };
  },
};
