// Admitted against allowed requests, as lines for a terminal.
import { formatDuration } from "../../kit/units.ts";
import { figure } from "../../kit/reading/legible.ts";
import { linesOf, type TablePrint } from "./table.ts";
import type { BucketTruth, TruthResult } from "./truth-schema.ts";

const percent = (share: number): string =>
  share === 0 ? "0" : `${figure(Math.round(share * 1_000) / 10)} %`;

const worstOf = (one: BucketTruth): string =>
  `+${percent(one.overshoot.worst)} -${percent(one.undershoot.worst)}`;

const meanOf = (one: BucketTruth): string =>
  `+${percent(one.overshoot.mean)} -${percent(one.undershoot.mean)}`;

/** One row for each subject: the worst bucket of each length, over and under the limit, and the mean of the longest. */
export function truthTable({ subjects, limit }: Pick<TruthResult, "subjects" | "limit">): {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
} {
  if (subjects.length === 0) return { heads: [], rows: [] }; // the run ended before it began
  const buckets = subjects[0]!.byGateway;
  const longest = buckets.length - 1;
  const heads = [
    "",
    "admitted",
    ...buckets.map(({ us }) => `worst ${formatDuration(us)}`),
    ...(longest < 0 ? [] : [`mean ${formatDuration(buckets[longest]!.us)}`]),
    `most in ${formatDuration(limit.perUs)}`,
    "bound",
    "too soon",
    "",
  ];
  const rows = subjects.map((one) => [
    one.role === "control" ? `(${one.name})` : one.name,
    figure(one.admitted),
    ...one.byGateway.map(worstOf),
    ...(longest < 0 ? [] : [meanOf(one.byGateway[longest]!)]),
    figure(one.most),
    one.bound.most === null ? "" : figure(one.bound.most),
    figure(one.tooSoon),
    one.verdict,
  ]);
  return { heads, rows };
}

export function truthLines(
  { subjects, limit }: Pick<TruthResult, "subjects" | "limit">,
  { hasLegend, ...print }: TablePrint,
): readonly string[] {
  if (subjects.length === 0) return [];
  const { heads, rows } = truthTable({ subjects, limit });
  return [
    ...linesOf({ heads, rows: rows.map((texts) => ({ texts })) }, print),
    ...subjects.flatMap(({ name, role, faults }) =>
      role === "cell" ? faults.map((fault) => `${name} is outside: ${fault}`) : [],
    ),
    ...(hasLegend ? LEGEND : []),
  ];
}

const LEGEND: readonly string[] = [
  "worst, mean: admitted over (+) and under (-) the limit, in buckets of this length, by the clock of the gateway",
  "most: the most admitted in any window, wherever it begins; bound: what the algorithm allows there",
  "too soon: refusals while the limit had capacity left",
  "in brackets: a control, which has a wrong rate on purpose and has to be found outside",
];
