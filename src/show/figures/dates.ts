// An axis with dates and times of day in UTC, instead of seconds since the start.
import type { Axis, Spec } from "vega";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The steps between labels, in seconds. If a step is a day or longer, labels have only the date. */
const STEPS = [
  0.1,
  0.2,
  0.5,
  1,
  2,
  5,
  10,
  15,
  30,
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 30, 90].map((days) => days * DAY),
];
const LONGEST_STEP = 365 * DAY;
const PIXELS_A_LABEL = 95;

const NEEDED = `(until - from) * ${PIXELS_A_LABEL} / width`;
const STEP = STEPS.reduceRight(
  (longer, step) => `${NEEDED} <= ${step} ? ${step} : (${longer})`,
  String(LONGEST_STEP),
);
const PATTERN = `step >= ${DAY} ? '%-d %b' : until - from > ${DAY} ? '%-d %b %H:%M' : step >= ${MINUTE} ? '%H:%M' : step >= 1 ? '%H:%M:%S' : '%H:%M:%S.%L'`;

/** Puts dates on the x axis of a template. Its signals `from` and `until`, in seconds, are the ends of the axis. */
export const withDates = (vega: Spec): Spec => ({
  ...vega,
  signals: [
    ...(vega.signals ?? []),
    { name: "startS", value: 0 },
    { name: "step", update: STEP },
    {
      name: "dates",
      update: "sequence(ceil((startS + from) / step) * step - startS, until, step)",
    },
  ],
  axes: (vega.axes ?? []).map((axis): Axis =>
    axis.scale === "x"
      ? {
          ...axis,
          values: { signal: "dates" },
          labelOverlap: "greedy",
          encode: {
            ...axis.encode,
            labels: {
              update: {
                text: { signal: `utcFormat((startS + datum.value) * 1000, ${PATTERN})` },
              },
            },
          },
        }
      : axis,
  ),
});

export const dateText = (atS: number): string => {
  const text = new Date(Math.round(atS * 1000)).toISOString().replace("T", " ").replace("Z", "");
  return text.replace(/\.000$/, "");
};

/** The title of a date axis, with the year and the day that its labels omit. */
export const dateTitle = (startS: number): string => `UTC, from ${dateText(startS)}`;
