import type { GaugeSample } from "../../scenario/history.ts";

/** A reader cannot distinguish more lines than this in one chart. */
const MOST_LINES = 6;

interface AllowanceSeries {
  readonly what: string;
  readonly samples: readonly GaugeSample[];
}

interface Allowances {
  readonly drawn: readonly AllowanceSeries[];
  readonly cut: string; // suffix of a title with the number of lines not drawn
}

/** One series for each budget, named by its key, or by the budget if a key has several. */
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
