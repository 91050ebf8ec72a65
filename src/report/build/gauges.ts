import type { GaugeSample } from "../../scenario/history.ts";

/** More lines than these are a tangle. */
const MOST_LINES = 6;

export interface GaugeSeries {
  readonly what: string;
  readonly samples: readonly GaugeSample[];
}

/** By budget, named as shortly as tells them apart. */
export function seriesOf(gauges: readonly GaugeSample[], gauge: string): readonly GaugeSeries[] {
  const ofGauge = gauges.filter((sample) => sample.gauge === gauge);
  const series = [...Map.groupBy(ofGauge, ({ budget }) => budget).values()];
  const keys = new Set(series.map(([first]) => first!.key));
  const nameOf = ({ key, budget }: GaugeSample): string =>
    series.length === 1 ? gauge : `${gauge} of ${keys.size === series.length ? key : budget}`;
  return series.slice(0, MOST_LINES).map((samples) => ({ what: nameOf(samples[0]!), samples }));
}
