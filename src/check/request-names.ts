// Names of requests for people: the Nth of its flow. A retry has no such name.
import type { History } from "../scenario/history.ts";

/** First attempts of a flow, whatever it mixes, in planned order. */
export function listPlannedRows({ header, requests }: History, flow: string): readonly number[] {
  const { attempt, plannedUs } = requests;
  const isFlow = header.flows.map(({ name }) => name === flow);
  const rows: number[] = [];
  for (let row = 0; row < requests.length; row++)
    if (isFlow[requests.flow[row]!]! && attempt[row] === 0) rows.push(row);
  const isInOrder = rows.every(
    (row, at) => at === 0 || plannedUs[rows[at - 1]!]! <= plannedUs[row]!,
  );
  return isInOrder ? rows : rows.toSorted((a, b) => plannedUs[a]! - plannedUs[b]! || a - b);
}

/** "first:6", or for a retry its number in the history, "request 17"; `weir explain` takes both. */
export function requestLabeller(history: History): (row: number) => string {
  const nameOf = requestNames(history);
  return (row) => nameOf(row) ?? `request ${row}`;
}

/** "first:6", or null for a retry; each flow is sorted at most once. */
export function requestNames(history: History): (row: number) => string | null {
  const { header, requests } = history;
  const positionsByFlow = new Map<string, Int32Array>(); // by row; 0: none
  return (row) => {
    const flow = header.flows[requests.flow[row]!]!.name;
    let positions = positionsByFlow.get(flow);
    if (positions === undefined) {
      positions = new Int32Array(requests.length);
      for (const [index, each] of listPlannedRows(history, flow).entries())
        positions[each] = index + 1;
      positionsByFlow.set(flow, positions);
    }
    const nth = positions[row]!;
    return nth === 0 ? null : `${flow}:${nth}`;
  };
}
