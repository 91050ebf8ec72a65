// The result of a self-check, as a document and as text.
import { z } from "zod";
import { upperMedian } from "./evidence.ts";
import type { NumberKind } from "./hidden-numbers.ts";
import type { SelfCheckRow } from "./self-check.ts";

const SELF_CHECK_FORMAT = "weir-identify-check/1";

const count = z.int().min(0);
const shareFields = { right: count, wrong: count, undecided: count };
const share = z.strictObject(shareFields);

type Share = z.infer<typeof share>;

export const selfCheckResult = z.strictObject({
  format: z.literal(SELF_CHECK_FORMAT),
  seed: z.int(),
  hidden: count,
  ...shareFields,
  /** How many right results name several behaviours that differ in a detail. */
  detailsOpen: count,
  medianRequests: z.number().min(0),
  /** Results by kind of numbers: conventional ones ("round"), which identification prefers, and others ("odd"). */
  byNumbers: z.strictObject({ round: share, odd: share }),
  aspects: share,
  byBehaviour: z.record(z.string(), share),
  /** All hidden limits that were not named right. */
  others: z
    .array(
      z.strictObject({
        index: count,
        numbers: z.enum(["round", "odd"]),
        hidden: z.string(),
        name: z.string(),
        answer: z.string(),
        result: z.enum(["right", "wrong", "undecided"]),
        isDetailOpen: z.boolean(),
        requests: count,
        seconds: z.number().min(0),
        aspects: z.tuple([count, count, count]).readonly(),
      }),
    )
    .readonly(),
});

type SelfCheckResult = z.infer<typeof selfCheckResult>;

const shareOf = (rows: readonly SelfCheckRow[]): Share => ({
  right: rows.filter(({ result }) => result === "right").length,
  wrong: rows.filter(({ result }) => result === "wrong").length,
  undecided: rows.filter(({ result }) => result === "undecided").length,
});

const shareOfNumbers = (rows: readonly SelfCheckRow[], kind: NumberKind): Share =>
  shareOf(rows.filter(({ numbers }) => numbers === kind));

export function buildSelfCheck(seed: number, rows: readonly SelfCheckRow[]): SelfCheckResult {
  const sum = (index: 0 | 1 | 2): number =>
    rows.reduce((all, { aspects }) => all + aspects[index], 0);
  return {
    format: SELF_CHECK_FORMAT,
    seed,
    hidden: rows.length,
    ...shareOf(rows),
    detailsOpen: rows.filter(({ result, isDetailOpen }) => result === "right" && isDetailOpen)
      .length,
    medianRequests: upperMedian(rows.map((row) => row.requests)),
    byNumbers: { round: shareOfNumbers(rows, "round"), odd: shareOfNumbers(rows, "odd") },
    aspects: { right: sum(0), wrong: sum(1), undecided: sum(2) },
    byBehaviour: Object.fromEntries(
      [...Map.groupBy(rows, ({ name }) => name)].map(([name, of]) => [name, shareOf(of)]),
    ),
    others: rows.filter(({ result }) => result !== "right"),
  };
}

const shareText = ({ right, wrong, undecided }: Share): string =>
  `${right} right, ${wrong} wrong, ${undecided} undecided`;

const NAME_WIDTH = 20;

export const selfCheckText = (result: SelfCheckResult): readonly string[] => [
  `${result.hidden} hidden limits: ${shareText(result)}; median ${result.medianRequests} requests`,
  `round numbers: ${shareText(result.byNumbers.round)}`,
  `odd numbers: ${shareText(result.byNumbers.odd)}`,
  ...(result.detailsOpen === 0
    ? []
    : [`${result.detailsOpen} of the right ones leave a detail open`]),
  `counted by, of those named right: ${shareText(result.aspects)}`,
  ...Object.entries(result.byBehaviour)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, share]) => `  ${name.padEnd(NAME_WIDTH)} ${shareText(share)}`),
  ...result.others.map(
    ({ index, result: verdict, hidden, answer }) =>
      `${verdict} ${index}: ${hidden}; named ${answer}`,
  ),
];
