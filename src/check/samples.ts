// Gauges are steps: a sample holds until the next one of the same thing. What held when a stage began
// therefore belongs to the stage too.
import type { GaugeSample, History } from "../scenario/history.ts";
import { wholeFlows } from "../scenario/flows.ts";
import type { Flow } from "../scenario/types.ts";

export interface Period {
  readonly fromUs: number;
  readonly toUs: number;
}

export const ALWAYS: Period = { fromUs: Number.NEGATIVE_INFINITY, toUs: Number.POSITIVE_INFINITY };

/** When each of the named stages runs, over all flows that have it. */
export function periodsOf(flows: readonly Flow[], stages: readonly string[]): Period[] {
  const periods: Period[] = [];
  for (const { shape, atUs } of wholeFlows(flows)) {
    if (shape.kind !== "stages") continue;
    let fromUs: number = atUs;
    for (const stage of shape.stages) {
      if (stages.includes(stage.name)) periods.push({ fromUs, toUs: fromUs + stage.forUs });
      fromUs += stage.forUs;
    }
  }
  return periods;
}

/**
 * One series for each thing that is measured: a budget's allowance, a gateway's view of the fleet. With a
 * key, the series that it has a part in: a shared budget is moved by others too (LIM-C8).
 */
export function seriesOf(history: History, gauge: string, key: string | null): GaugeSample[][] {
  const ofGauge = history.gauges.filter((sample) => sample.gauge === gauge);
  const series = Map.groupBy(ofGauge, ({ budget, gateway }) => JSON.stringify([budget, gateway]));
  return [...series.values()]
    .filter((samples) => key === null || samples.some((sample) => sample.key === key))
    .map((samples) => samples.toSorted((a, b) => a.atUs - b.atUs));
}

export interface Held {
  readonly sample: GaugeSample;
  readonly certain: boolean; // that it held within the period
}

/** What held within a period whose ends are known to `uncertainUs`. */
export function heldWithin(
  samples: readonly GaugeSample[],
  { fromUs, toUs }: Period,
  uncertainUs: number,
): Held[] {
  return samples.flatMap((sample, index) => {
    const untilUs = samples[index + 1]?.atUs ?? Number.POSITIVE_INFINITY;
    if (sample.atUs >= toUs + uncertainUs || untilUs <= fromUs - uncertainUs) return [];
    return [
      { sample, certain: sample.atUs < toUs - uncertainUs && untilUs > fromUs + uncertainUs },
    ];
  });
}

/** The last request decided by then: where a person would look. */
export function rowAt({ requests }: History, atUs: number): number {
  let latest = 0;
  for (let row = 0; row < requests.length; row++) if (requests.fromUs[row]! <= atUs) latest = row;
  return latest;
}
