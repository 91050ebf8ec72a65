// A gauge as a line of steps with no more points than a reader can see.
import { SECOND } from "../../../kit/units.ts";
import type { GaugeSample } from "../../scenario/history.ts";
import type { StepLine } from "../model-figures.ts";
import { roundDigits, type Bins } from "./bins.ts";

/** The most changes that are all shown, about two for each bin. */
const MOST_STEPS = 200;

/** A gauge's changes and its last value. If there are too many, each bin has its least, greatest and last value. */
export function stepsOf(
  what: string,
  samples: readonly GaugeSample[],
  per: number,
  bins: Bins,
): StepLine {
  const changes = samples.filter(
    ({ value, atUs }, index) => value !== samples[index - 1]?.value && atUs <= bins.untilS * SECOND,
  );
  const shown = changes.length <= MOST_STEPS ? changes : thin(changes, bins);
  const at = shown.map(({ atUs }) => roundDigits(atUs / SECOND));
  const values = shown.map(({ value }) => roundDigits(value / per));
  return { what, at: [...at, bins.untilS], values: [...values, values.at(-1) ?? 0] };
}

function thin(samples: readonly GaugeSample[], { binS }: Bins): readonly GaugeSample[] {
  const ofBins = Map.groupBy(samples, ({ atUs }) => Math.floor(atUs / SECOND / binS));
  return [...ofBins.values()].flatMap((ofBin) => {
    const worth = new Set([
      ofBin.reduce((least, each) => (each.value < least.value ? each : least)),
      ofBin.reduce((most, each) => (each.value > most.value ? each : most)),
      ofBin.at(-1)!,
    ]);
    return ofBin.filter((each) => worth.has(each));
  });
}
