// The shapes of traffic: one word each, with its fields.
import { GAP_FAMILIES } from "../../../kit/chance/gaps.ts";
import { hasAtMostSixDecimals } from "../../../limiter/core/limit.ts";
import type { Path, Problem } from "../../../kit/reading/problems.ts";
import { micros, type Micros } from "../../../kit/units.ts";
import { record, word, type FieldWord } from "../../../kit/reading/record.ts";
import {
  listOf,
  matching,
  numberFrom,
  oneOf,
  optional,
  mandatory,
  shape,
  wholeNumber,
  type Shape,
} from "../../../kit/reading/shape.ts";
import { scn } from "./codes.ts";
import { readTimes } from "./trace.ts";
import type { TrafficShape, TrafficStage } from "../types.ts";
import { duration, durationAbove0 } from "../../../kit/reading/duration.ts";

/** The most arrivals of a scenario: typical machines have no memory for more. */
export const MOST_ARRIVALS = 50_000_000;

const count = wholeNumber(1, MOST_ARRIVALS);
const MOST_PER_SECOND = 1_000_000_000;
/** At most six decimals, so that the number of arrivals is exact. */
const rate: Shape<number> = shape(
  "a rate in requests per second, with at most six decimals",
  { type: "number", minimum: 0, maximum: MOST_PER_SECOND },
  (value) =>
    typeof value === "number" &&
    value >= 0 &&
    value <= MOST_PER_SECOND &&
    hasAtMostSixDecimals(value)
      ? value
      : undefined,
);
export const name = matching("a name", /^[^\s,*]+(?: [^\s,*]+)*$/);

const stage = record("a stage", {
  name: mandatory(name, "Its name in expectations."),
  rate: optional(
    rate,
    null,
    "Requests per second at its start, and until its end if `rateTo` is left out. Left out: the rate at which the previous stage ended.",
  ),
  rateTo: optional(
    rate,
    null,
    "Requests per second at its end; between the two the rate changes evenly.",
  ),
  for: mandatory(durationAbove0, "How long it lasts."),
});

const arrivals = optional(
  oneOf(["uniform", "poisson"]),
  "uniform",
  "Evenly spaced, or at random at the same rate.",
);

/** A shape as written: a trace may name a file that still has to be read. */
export type WrittenShape = TrafficShape | { readonly kind: "trace_file"; readonly file: string };

