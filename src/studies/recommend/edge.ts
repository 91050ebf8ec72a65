// The clients at the edge of a limit: those with the fewest refusals of all refused clients, and those that a smaller
// rate would refuse next.
import type { RefusalCurve } from "./refusals.ts";

export interface EdgeClient {
  readonly client: number;
  /** The smallest rate that refuses no request of this client; null: every rate refuses some. */
  readonly peak: number | null;
  readonly refused: number;
}

/** Most clients whose peaks are searched one by one. If there are more, a search over rates selects the nearest. */
const MOST_PEAKS = 500;

/** The `count` clients nearest to the edge on each side, sorted by peak, the highest first. */
export function findEdge(curve: RefusalCurve, rate: number, count: number): readonly EdgeClient[] {
  const rates = curve.refusalsByRate().map((each) => each.rate);
  const refused = new Map(idsWithCounts(curve, rate));
  // Among equal peaks, the client with the fewest refusals is nearest.
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
  for (const id of order) if (near.size < count) near.add(id); // clients that even the highest rate refuses
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

/** Returns the `count` nearest clients on one side, or more. `clientsAt` lists the clients from the edge to a rate. */
function findNearest(
  rates: readonly number[], // rates tried on this side, the nearest first
  edge: number,
  count: number,
  clientsAt: (rate: number) => readonly number[],
): readonly number[] {
  const first = rates.findIndex((rate) => clientsAt(rate).length >= count);
  let near = rates[first - 1] ?? edge;
  let far = rates.at(first) ?? edge; // the last rate, if every rate has fewer clients
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
