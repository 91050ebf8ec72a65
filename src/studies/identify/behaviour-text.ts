// Describes a behaviour and its numbers to people.
import { formatDuration, micros } from "../../kit/units.ts";
import { classOf, isPaced, type LimitBehaviour } from "./behaviour.ts";

export const titleOf = (behaviour: LimitBehaviour): string => {
  const { title } = classOf(behaviour);
  if (behaviour.second !== undefined) return `two limits at once, each ${title}`;
  return behaviour.pauseUs === undefined ? title : `${title}, and a pause after a refusal`;
};

const durationText = (us: number): string => formatDuration(micros(Math.round(us)));

/** Writes an inexact number with no more digits than are known. */
function spanText({ spanUs, rangeUs }: LimitBehaviour): string {
  if (rangeUs === undefined) return durationText(spanUs);
  const unitUs = 10 ** Math.floor(Math.log10(Math.max(1, (rangeUs[1] - rangeUs[0]) / 2)));
  const about = durationText(Math.round(spanUs / unitUs) * unitUs);
  const from = durationText(Math.floor(rangeUs[0] / unitUs) * unitUs);
  const to = durationText(Math.ceil(rangeUs[1] / unitUs) * unitUs);
  return `${about} (${from} to ${to})`;
}

export const numbersText = (behaviour: LimitBehaviour): string => {
  const { name, capacity, second, pauseUs, ...rest } = behaviour;
  const first = { name, capacity, ...rest };
  if (second !== undefined) {
    const own: LimitBehaviour = { name, ...second };
    return `${numbersText(first)}, and ${numbersText(own)}`;
  }
  if (pauseUs !== undefined) return `${numbersText(first)}, then none for ${durationText(pauseUs)}`;
  const span = spanText(behaviour);
  if (name === "queue") return `one every ${span}, and ${capacity - 1} that wait`;
  if (name === "credit_bucket") return `one every ${span}, and ${capacity} after a second without`;
  const count = behaviour.countRange?.join(" to ") ?? capacity;
  if (isPaced(behaviour)) return `${count} at once, and one more every ${span}`;
  return `${capacity} per ${span}`;
};
