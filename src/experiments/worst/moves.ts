// A small change of a pattern: a burst shifted, added, removed, larger or smaller.
import type { Rng } from "../../chance/rng.ts";
import { oneOf } from "./candidates.ts";
import type { Materials } from "./materials.ts";
import { inOrder, type Burst, type Pattern } from "./pattern.ts";

export function moved(pattern: Pattern, materials: Materials, random: Rng): Pattern {
  const index = random.int(pattern.length);
  const chosen = pattern[index]!;
  const others = pattern.filter((_, at) => at !== index);
  switch (random.int(5)) {
    case 0:
      return inOrder([...others, { ...chosen, atUs: momentNear(pattern, materials, random) }]);
    case 1:
      return inOrder([...pattern, another(pattern, materials, random)]);
    case 2:
      return others.length === 0 ? pattern : inOrder(others);
    case 3:
      return inOrder([...others, { ...chosen, count: sizeNear(chosen, materials, random) }]);
    default:
      return inOrder([...others, ...halves(chosen, pattern, materials, random)]);
  }
}

/** A distance that matters from some burst, to either side, or a microsecond beside it. */
function momentNear(pattern: Pattern, { gapsUs, startsUs }: Materials, random: Rng): number {
  if (random.int(6) === 0) return oneOf(startsUs, random);
  const { atUs } = oneOf(pattern, random);
  const gapUs = random.int(3) === 0 ? 1 : oneOf(gapsUs, random);
  return random.int(2) === 0 ? atUs + gapUs : atUs - gapUs;
}

const another = (pattern: Pattern, materials: Materials, random: Rng): Burst => ({
  atUs: momentNear(pattern, materials, random),
  count: oneOf(materials.sizes, random),
  client: oneOf(materials.clients, random),
});

const sizeNear = ({ count }: Burst, { sizes }: Materials, random: Rng): number =>
  [count + 1, Math.max(1, count - 1), oneOf(sizes, random)][random.int(3)]!;

/** A part of it at another time, or from another client. */
function halves(
  chosen: Burst,
  pattern: Pattern,
  materials: Materials,
  random: Rng,
): readonly Burst[] {
  const count = random.int(chosen.count + 1);
  const atUs = momentNear(pattern, materials, random);
  const client = oneOf(materials.clients, random);
  return [
    { ...chosen, count: chosen.count - count },
    { atUs, count, client },
  ];
}
