// Makes a small change to a pattern: shifts, adds, removes, enlarges or reduces a burst.
import type { Rng } from "../../kit/chance/rng.ts";
import { pick } from "./candidates.ts";
import type { Materials } from "./materials.ts";
import { patternOf, type Burst, type ArrivalPattern } from "./pattern.ts";

export function movePattern(
  pattern: ArrivalPattern,
  materials: Materials,
  random: Rng,
): ArrivalPattern {
  const index = random.int(pattern.length);
  const chosen = pattern[index]!;
  const rest = pattern.filter((_, at) => at !== index);
  switch (random.int(5)) {
    case 0:
      return patternOf([...rest, { ...chosen, atUs: momentNear(pattern, materials, random) }]);
    case 1:
      return patternOf([...pattern, createBurst(pattern, materials, random)]);
    case 2:
      return rest.length === 0 ? pattern : patternOf(rest);
    case 3:
      return patternOf([...rest, { ...chosen, count: sizeNear(chosen, materials, random) }]);
    default:
      return patternOf([...rest, ...splitBurst(chosen, pattern, materials, random)]);
  }
}

/** The time of a burst plus or minus a distance of the materials, or a microsecond. */
function momentNear(pattern: ArrivalPattern, { gapsUs, startsUs }: Materials, random: Rng): number {
  if (random.int(6) === 0) return pick(startsUs, random);
  const { atUs } = pick(pattern, random);
  const gapUs = random.int(3) === 0 ? 1 : pick(gapsUs, random);
  return random.int(2) === 0 ? atUs + gapUs : atUs - gapUs;
}

const createBurst = (pattern: ArrivalPattern, materials: Materials, random: Rng): Burst => ({
  atUs: momentNear(pattern, materials, random),
  count: pick(materials.sizes, random),
  client: pick(materials.clients, random),
});

const sizeNear = ({ count }: Burst, { sizes }: Materials, random: Rng): number =>
  [count + 1, Math.max(1, count - 1), pick(sizes, random)][random.int(3)]!;

/** Moves a part of a burst to another time or client. */
function splitBurst(
  chosen: Burst,
  pattern: ArrivalPattern,
  materials: Materials,
  random: Rng,
): readonly Burst[] {
  const count = random.int(chosen.count + 1);
  const atUs = momentNear(pattern, materials, random);
  const client = pick(materials.clients, random);
  return [
    { ...chosen, count: chosen.count - count },
    { atUs, count, client },
  ];
}
