// The result of a self-check, as a document and as text.
import { upperMedian } from "./suspect.ts";
import type { SelfCheckRow } from "./self-check.ts";

export const SELF_CHECK_FORMAT = "weir-identify-check/1";

interface Share {
  readonly right: number;
  readonly wrong: number;
  readonly undecided: number;
}

export interface SelfCheckResult extends Share {
  readonly format: typeof SELF_CHECK_FORMAT;
  readonly seed: number;
  readonly hidden: number;
  readonly medianRequests: number;
  readonly aspects: Share;
  readonly byBehaviour: Readonly<Record<string, Share>>;
  /** All that were not named right. */
  readonly others: readonly SelfCheckRow[];
}

const shareOf = (rows: readonly SelfCheckRow[]): Share => ({
  right: rows.filter(({ result }) => result === "right").length,
  wrong: rows.filter(({ result }) => result === "wrong").length,
  undecided: rows.filter(({ result }) => result === "undecided").length,
});

export function buildSelfCheck(seed: number, rows: readonly SelfCheckRow[]): SelfCheckResult {
  const sum = (index: 0 | 1 | 2): number =>
    rows.reduce((all, { aspects }) => all + aspects[index], 0);
  return {
    format: SELF_CHECK_FORMAT,
    seed,
    hidden: rows.length,
    ...shareOf(rows),
    medianRequests: upperMedian(rows.map((row) => row.requests)),
    aspects: { right: sum(0), wrong: sum(1), undecided: sum(2) },
    byBehaviour: Object.fromEntries(
      [...Map.groupBy(rows, ({ name }) => name)].map(([name, of]) => [name, shareOf(of)]),
    ),
    others: rows.filter(({ result }) => result !== "right"),
  };
}

const shareText = ({ right, wrong, undecided }: Share): string =>
  `${right} right, ${wrong} wrong, ${undecided} undecided`;

export const selfCheckText = (result: SelfCheckResult): readonly string[] => [
  `${result.hidden} hidden limits: ${shareText(result)}; median ${result.medianRequests} requests`,
  `counted by, of those named right: ${shareText(result.aspects)}`,
  ...Object.entries(result.byBehaviour)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, share]) => `  ${name.padEnd(13)} ${shareText(share)}`),
  ...result.others.map(
    ({ index, result: verdict, hidden, answer }) =>
      `${verdict} ${index}: ${hidden}; named ${answer}`,
  ),
];