export const TRAFFIC_SHAPES: readonly FieldWord<WrittenShape>[] = [
  word({
    name: "burst",
    under: count,
    companions: {},
    doc: "This many requests at one instant.",
    example: "{ as: alice, send: GET /orders, burst: 8, at: 1.1s }",
    build: (requests) => ({ kind: "burst", count: requests }),
  }),
  word({
    name: "every",
    under: durationAbove0,
    companions: { count: mandatory(count, "How many requests.") },
    doc: "One request each time this duration has passed; the first is sent at once.",
    example: "{ as: alice, send: GET /orders, every: 250ms, count: 12 }",
    build: (intervalUs, companions) => ({ kind: "every", intervalUs, count: companions.count }),
  }),
  word({
    name: "rate",
    under: rate,
    companions: { for: mandatory(durationAbove0, "How long.") },
    doc: "This many requests a second, evenly spaced: `rate: 10` for 10 s is 100 requests, at 0, 100 ms, ... 9.9 s.",
    example: "{ as: alice, send: GET /orders, rate: 10, for: 10s }",
    build: (perSecond, companions) => ({ kind: "rate", rate: perSecond, forUs: companions.for }),
  }),
  word({
    name: "poisson",
    under: rate,
    companions: { for: mandatory(durationAbove0, "How long.") },
    doc: "This many requests a second on average, each independent of the others.",
    example: "{ as: alice, send: GET /orders, poisson: 10, for: 10s }",
    build: (perSecond, companions) => ({ kind: "poisson", rate: perSecond, forUs: companions.for }),
  }),
  word({
    name: "population",
    under: record("a population", {
      rate: mandatory(rate, "Requests per second of all clients together, on average."),
      gaps: optional(
        oneOf(GAP_FAMILIES),
        "gamma",
        "The distribution of the time between two requests of a client.",
      ),
      cv: optional(
        numberFrom(0.1, 10),
        1,
        "The standard deviation of the gaps, as a multiple of their mean (the coefficient of variation). 1: independent requests; more: bursts.",
      ),
      pareto: optional(
        numberFrom(0.5, 100),
        null,
        "The rates of clients are drawn from a Pareto distribution with this tail index, instead of `skew`.",
      ),
      lognormal: optional(
        numberFrom(0.01, 5),
        null,
        "Or from a lognormal distribution; this is the deviation of the logarithm.",
      ),
    }),
    companions: { for: mandatory(durationAbove0, "How long.") },
    doc: "Each of the `clients` sends by itself, at random gaps. With `skew`, client i has a part of the rate in proportion to 1 / i^skew.",
    example:
      "{ as: alice, send: GET /orders, clients: 20, skew: 1, population: { rate: 10, gaps: weibull, cv: 3 }, for: 10s }",
    build: ({ rate: perSecond, gaps, cv, pareto, lognormal }, companions, at, problems) => {
      if (pareto !== null && lognormal !== null)
        return scn(
          problems,
          "SCN-ONE-OF",
          [...at, "population"],
          'a population has "pareto" or "lognormal", one of the two',
        );
      const shape = {
        kind: "population",
        rate: perSecond,
        forUs: companions.for,
        gaps,
        cv,
      } as const;
      if (pareto !== null) return { ...shape, rates: { kind: "pareto", index: pareto } };
      return lognormal === null
        ? shape
        : { ...shape, rates: { kind: "lognormal", sigma: lognormal } };
    },
  }),
  word({
    name: "cron",
    under: record("a herd", {
      every: mandatory(durationAbove0, "The time between two starts."),
      offset: optional(
        duration,
        micros(0),
        "A client begins later by a time that is drawn once, from 0 up to this.",
      ),
      jitter: optional(
        duration,
        micros(0),
        "A client is late by a time that is drawn each time, from 0 up to this.",
      ),
      count: optional(count, 1, "How many requests each client sends at once."),
    }),
    companions: { for: mandatory(durationAbove0, "How long.") },
    doc: "Each of the `clients` sends at the start, or after its `offset`, and each time `every` has passed.",
    example:
      "{ as: alice, send: GET /orders, clients: 20, cron: { every: 1m, jitter: 5s }, for: 5m }",
    build: ({ every, offset, jitter, count: requests }, companions) => ({
      kind: "cron",
      everyUs: every,
      offsetUs: offset,
      jitterUs: jitter,
      count: requests,
      forUs: companions.for,
    }),
  }),
  word({
    name: "stages",
    under: listOf(stage, 1),
    companions: { arrivals },
    doc: "One stage after the other, each at a rate or on a ramp from one rate to another; a request is sent whenever the rate, summed up over time, reaches the next integer.",
    example:
      "{ as: alice, send: GET /orders, stages: [{ name: calm, rate: 10, for: 10s }, { name: climb, rateTo: 58, for: 30s }] }",
    build: (stages, companions, at, problems) =>
      stagesOf(stages, companions.arrivals, at, problems),
  }),
  word({
    name: "onoff",
    under: record("on and off", {
      on: mandatory(durationAbove0, "How long requests are sent."),
      off: mandatory(durationAbove0, "How long none is sent."),
      rate: mandatory(rate, "Requests per second while they are sent."),
    }),
    companions: { for: mandatory(durationAbove0, "How long in all.") },
    doc: "Requests at a rate, then none, and again.",
    example: "{ as: alice, send: GET /orders, onoff: { on: 1s, off: 4s, rate: 20 }, for: 30s }",
    build: ({ on, off, rate: perSecond }, companions) => ({
      kind: "on_off",
      onUs: on,
      offUs: off,
      rate: perSecond,
      forUs: companions.for,
    }),
  }),
  word({
    name: "trace",
    under: record("a trace", {
      times: optional(
        {
          called: "times",
          schema: { anyOf: [{ type: "array", items: duration.schema }, { type: "string" }] },
          read: readTimes,
        },
        null,
        "A list of durations; or lines, each with the seconds first (CSV) or as `at` of a JSON object.",
      ),
      file: optional(
        matching(
          "the name of a file",
          /^(?:[\w-][\w .-]*\/)*[\w-][\w .-]*$/,
          "write a name, or folder/name, as seen from the folder of the scenario",
        ),
        null,
        "Or a file with such lines in the folder of the scenario: `day.csv`, `logs/day.ndjson`.",
      ),
    }),
    companions: {},
    doc: "Requests at given times.",
    example: "{ as: alice, send: GET /orders, trace: { times: [0s, 10ms, 1.2s] } }",
    build: ({ times, file }, _companions, at, problems) => {
      if ((times === null) === (file === null))
        return scn(
          problems,
          "SCN-ONE-OF",
          [...at, "trace"],
          'a trace needs "times" or "file", one of the two',
        );
      return file === null ? { kind: "trace", timesUs: times ?? [] } : { kind: "trace_file", file };
    },
  }),
];

function stagesOf(
  read: readonly ReadStage[],
  arrival: "uniform" | "poisson",
  at: Path,
  problems: Problem[],
): TrafficShape | undefined {
  const stages: TrafficStage[] = [];
  for (const [index, each] of read.entries()) {
    const from = each.rate ?? stages.at(-1)?.toRate;
    if (from === undefined)
      return scn(
        problems,
        "SCN-MISSING-FIELD",
        [...at, "stages", index],
        'the first stage needs "rate"',
        "write rate, and for a ramp rateTo too",
      );
    if (stages.some((earlier) => earlier.name === each.name))
      return scn(
        problems,
        "SCN-DUPLICATE-NAME",
        [...at, "stages", index, "name"],
        `two stages are called "${each.name}"`,
      );
    stages.push({ name: each.name, fromRate: from, toRate: each.rateTo ?? from, forUs: each.for });
  }
  return { kind: "stages", stages, arrivals: arrival };
}

interface ReadStage {
  readonly name: string;
  readonly rate: number | null;
  readonly rateTo: number | null;
  readonly for: Micros;
}
