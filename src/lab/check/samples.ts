// Gauges are steps: a sample holds until the next sample of the same series. A value that holds when a stage begins
// therefore belongs to the stage, and so does every sample at exactly that instant.
import type { GaugeSample, History } from "../scenario/history.ts";
import { wholeFlows } from "../scenario/flows.ts";
import type { Flow } from "../scenario/types.ts";

export interface Period {
  readonly fromUs: number;
  readonly toUs: number;
}

export const ALWAYS: Period = { fromUs: Number.NEGATIVE_INFINITY, toUs: Number.POSITIVE_INFINITY };

/** The periods of the named stages, in all flows that have such a stage. */
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
 * The samples of a gauge, in one series for each budget and gateway. If `key` is not null, lists the series that have a
 * sample of the key. They include samples of other keys, because these change a shared budget too (LIM-C8).
 */
export function seriesOf(history: History, gauge: string, key: string | null): GaugeSample[][] {
  const ofGauge = history.gauges.filter((sample) => sample.gauge === gauge);
  const series = Map.groupBy(ofGauge, ({ budget, gateway }) => JSON.stringify([budget, gateway]));
  return [...series.values()]
    .filter((samples) => key === null || samples.some((sample) => sample.key === key))
    .map((samples) => samples.toSorted((a, b) => a.atUs - b.atUs));
}

export interface HeldSample {
  readonly sample: GaugeSample;
  readonly fromUs: number; // since when the sample holds within the period
  readonly certain: boolean; // whether the sample surely held within the period
}

/** The samples that hold within a period whose ends are uncertain by `uncertainUs`. */
export function samplesWithin(
  samples: readonly GaugeSample[],
  { fromUs, toUs }: Period,
  uncertainUs: number,
): HeldSample[] {
  return samples.flatMap((sample, index) => {
    const untilUs = samples[index + 1]?.atUs ?? Number.POSITIVE_INFINITY;
    // Only the last sample of one instant holds for any time. A stage that begins at that instant includes all samples.
    const isIn = (startUs: number): boolean => untilUs > startUs || sample.atUs >= startUs;
    if (sample.atUs >= toUs + uncertainUs || !isIn(fromUs - uncertainUs)) return [];
    return [
      {
        sample,
        fromUs: Math.max(sample.atUs, fromUs),
        certain: sample.atUs < toUs - uncertainUs && isIn(fromUs + uncertainUs),
      },
    ];
  });
}

/** The row of the last request decided until `atUs`, as evidence; 0 if there is none. */
export function rowAt({ requests }: History, atUs: number): number {
  let latest = 0;
  for (let row = 0; row < requests.length; row++) if (requests.fromUs[row]! <= atUs) latest = row;
  return latest;
}
