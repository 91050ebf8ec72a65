// Names of requests for people: a flow and the position of the request in it. A retry has no such name.
import type { History } from "../scenario/history.ts";

/** First attempts of all flows with this name, in planned order. */
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

/** Names a request "first:6", or a retry by its number in the history, "request 17"; `weir explain` accepts both. */
export function requestLabeller(history: History): (row: number) => string {
  const nameOf = requestNames(history);
  return (row) => nameOf(row) ?? `request ${row}`;
}

/** Names a request "first:6"; null for a retry. Each flow is sorted at most once. */
export function requestNames(history: History): (row: number) => string | null {
  const { header, requests } = history;
  const positionsByFlow = new Map<string, Int32Array>(); // position of each row; 0 if the row has no name
  return (row) => {
    const flow = header.flows[requests.flow[row]!]!.name;
    let positions = positionsByFlow.get(flow);
    if (positions === undefined) {
      positions = positionsIn(history, flow);
      positionsByFlow.set(flow, positions);
    }
    const nth = positions[row]!;
    return nth === 0 ? null : `${flow}:${nth}`;
  };
}

/** Each row's position in its flow, from 1; 0: none. Rows are sorted only if they are not yet in planned order. */
function positionsIn(history: History, flow: string): Int32Array {
  const { header, requests } = history;
  const isFlow = header.flows.map(({ name }) => name === flow);
  const positions = new Int32Array(requests.length);
  let counted = 0;
  let lastUs = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < requests.length; row++) {
    if (!isFlow[requests.flow[row]!]! || requests.attempt[row] !== 0) continue;
    const us = requests.plannedUs[row]!;
    if (us < lastUs) {
      for (const [index, each] of listPlannedRows(history, flow).entries())
        positions[each] = index + 1;
      return positions;
    }
    positions[row] = ++counted;
    lastUs = us;
  }
  return positions;
}
