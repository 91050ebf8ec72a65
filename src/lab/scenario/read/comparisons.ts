// What an expectation compares its measure with, and which requests it selects.
import type { Path, Problem } from "../../../kit/reading/problems.ts";
import { LOST } from "../expectation.ts";
import { NO_STATUS } from "../history.ts";
import { network } from "./mixed.ts";
import { record } from "../../../kit/reading/record.ts";
import {
  anyNumber,
  isJsonMap,
  oneOf,
  oneOrMore,
  optional,
  pairOf,
  formatValue,
  text,
  wholeNumber,
  yesOrNo,
  type Field,
  type Fields,
  type Shape,
  type Values,
  type Json,
} from "../../../kit/reading/shape.ts";
import { scn } from "./codes.ts";
import type { AcrossVariants, Comparison, Filter } from "../types.ts";
import { duration } from "../../../kit/reading/duration.ts";

// ---------------------------------------------------------------- comparisons

type ComparisonFields<T> = { readonly [Op in "equals" | "atLeast" | "atMost"]: Field<T | null> } & {
  readonly between: Field<readonly [T, T] | null>;
};

export const comparisonFields = <T extends number>(of: Shape<T>): ComparisonFields<T> => ({
  equals: optional(of, null, "Exactly this."),
  atLeast: optional(of, null, "This or more."),
  atMost: optional(of, null, "This or less."),
  between: optional(pairOf(of), null, "From the first to the second, both included."),
});

const COMPARISON_NAMES = ["equals", "atLeast", "atMost", "between"] as const;

/** The comparison of an expectation: null if there is none, undefined after a problem. */
export function comparisonIn(
  read: Values<ComparisonFields<number>>,
  at: Path,
  problems: Problem[],
): Comparison | null | undefined {
  const written = COMPARISON_NAMES.filter((op) => read[op] !== null);
  const [op, second] = written;
  if (op === undefined) return null;
  if (second !== undefined)
    return scn(
      problems,
      "SCN-ONE-OF",
      [...at, second],
      `"${op}" and "${second}" exclude each other`,
      'write one of them; "between" has two bounds',
    );
  if (read.between !== null) {
    const [from, to] = read.between;
    return from <= to
      ? { op: "between", from, to }
      : scn(
          problems,
          "SCN-VALUE",
          [...at, "between"],
          `no number is between ${from} and ${to}`,
          "write the smaller one first",
        );
  }
  return op === "between" ? null : { op, value: read[op] ?? 0 };
}

export function requireComparison(
  read: Values<ComparisonFields<number>>,
  at: Path,
  problems: Problem[],
): Comparison | undefined {
  const written = comparisonIn(read, at, problems);
  return written === null
    ? scn(problems, "SCN-MISSING-FIELD", at, `this needs one of ${COMPARISON_NAMES.join(", ")}`)
    : written;
}

const amongRecord = record(
  "a comparison",
  comparisonFields(wholeNumber(0, Number.MAX_SAFE_INTEGER)),
);

/** A comparison written as a map of its own, as in `among: {atLeast: 2000}`. */
export const comparison: Shape<Comparison> = {
  called: "a comparison",
  schema: amongRecord.schema,
  read: (value, at, problems) => {
    const read = amongRecord.read(value, at, problems);
    return read === undefined ? undefined : requireComparison(read, at, problems);
  },
};

/** True if only 0 satisfies the comparison, so that a run without requests would satisfy it. */
export const wantsNothing = (wanted: Comparison): boolean =>
  wanted.op === "between" ? wanted.to === 0 : wanted.op !== "atLeast" && wanted.value === 0;

/** One other variant, such as `{algorithm: sliding-log}`. */
interface OtherVariant {
  readonly axis: string;
  readonly value: Json;
}

export const otherVariant: Shape<OtherVariant> = {
  called: "another variant",
  schema: { type: "object", minProperties: 1, maxProperties: 1 },
  read: (value, at, problems) => {
    const [entry, second] = isJsonMap(value) ? Object.entries(value) : [];
    if (entry === undefined || second !== undefined)
      return scn(
        problems,
        "SCN-VALUE",
        at,
        `${formatValue(value)} does not name one other variant`,
        "write {axis: value}",
      );
    return { axis: entry[0], value: entry[1] };
  },
};

