import type { GaugeSample } from "../../scenario/history.ts";

/** More lines than these are a tangle. */
const MOST_LINES = 6;

interface AllowanceSeries {
  readonly what: string;
  readonly samples: readonly GaugeSample[];
}

interface Allowances {
  readonly drawn: readonly AllowanceSeries[];
  readonly cut: string; // the end of a title: the number not drawn
}

/** By budget, with the shortest names that are different. */
export function allowancesOf(gauges: readonly GaugeSample[]): Allowances {
  const samples = gauges.filter(({ gauge }) => gauge === "allowance");
  const series = [...Map.groupBy(samples, ({ budget }) => budget).values()];
  const keys = new Set(series.map(([first]) => first!.key));
  const nameOf = ({ key, budget }: GaugeSample): string =>
    series.length === 1
      ? "allowance"
      : `allowance of ${keys.size === series.length ? key : budget}`;
  return {
    drawn: series.slice(0, MOST_LINES).map((of) => ({ what: nameOf(of[0]!), samples: of })),
    cut:
      series.length > MOST_LINES
        ? ` (${MOST_LINES} allowances, and ${series.length - MOST_LINES} more that are not drawn)`
        : "",
  };
}
