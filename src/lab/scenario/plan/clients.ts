// Which client of a flow sends each request.
import type { Rng } from "../../../kit/chance/rng.ts";

/** The client of each request: without skew in turn, else client i is drawn with weight 1 / (i + 1)^skew (Zipf). */
export function clientsOf(length: number, clients: number, skew: number, rng: Rng): Uint32Array {
  const chosen = new Uint32Array(length);
  if (clients === 1) return chosen;
  if (skew === 0) {
    for (let i = 0; i < length; i++) chosen[i] = i % clients;
    return chosen;
  }
  const { share, alias } = aliasTable(
    Float64Array.from({ length: clients }, (_, i) => (i + 1) ** -skew),
  );
  for (let i = 0; i < length; i++) {
    const place = rng.int(clients);
    chosen[i] = rng.next() < share[place]! ? place : alias[place]!;
  }
  return chosen;
}

/** Draws `length` indexes of `weights` by their weight; null without weights. */
export function drawWeighted(
  length: number,
  weights: readonly number[] | null,
  chance: Rng,
): Uint32Array | null {
  if (weights === null) return null;
  const { share, alias } = aliasTable(Float64Array.from(weights));
  return Uint32Array.from({ length }, () => {
    const place = chance.int(weights.length);
    return chance.next() < share[place]! ? place : alias[place]!;
  });
}

/** Vose's alias method: a draw costs the same for any number of clients. */
function aliasTable(weights: Float64Array): {
  readonly share: Float64Array;
  readonly alias: Uint32Array;
} {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const share = weights.map((weight) => (weight * weights.length) / sum);
  const alias = Uint32Array.from(share, (_, i) => i);
  const small: number[] = [];
  const large: number[] = [];
  share.forEach((value, i) => (value < 1 ? small : large).push(i));
  while (small.length > 0 && large.length > 0) {
    const low = small.pop()!;
    const high = large.at(-1)!;
    alias[low] = high;
    share[high] = share[high]! + share[low]! - 1;
    if (share[high] < 1) {
      large.pop();
      small.push(high);
    }
  }
  // Shares that remain because of rounding differ from 1 only in their last digits.
  for (const rest of [...small, ...large]) share[rest] = 1;
  return { share, alias };
}
