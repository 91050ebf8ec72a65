// The clients at the edge of a limit: those that it refuses least, and those that it would refuse next.
import type { RefusalCurve } from "./refusals.ts";

export interface EdgeClient {
  readonly client: number;
  /** The smallest rate that refuses none of its requests; null: none does. */
  readonly peak: number | null;
  readonly refused: number;
}

/** A peak takes a search of its own. Of more clients than this, rates between those that were tried find the nearest. */
const MOST_PEAKS = 500;

/** The `count` nearest ones on each side, the highest peaks first. */
export function findEdge(curve: RefusalCurve, rate: number, count: number): readonly EdgeClient[] {
  const rates = curve.refusalsByRate().map((each) => each.rate);
  const refused = new Map(idsWithCounts(curve, rate));
  // Of equal peaks the least refused ones are nearest.
  const leastRefused = [...refused].toSorted(([a, few], [b, other]) => few - other || b - a);
  const order = leastRefused.map(([id]) => id);
  const leavingAt = (above: number): readonly number[] => {
    const still = new Set(curve.at(above).ids);
    return order.filter((id) => !still.has(id));
  };
  const joiningAt = (below: number): readonly number[] =>
    [...curve.at(below).ids].filter((id) => !refused.has(id));
  const lower = rates.filter((each) => each < rate).toReversed();
  const higher = rates.filter((each) => each > rate);
  const admitted = findNearest(lower, rate, count, joiningAt);
  const near = new Set(findNearest(higher, rate, count, leavingAt));
  for (const id of order) if (near.size < count) near.add(id); // no rate admits those that are left
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
    ...admitted.map(edgeOf).toSorted(byHeight).slice(0, count),
  ];
}

/** The nearest clients on one side, and perhaps others. `clientsAt` has all between the edge and a rate, in the order of ties. */
function findNearest(
  rates: readonly number[], // that were tried on this side, the nearest first
  edge: number,
  count: number,
  clientsAt: (rate: number) => readonly number[],
): readonly number[] {
  const first = rates.findIndex((rate) => clientsAt(rate).length >= count);
  let near = rates[first - 1] ?? edge;
  let far = rates.at(first) ?? edge; // the last one, if all have fewer
  while (Math.abs(far - near) > 1 && clientsAt(far).length > MOST_PEAKS) {
    const middle = Math.floor((near + far) / 2);
    if (clientsAt(middle).length >= count) far = middle;
    else near = middle;
  }
  if (far === edge) return [];
  const found = clientsAt(far);
  if (found.length <= MOST_PEAKS) return found;
  const before = near === edge ? [] : clientsAt(near);
  const isBefore = new Set(before);
  return [...before, ...found.filter((id) => !isBefore.has(id)).slice(0, count)];
}

function idsWithCounts(curve: RefusalCurve, rate: number): [number, number][] {
  const { ids, good, bad } = curve.at(rate);
  return Array.from(ids, (id, i) => [id, good[i]! + bad[i]!]);
}
