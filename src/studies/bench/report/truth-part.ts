// Admitted against allowed requests, as the content of a report page.
import { formatDuration } from "../../../kit/units.ts";
import type {
  RowMark,
  MeasuredRow,
  RowsFigure,
  MarkTone,
} from "../../../lab/report/measured-figures.ts";
import type { MeasuredPart, MeasuredTable } from "../../../lab/report/measured.ts";
import { figure } from "../../../kit/reading/legible.ts";
import { truthTable } from "../truth-table.ts";
import type { BucketTruth, SubjectTruth, TruthResult } from "../truth-schema.ts";
import { factsOf } from "./circumstances.ts";

/** Without headline, which the answer gives it. */
export function truthPart(result: TruthResult): MeasuredPart {
  const { suite, warnings, machine, subjects, limit, perSecond, lastsUs } = result;
  const cells = subjects.filter(({ role }) => role === "cell");
  const outside = cells.filter(({ verdict }) => verdict === "outside");
  const faults = outside.flatMap(({ name, faults: all }) =>
    all.map((fault) => `${name}: ${fault}.`),
  );
  const { heads: columns, rows } = truthTable(result);
  const heads = columns.map((head, at) => head || (at === 0 ? "limiter" : "verdict"));
  return {
    title: `Truth: ${outside.length === 0 ? "all" : cells.length - outside.length} of ${cells.length} within their bounds`,
    headline: "",
    word: wordOf(result, outside.length),
    doubts: [...faults, ...warnings.filter((warning) => warning !== machine.busy)],
    summary: [
      `${suite.title}. ${figure(perSecond)} requests a second to each for ${formatDuration(lastsUs)}, and ${limit.rate} per ${formatDuration(limit.perUs)} allowed. Controls have another rate: a run that does not find them outside proves nothing.`,
    ],
    sections: [
      {
        title: `The most in any ${formatDuration(limit.perUs)}`,
        notes: [
          "The bar is the most admitted requests, wherever the window begins; the upright mark is the bound that the algorithm states.",
        ],
        figures: mostFigure(result),
        tables: [{ heads, rows, folded: null, names: 1 }, windowsOf(result)],
      },
      {
        title: "Over and under the limit, by length of bucket",
        notes: [
          "Right: requests beyond the limit in the worst bucket. Left: requests that the limit allows and that were not admitted. The upright marks are the means. By the gateway's clock.",
        ],
        figures: bucketFigures(result),
        tables: [],
      },
    ],
    facts: [...factsOf(result), ["suite", suite.id]],
  };
}

/** The verdict of a run. A run with a warning does not prove that a limiter is correct. */
function wordOf({ stopped, warnings }: TruthResult, outside: number): MeasuredPart["word"] {
  if (stopped !== null) return "partial";
  if (outside > 0) return "outside";
  return warnings.length > 0 ? "unclear" : "within";
}

function windowsOf({ subjects }: TruthResult): MeasuredTable {
  const lengths = subjects[0]?.lengths ?? [];
  return {
    heads: ["in any window of", ...lengths.map(({ us }) => formatDuration(us))],
    rows: subjects.map((one) => [
      one.role === "control" ? `(${one.name})` : one.name,
      ...one.lengths.map(({ most, stated }) => `${figure(most)} of ${figure(stated)}`),
    ]),
    folded: "The most in any window of other lengths, with the bound of each",
    names: 1,
  };
}

const isControl = ({ role }: SubjectTruth): boolean => role === "control";
const toneOf = (one: SubjectTruth): MarkTone => (one.role === "control" ? "control" : "own");

/** A control is wrong on purpose, so the verdict `outside` is good for a control and bad for a cell. */
const verdictTone = ({ verdict, role }: SubjectTruth): MarkTone =>
  (verdict === "outside") === (role === "control") ? "good" : "bad";

function mostFigure({ subjects, limit }: TruthResult): readonly RowsFigure[] {
  if (subjects.length === 0) return [];
  const rows = subjects.map((one): MeasuredRow => {
    const { most, bound } = one;
    const tip = `${figure(most)} at most${bound.most === null ? "" : `, and ${figure(bound.most)} are stated (${bound.because})`}`;
    const tone = bound.most !== null && most > bound.most ? "bad" : toneOf(one);
    return {
      what: one.name,
      isControl: isControl(one),
      value: `${one.verdict}: ${figure(most)}${bound.most === null ? "" : ` of ${figure(bound.most)}`}`,
      tone: verdictTone(one),
      marks: [
        { shape: "bar", from: 0, to: most, tone, tip: tip },
        ...(bound.most === null
          ? []
          : [
              {
                shape: "tick",
                from: bound.most,
                to: bound.most,
                tone: "doubt",
                tip: tip,
              } as const,
            ]),
      ],
    };
  });
  return [
    {
      kind: "rows",
      title: "admitted in any one window, at most, against its bound",
      unit: "requests",
      scale: "linear",
      from: 0,
      to: 1.05 * Math.max(...subjects.flatMap(({ most, bound }) => [most, bound.most ?? 0]), 1),
      band: null,
      references: [{ at: limit.rate, what: `the limit: ${limit.rate}` }],
      rows,
    },
  ];
}

function bucketFigures({ subjects }: TruthResult): readonly RowsFigure[] {
  const lengths = subjects[0]?.byGateway ?? [];
  const all = subjects.flatMap(({ byGateway }) => byGateway);
  const to = 100 * Math.max(0.01, ...all.map(({ overshoot }) => overshoot.worst));
  const from = -100 * Math.max(0.01, ...all.map(({ undershoot }) => undershoot.worst));
  return lengths.map(({ us, count }, at): RowsFigure => ({
    kind: "rows",
    title: `in ${count} buckets of ${formatDuration(us)}`,
    unit: "% of what is allowed, logarithmic beyond 1 %",
    scale: "symlog",
    from: 1.1 * from,
    to: 1.1 * to,
    band: null,
    references: [{ at: 0, what: "the limit" }],
    rows: subjects.flatMap((one) => {
      const bucket = one.byGateway[at];
      return bucket === undefined ? [] : [bucketRow(one, bucket)];
    }),
  }));
}

function bucketRow(one: SubjectTruth, { overshoot, undershoot }: BucketTruth): MeasuredRow {
  const [over, under] = [100 * overshoot.worst, 100 * undershoot.worst];
  const tone = toneOf(one);
  const tip = `at worst ${percent(over)} over and ${percent(under)} under, on average ${percent(100 * overshoot.mean)} and ${percent(100 * undershoot.mean)}`;
  const mean = (at: number): RowMark => ({
    shape: "tick",
    from: at,
    to: at,
    tone: "doubt",
    tip: tip,
  });
  return {
    what: one.name,
    isControl: isControl(one),
    value: `+${percent(over)} −${percent(under)}`,
    tone,
    marks: [
      { shape: "bar", from: -under, to: over, tone, tip: tip },
      mean(100 * overshoot.mean),
      mean(-100 * undershoot.mean),
    ],
  };
}

const percent = (value: number): string => `${figure(Math.round(value * 10) / 10)} %`;
