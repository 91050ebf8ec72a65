// Compares the algorithms of one scenario: variants that differ only in the algorithm.
import type { History } from "../../scenario/history.ts";
import type { Variant } from "../../scenario/types.ts";
import type { Json } from "../../../kit/reading/shape.ts";
import type { ComparedFigure, RunFigure, TimeFigure } from "../model-figures.ts";
import type { VariantReport } from "../model.ts";
import { roundDigits } from "./bins.ts";

export interface VariantData {
  readonly variant: Variant;
  readonly work: StoreWork | null; // null if it did not run
  readonly report: VariantReport;
}

/** The part of each history that is retained: the requests of many variants would need too much memory. */
interface StoreWork {
  readonly operations: number;
  readonly peakEntries: number;
}

export const workOf = ({ requests, store }: History): StoreWork => ({
  operations: requests.commandsAll.reduce((sum, commands) => sum + commands, 0),
  peakEntries: store.peakEntries,
});

interface Side {
  readonly name: string;
  readonly work: StoreWork;
  readonly report: VariantReport;
}

const MOST_SIDES = 12;

/** Charts that compare the algorithms; empty if no axis has several algorithms. */
export function figuresByAlgorithm(all: readonly VariantData[]): readonly RunFigure[] {
  const [first] = all;
  if (first === undefined) return [];
  for (const axis of Object.keys(first.variant.axes)) {
    const sides = along(axis, first, all);
    if (sides.filter(isNamedByAlgorithm).length > 1)
      return figuresOf(sides.slice(0, MOST_SIDES), restOf(axis, first));
  }
  return [];
}

/** Whether the value of the axis names the algorithm: an unreachable store may change the algorithm too. */
const isNamedByAlgorithm = ({ name, report }: Side): boolean =>
  report.algorithms.some((algorithm) => name.includes(algorithm));

/** The variants that ran and differ from the first variant at most in `axis`, named by its value. */
function along(axis: string, first: VariantData, all: readonly VariantData[]): readonly Side[] {
  const others = Object.keys(first.variant.axes).filter((name) => name !== axis);
  return all.flatMap(({ variant: { axes }, work, report }) =>
    work !== null &&
    report.requests > 0 &&
    others.every((name) => axes[name] === first.variant.axes[name])
      ? [{ name: textOf(axes[axis]!), work, report }]
      : [],
  );
}

const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

const restOf = (axis: string, { variant: { axes } }: VariantData): string => {
  const others = Object.entries(axes).filter(([name]) => name !== axis);
  return others.length === 0
    ? ""
    : `, with ${others.map(([name, value]) => `${name}=${textOf(value)}`).join(" ")}`;
};

const figuresOf = (sides: readonly Side[], rest: string): readonly RunFigure[] => [
  ...different({
    kind: "compared",
    title: `admitted and refused by each algorithm${rest}`,
    unit: "requests",
    rows: sides.map(({ name, report: { admitted, refused, rejected, lost } }) => ({
      name,
      parts: [
        { what: "admitted", value: admitted },
        { what: "refused", value: refused },
        ...(rejected === 0 ? [] : [{ what: "rejected", value: rejected }]),
        ...(lost === 0 ? [] : [{ what: "lost", value: lost }]),
      ],
    })),
  }),
  ...different(
    oneValue(
      `store operations by each algorithm${rest}`,
      "operations per request",
      sides,
      ({ work, report }) => roundDigits(work.operations / report.requests),
    ),
  ),
  ...different(
    oneValue(
      `most entries in the store by each algorithm${rest}`,
      "entries",
      sides,
      ({ work }) => work.peakEntries,
    ),
  ),
  ...latencies(sides, rest),
];

const oneValue = (
  title: string,
  unit: string,
  sides: readonly Side[],
  valueOf: (side: Side) => number,
): ComparedFigure => ({
  kind: "compared",
  title,
  unit,
  rows: sides.map((side) => ({
    name: side.name,
    parts: [{ what: unit, value: valueOf(side) }],
  })),
});

function different(figure: ComparedFigure): readonly ComparedFigure[] {
  const rows = new Set(figure.rows.map(({ parts }) => parts.map(({ value }) => value).join(" ")));
  return rows.size > 1 ? [figure] : [];
}

/** The latency charts of the algorithms, all on one scale, so that they can be compared by eye. */
function latencies(sides: readonly Side[], rest: string): readonly TimeFigure[] {
  const own = sides.flatMap(({ name, report: { figures } }) =>
    figures.flatMap((figure) =>
      figure.kind === "time" && figure.shows === "latency" ? [{ name, figure }] : [],
    ),
  );
  const top = Math.max(
    ...own.flatMap(({ figure }) =>
      figure.curves.flatMap(({ values }) => values.map((value) => value ?? 0)),
    ),
  );
  return own.length < 2
    ? []
    : own.map(({ name, figure }) => ({
        ...figure,
        title: `latency with ${name}${rest}`,
        top: top === 0 ? null : top,
      }));
}
