// How a person names a request: as the Nth of its flow. What a client sends again has no such name.
import type { History } from "../scenario/history.ts";

/** First attempts of a flow, whatever it mixes, in planned order. */
export function plannedRows({ header, requests }: History, flow: string): readonly number[] {
  const { attempt, plannedUs } = requests;
  const isOfIt = header.flows.map(({ name }) => name === flow);
  const rows: number[] = [];
  for (let row = 0; row < requests.length; row++)
    if (isOfIt[requests.flow[row]!]! && attempt[row] === 0) rows.push(row);
  return rows.toSorted((a, b) => plannedUs[a]! - plannedUs[b]! || a - b);
}

/** "first:6", or for a retry its number in the history, "request 17": `weir explain` is asked by either. */
export function requestsCalled(history: History): (row: number) => string {
  const nameOf = requestNames(history);
  return (row) => nameOf(row) ?? `request ${row}`;
}

/** "first:6", or null for a retry; each flow is put in order at most once. */
export function requestNames(history: History): (row: number) => string | null {
  const { header, requests } = history;
  const known = new Map<string, ReadonlyMap<number, number>>();
  return (row) => {
    const flow = header.flows[requests.flow[row]!]!.name;
    let places = known.get(flow);
    if (places === undefined) {
      places = new Map(plannedRows(history, flow).map((each, index) => [each, index + 1]));
      known.set(flow, places);
    }
    const nth = places.get(row);
    return nth === undefined ? null : `${flow}:${nth}`;
  };
}