export const acrossFields = {
  growsWith: optional(
    text,
    null,
    "An axis of the matrix: the measure rises strictly along its values.",
  ),
  constantIn: optional(
    text,
    null,
    "An axis of the matrix: the measure is the same for all its values.",
  ),
  lessThan: optional(
    otherVariant,
    null,
    "Less than in the variant that has this value of an axis, all other axes being the same.",
  ),
} as const satisfies Fields;

export function acrossIn(
  read: Values<typeof acrossFields>,
  at: Path,
  problems: Problem[],
): AcrossVariants | null | undefined {
  const { growsWith, constantIn, lessThan } = read;
  if ([growsWith, constantIn, lessThan].filter((each) => each !== null).length > 1)
    return scn(problems, "SCN-ONE-OF", at, "growsWith, constantIn and lessThan exclude each other");
  if (growsWith !== null) return { op: "growsWith", axis: growsWith };
  if (constantIn !== null) return { op: "constantIn", axis: constantIn };
  return lessThan === null ? null : { op: "lessThan", ...lessThan };
}

// ---------------------------------------------------------------- filters

export const GAUGES = ["allowance", "entries", "bytes"] as const;

type Span = NonNullable<Filter["during"]>;

const times = pairOf(duration);

const span: Shape<Span> = {
  called: "a list of two times",
  schema: times.schema,
  read: (value, at, problems) => {
    const [fromUs, toUs] = times.read(value, at, problems) ?? [];
    if (fromUs === undefined || toUs === undefined) return undefined;
    return fromUs < toUs
      ? { fromUs, toUs }
      : scn(
          problems,
          "SCN-VALUE",
          at,
          `${formatValue(value)} is not a span of time`,
          "write the earlier time first",
        );
  },
};

export const during = optional(
  span,
  null,
  "From the first time to the second, the second not included, counted from the start of the run.",
);
export const key = optional(text, null, "The key's name.");
export const gauge = oneOf(GAUGES);
export const gaugeValue = anyNumber;

const someStatus = wholeNumber(100, 599);
const noStatus = oneOf([LOST]);
const status: Shape<number> = {
  called: `a status, or ${LOST}`,
  schema: { anyOf: [someStatus.schema, noStatus.schema] },
  read: (value, at, problems) => {
    if (typeof value === "number") return someStatus.read(value, at, problems);
    return noStatus.read(value, at, problems) === undefined ? undefined : NO_STATUS;
  },
};

export const FILTER_FIELDS = {
  flow: optional(oneOrMore(text), null, "Flows, by name."),
  as: optional(oneOrMore(text), null, "Clients, as traffic names them."),
  api: optional(oneOrMore(text), null, "APIs, by id."),
  endpoint: optional(text, null, "Method and path as sent: `GET /orders/1`."),
  status: optional(
    oneOrMore(status),
    null,
    "Statuses of the response; `lost`: requests without a response.",
  ),
  stage: optional(oneOrMore(text), null, "Stages, by name."),
  during,
  from: optional(
    oneOrMore(network),
    null,
    "Addresses of clients, or networks of them, as in `from` of a flow; a flow without `from` is from 127.0.0.1.",
  ),
  delayed: optional(
    yesOrNo,
    null,
    "`true`: requests that were admitted and waited for their turn (`leaky_bucket`); `false`: all others.",
  ),
  gateway: optional(oneOrMore(wholeNumber(0, 199)), null, "Gateways, numbered from 0."),
} as const satisfies Fields;

const { status: _status, gateway: _gateway, ...ofFirstAttempts } = FILTER_FIELDS;

/** The filter fields without `status` and `gateway`, which differ between the attempts of a request. */
export const FIRST_ATTEMPT_FIELDS = ofFirstAttempts;

export const filterOf = ({
  flow,
  as,
  api,
  endpoint,
  status,
  stage,
  during: when,
  from,
  delayed,
  gateway,
}: Values<typeof FILTER_FIELDS>): Filter => ({
  flow,
  as,
  api,
  endpoint,
  status,
  stage,
  during: when,
  from,
  ...(delayed !== null && { delayed }),
  gateway,
});
