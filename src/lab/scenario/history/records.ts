// The records of a history file other than requests.
import { SCOPES } from "../../../limiter/core/budget.ts";
import type { Micros } from "../../../kit/units.ts";
import { GAUGES } from "../read/comparisons.ts";
import { HISTORY_FORMAT, type Timing } from "../history.ts";
import { MANAGEMENT_INTERFACES } from "../world.ts";
import { record } from "../../../kit/reading/record.ts";
import {
  anything,
  listOf,
  mapOf,
  oneOf,
  optional,
  orNull,
  mandatory,
  shape,
  wholeNumber,
  yesOrNo,
  type Field,
  type Shape,
} from "../../../kit/reading/shape.ts";

/** A number or infinity, for a quota that never renews or an outage that never ends. */
const figure: Shape<number> = shape("a number", { type: "number" }, (value) =>
  typeof value === "number" ? value : undefined,
);
const time = figure as Shape<Micros>;
/** An exact integer of microseconds. */
const moment = wholeNumber(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER) as Shape<Micros>;
const whole = wholeNumber(0, Number.MAX_SAFE_INTEGER);
const text: Shape<string> = shape("a string", { type: "string" }, (value) =>
  typeof value === "string" ? value : undefined,
);

/** A required field: programs write these files, with all fields. Field names suffice as documentation. */
const field = <T>(of: Shape<T>): Field<T> => mandatory(of, of.called);

const timing: Shape<Timing> = {
  called: "a timing",
  schema: {},
  read: (value, at, problems) => {
    const read = record("a timing", {
      kind: field(oneOf(["exact", "bounded"])),
      jitterUs: { ...field(time), required: false },
      maxUs: { ...field(time), required: false },
      isStamped: { ...field(yesOrNo), required: false },
      stepUs: { ...field(time), required: false },
      clockUs: { ...field(time), required: false },
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
            ...(Number.isFinite(read.stepUs) && { stepUs: read.stepUs }),
            ...(read.clockUs > 0 && { clockUs: read.clockUs }),
          };
  },
};

export const headerShape = record("the header", {
  format: field(oneOf([HISTORY_FORMAT])),
  scenario: field(text),
  variant: field(text),
  axes: field(mapOf(anything)),
  seed: field(figure),
  driver: field(text),
  timing: field(timing),
  epochUs: field(moment),
  flows: field(
    listOf(
      record("a flow", {
        name: field(text),
        as: field(orNull(text)),
        method: field(text),
        path: field(text),
        stages: field(listOf(text)),
      }),
    ),
  ),
  keys: field(listOf(text)),
  apis: field(listOf(text)),
  budgets: field(
    listOf(
      record("a budget", {
        name: field(text),
        scope: field(oneOf(SCOPES)),
        algorithm: field(text),
        rate: field(figure),
        perUs: field(time),
        because: field(listOf(text)),
      }),
    ),
  ),
  bodies: field(listOf(anything)),
  fields: field(listOf(text)),
  addresses: optional(listOf(text), null, "a list, each item a string"),
});

export const eventShape = record("an event", {
  event: field(text),
  atUs: field(time),
  stampUs: field(time),
  gateway: field(whole),
  key: field(orNull(text)),
  api: field(orNull(text)),
  budget: field(orNull(text)),
  value: field(orNull(figure)),
});

export const gaugeShape = record("a gauge", {
  gauge: field(oneOf(GAUGES)),
  atUs: field(time),
  key: field(orNull(text)),
  budget: field(orNull(text)),
  gateway: field(orNull(whole)),
  value: field(figure),
});

export const spanShape = record("a span", {
  span: field(oneOf(["store_down", "fallback", "fault"])),
  gateway: field(orNull(whole)),
  fromUs: field(time),
  toUs: field(time),
  text: field(text),
});

export const callShape = record("a call", {
  call: field(text),
  on: field(oneOf(MANAGEMENT_INTERFACES)),
  method: field(text),
  path: field(text),
  gateway: field(whole),
  plannedUs: field(time),
  sentUs: field(time),
  answeredUs: field(time),
  status: field(whole),
  headers: field(mapOf(text)),
  body: field(anything),
});

export const deliveryShape = record("a delivery", {
  delivery: field(text),
  webhook: field(text),
  event: field(text),
  attempt: field(whole),
  sentUs: field(time),
  endedUs: field(time),
  method: field(text),
  url: field(text),
  headers: field(mapOf(text)),
  body: field(anything),
  status: field(orNull(whole)),
  error: field(orNull(text)),
  state: field(orNull(text)),
});

export const footerShape = record("the footer", {
  footer: field(anything),
  requests: field(whole),
  events: field(whole),
  gauges: field(whole),
  spans: field(whole),
  calls: field(whole),
  deliveries: field(whole),
  store: field(
    record("the store's totals", {
      commands: field(whole),
      inner: field(whole),
      roundTrips: field(whole),
      peakEntries: field(whole),
      peakBytes: field(whole),
    }),
  ),
});
