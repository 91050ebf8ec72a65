// How a person names a request: as the Nth of its flow. What a client sends again has no such name.
import type { History } from "../scenario/history.ts";

/** First attempts in planned order. */
export function plannedRows(
  { length, ...table }: History["requests"],
  flow: number,
): readonly number[] {
  const rows: number[] = [];
  for (let row = 0; row < length; row++)
    if (table.flow[row] === flow && table.attempt[row] === 0) rows.push(row);
  return rows.toSorted((a, b) => table.plannedUs[a]! - table.plannedUs[b]! || a - b);
}

/** "first:6", or for a retry its number in the history, "request 17": `weir explain` is asked by either. */
export function requestsCalled(history: History): (row: number) => string {
  const nameOf = requestNames(history);
  return (row) => nameOf(row) ?? `request ${row}`;
}

/** "first:6", or null for a retry; each flow is put in order at most once. */
export function requestNames(history: History): (row: number) => string | null {
  const { header, requests } = history;
  const known = new Map<number, ReadonlyMap<number, number>>();
  return (row) => {
    const flow = requests.flow[row]!;
    let places = known.get(flow);
    if (places === undefined) {
      places = new Map(plannedRows(requests, flow).map((each, index) => [each, index + 1]));
      known.set(flow, places);
    }
    const nth = places.get(row);
    return nth === undefined ? null : `${header.flows[flow]!.name}:${nth}`;
  };
}
