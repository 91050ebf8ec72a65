// The clients at the edge of a limit: those that it refuses least, and those that it would refuse next.
import type { RefusalCurve } from "./refusals.ts";

export interface EdgeClient {
  readonly client: number;
  /** The smallest rate that refuses none of its requests; null: none does. */
  readonly peak: number | null;
  readonly refused: number;
}

/** A peak takes a search of its own. More clients than this have ties, or are far away. */
const MOST_PEAKS = 500;

/** The `count` nearest ones on each side, the highest peaks first. */
export function findEdge(curve: RefusalCurve, rate: number, count: number): readonly EdgeClient[] {
  const tried = curve.refusalsByRate();
  const refused = new Map(idsWithCounts(curve, rate));
  const admitted = new Set<number>();
  for (const { rate: lower, ids } of tried.toReversed()) {
    if (lower >= rate) continue;
    for (const id of ids) if (!refused.has(id) && admitted.size < MOST_PEAKS) admitted.add(id);
    if (admitted.size >= count) break;
  }
  // With rates from above, clients leave the refused ones; the last to leave is the furthest.
  const near = new Set<number>();
  for (const { rate: higher, ids } of tried) {
    if (higher <= rate) continue;
    const still = new Set(ids);
    for (const id of refused.keys()) if (!still.has(id) && near.size < MOST_PEAKS) near.add(id);
    if (near.size >= count) break;
  }
  // Those that no rate admits are left, and the least refused ones are nearest.
  const leastRefused = [...refused].toSorted(([a, few], [b, other]) => few - other || b - a);
  for (const [id] of leastRefused) if (near.size < count) near.add(id);
  const edgeOf = (client: number): EdgeClient => ({
    client,
    peak: curve.peakOf(client),
    refused: refused.get(client) ?? 0,
  });
  const heightOf = ({ peak }: EdgeClient): number => peak ?? Number.POSITIVE_INFINITY;
  const byHeight = (a: EdgeClient, b: EdgeClient): number =>
    heightOf(b) - heightOf(a) || b.refused - a.refused || a.client - b.client;
  return [
    ...[...near].map(edgeOf).toSorted(byHeight).slice(-count),
    ...[...admitted].map(edgeOf).toSorted(byHeight).slice(0, count),
  ];
}

function idsWithCounts(curve: RefusalCurve, rate: number): [number, number][] {
  const { ids, good, bad } = curve.at(rate);
  return Array.from(ids, (id, i) => [id, good[i]! + bad[i]!]);
}
