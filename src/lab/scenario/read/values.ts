// Values of a scenario file that are more than a number or a string.
import type { Distribution } from "../../../kit/chance/distribution.ts";
import { warningAt, type Path, type Problem } from "../../../kit/reading/problems.ts";
import { METHODS } from "../../../limiter/world/endpoints.ts";
import { type ScenarioCode, scn } from "./codes.ts";
import {
  isJsonMap,
  isNear,
  reportName,
  shape,
  formatValue,
  type Shape,
  optional,
  pairOf,
  mandatory,
} from "../../../kit/reading/shape.ts";
import { record } from "../../../kit/reading/record.ts";
import { DELAYED, LOST } from "../expectation.ts";
import type { Runs } from "../types.ts";
import { durationIn, duration, durationAbove0 } from "../../../kit/reading/duration.ts";

const MICROSECONDS: Readonly<Record<string, number>> = {
  ns: 0.001,
  us: 1,
  ms: 1_000,
  s: 1_000_000,
};

/** A store command may cost less than a microsecond, so fractions are allowed here. */
export const cost: Shape<number> = shape(
  "a cost in time",
  { type: "string", pattern: String.raw`^\d+(?:\.\d+)?(?:ns|us|ms|s)$` },
  (value) => {
    const [, amount, unitName] =
      /^(\d+(?:\.\d+)?)(ns|us|ms|s)$/.exec(typeof value === "string" ? value : "") ?? [];
    return amount === undefined
      ? undefined
      : Number(amount) * (MICROSECONDS[unitName ?? ""] ?? Number.NaN);
  },
  'write it with a unit: "500ns", "2us"',
);

// ---------------------------------------------------------------- distributions

const spread = record("a distribution", {
  uniform: optional(
    pairOf(duration),
    null,
    "Every length between the two, ends included, is as likely as any other.",
  ),
  exponential: optional(durationAbove0, null, "Exponential with this mean."),
  lognormal: optional(
    record("a lognormal distribution", {
      median: mandatory(durationAbove0, "Half of the values are below."),
      p99: mandatory(durationAbove0, "All but one in a hundred are below."),
    }),
    null,
    "Lognormal, by its median and its 99th percentile.",
  ),
});

export const distribution: Shape<Distribution> = {
  called: "a duration or a distribution of durations",
  schema: { anyOf: [duration.schema, spread.schema] },
  read: (value, at, problems) => {
    if (!isJsonMap(value)) {
      const us = durationIn(value);
      return us === undefined
        ? scn(
            problems,
            "SCN-VALUE",
            at,
            `${formatValue(value)} is neither a duration nor a distribution`,
            'write "20ms", {uniform: [1ms, 5ms]}, {exponential: 2ms} or {lognormal: {median: 1ms, p99: 10ms}}',
          )
        : { kind: "constant", us };
    }
    const read = spread.read(value, at, problems);
    if (read === undefined) return undefined;
    if (Object.keys(value).length !== 1)
      return scn(
        problems,
        "SCN-ONE-OF",
        at,
        "a distribution is one of uniform, exponential, lognormal",
      );
    if (read.uniform !== null) {
      const [fromUs, toUs] = read.uniform;
      return fromUs <= toUs
        ? { kind: "uniform", fromUs, toUs }
        : scn(
            problems,
            "SCN-VALUE",
            [...at, "uniform"],
            `${formatValue(value["uniform"] ?? null)} has the longer length first`,
            "write the shorter length first",
          );
    }
    if (read.exponential !== null) return { kind: "exponential", meanUs: read.exponential };
    if (read.lognormal === null) return undefined;
    const { median: medianUs, p99: p99Us } = read.lognormal;
    return medianUs <= p99Us
      ? { kind: "lognormal", medianUs, p99Us }
      : scn(problems, "SCN-VALUE", [...at, "lognormal"], "the 99th percentile is below the median");
  },
};

// ---------------------------------------------------------------- requests and runs

export interface Send {
  readonly method: string;
  readonly path: string;
}

const SEND = /^([A-Z]+) (\/\S*)$/;

/** "GET /orders", as a client sends it. Unusual methods are allowed, unless they look misspelt. */
export const send: Shape<Send> = {
  called: "a method and a path",
  schema: { type: "string", pattern: SEND.source },
  read: (value, at, problems) => {
    const [, method, path] = SEND.exec(typeof value === "string" ? value : "") ?? [];
    if (method === undefined || path === undefined)
      return scn(
        problems,
        "SCN-VALUE",
        at,
        `${formatValue(value)} is not a method and a path`,
        'write "GET /orders": the method in capitals, a space, the path with its slash',
      );
    return checkMethod({ method, path }, at, problems);
  },
};

/** Returns the request, unless its method is probably misspelt. */
export function checkMethod(sent: Send, at: Path, problems: Problem[]): Send | undefined {
  const { method } = sent;
  if (METHODS.some((known) => known === method)) return sent;
  if (isNear(method, METHODS))
    return reportName(
      problems,
      "SCN-VALUE",
      at,
      `"${method}" is not an HTTP method`,
      method,
      METHODS,
    );
  problems.push(
    warningAt(
      "SCN-METHOD" satisfies ScenarioCode,
      at,
      `"${method}" is none of the usual HTTP methods`,
      `those are ${METHODS.join(", ")}`,
    ),
  );
  return sent;
}

const RUN = /^(?:([1-9]\d{0,8})\*)?([A-Za-z0-9]+)$/;

const runs = (called: string, what: RegExp, fix: string): Shape<Runs> =>
  shape(
    called,
    { type: ["string", "integer"] },
    (value) => {
      if (typeof value !== "string" && typeof value !== "number") return undefined;
      const parts = String(value)
        .trim()
        .split(/\s+/)
        .map((part) => RUN.exec(part));
      const merged: { times: number; what: string }[] = [];
      for (const part of parts) {
        const [, times, name] = part ?? [];
        if (name === undefined || !what.test(name)) return undefined;
        const last = merged.at(-1);
        if (last?.what === name) last.times += Number(times ?? 1);
        else merged.push({ times: Number(times ?? 1), what: name });
      }
      return merged;
    },
    fix,
  );

/** Runs such as "5*200 3*429". Equal neighbours are joined, so that each sequence has one form. */
export const statusRuns: Shape<Runs> = runs(
  "a row of statuses",
  new RegExp(`^(?:[1-5]\\d\\d|${DELAYED}|${LOST})$`),
  'write "5*200 3*429"',
);
export const eventRuns: Shape<Runs> = runs(
  "a row of events",
  /^[A-Za-z][A-Za-z0-9]*$/,
  'write "4*RateLimitSmoothingUp RatelimitExceeded"',
);
