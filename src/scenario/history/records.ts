// The records of a history file, apart from its requests.
import { SCOPES } from "../../core/budget.ts";
import type { Micros } from "../../core/units.ts";
import { GAUGES } from "../read/comparisons.ts";
import { HISTORY_FORMAT, type Timing } from "../history.ts";
import { MANAGEMENT_INTERFACES } from "../world.ts";
import { record } from "../../reading/record.ts";
import {
  anything,
  listOf,
  mapOf,
  oneOf,
  optional,
  orNull,
  required,
  shape,
  wholeNumber,
  yesOrNo,
  type Field,
  type Shape,
} from "../../reading/shape.ts";

/** Infinity is a number here: a renewal that never comes, an outage that never ends. */
const figure: Shape<number> = shape("a number", { type: "number" }, (value) =>
  typeof value === "number" ? value : undefined,
);
const time = figure as Shape<Micros>;
const whole = wholeNumber(0, Number.MAX_SAFE_INTEGER);
const text: Shape<string> = shape("a string", { type: "string" }, (value) =>
  typeof value === "string" ? value : undefined,
);

/** A program writes these, so every field is there, and its name says enough. */
const is = <T>(of: Shape<T>): Field<T> => required(of, of.called);

const timing: Shape<Timing> = {
  called: "a timing",
  schema: {},
  read: (value, at, problems) => {
    const read = record("a timing", {
      kind: is(oneOf(["exact", "bounded"])),
      jitterUs: { ...is(time), required: false },
      maxUs: { ...is(time), required: false },
      isStamped: { ...is(yesOrNo), required: false },
    }).read(value, at, problems);
    return read === undefined
      ? undefined
      : read.kind === "exact"
        ? { kind: "exact" }
        : {
            kind: "bounded",
            jitterUs: read.jitterUs,
            maxUs: read.maxUs,
            isStamped: read.isStamped,
          };
  },
};

export const headerShape = record("the header", {
  format: is(oneOf([HISTORY_FORMAT])),
  scenario: is(text),
  variant: is(text),
  axes: is(mapOf(anything)),
  seed: is(figure),
  driver: is(text),
  timing: is(timing),
  epochUs: is(time),
  flows: is(
    listOf(
      record("a flow", {
        name: is(text),
        as: is(orNull(text)),
        method: is(text),
        path: is(text),
        stages: is(listOf(text)),
      }),
    ),
  ),
  keys: is(listOf(text)),
  apis: is(listOf(text)),
  budgets: is(
    listOf(
      record("a budget", {
        name: is(text),
        scope: is(oneOf(SCOPES)),
        algorithm: is(text),
        rate: is(figure),
        perUs: is(time),
        because: is(listOf(text)),
      }),
    ),
  ),
  bodies: is(listOf(anything)),
  fields: is(listOf(text)),
  addresses: optional(listOf(text), null, "a list, each item a string"),
});

export const eventShape = record("an event", {
  event: is(text),
  atUs: is(time),
  stampUs: is(time),
  gateway: is(whole),
  key: is(orNull(text)),
  api: is(orNull(text)),
  budget: is(orNull(text)),
  value: is(orNull(figure)),
});

export const gaugeShape = record("a gauge", {
  gauge: is(oneOf(GAUGES)),
  atUs: is(time),
  key: is(orNull(text)),
  budget: is(orNull(text)),
  gateway: is(orNull(whole)),
  value: is(figure),
});

export const spanShape = record("a span", {
  span: is(oneOf(["store_down", "fallback", "fault"])),
  gateway: is(orNull(whole)),
  fromUs: is(time),
  toUs: is(time),
  text: is(text),
});

export const callShape = record("a call", {
  call: is(text),
  on: is(oneOf(MANAGEMENT_INTERFACES)),
  method: is(text),
  path: is(text),
  gateway: is(whole),
  plannedUs: is(time),
  sentUs: is(time),
  answeredUs: is(time),
  status: is(whole),
  headers: is(mapOf(text)),
  body: is(anything),
});

export const deliveryShape = record("a delivery", {
  delivery: is(text),
  webhook: is(text),
  event: is(text),
  attempt: is(whole),
  sentUs: is(time),
  endedUs: is(time),
  method: is(text),
  url: is(text),
  headers: is(mapOf(text)),
  body: is(anything),
  status: is(orNull(whole)),
  error: is(orNull(text)),
  state: is(orNull(text)),
});

export const footerShape = record("the footer", {
  footer: is(anything),
  requests: is(whole),
  events: is(whole),
  gauges: is(whole),
  spans: is(whole),
  calls: is(whole),
  deliveries: is(whole),
  store: is(
    record("the store's totals", {
      commands: is(whole),
      inner: is(whole),
      roundTrips: is(whole),
      peakEntries: is(whole),
      peakBytes: is(whole),
    }),
  ),
  unanswered: is(whole),
});
