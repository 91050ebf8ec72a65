// How a person names a request: by its number in the history, or as the Nth of a flow.
import { nearest } from "../core/problems.ts";
import type { History } from "../scenario/history.ts";

/** The row, or one sentence that says why there is none. */
export function rowOf({ header, requests }: History, typed: string): number | string {
  if (/^\d+$/.test(typed)) {
    const row = Number(typed);
    return row < requests.length
      ? row
      : `there is no request ${typed}: the history has ${requests.length}, numbered from 0`;
  }
  const [, name = "", nth = ""] = /^(.+):(\d+)$/.exec(typed) ?? [];
  if (name === "") return `"${typed}" names no request: write FLOW:N, or a number of the history`;
  const names = header.flows.map((flow) => flow.name);
  const flow = names.indexOf(name);
  if (flow < 0) {
    const meant = nearest(name, names);
    return `there is no flow "${name}"; ${meant === null ? `there is: ${names.join(", ")}` : `did you mean "${meant}"?`}`;
  }
  const rows = plannedRows(requests, flow);
  return (
    rows[Number(nth) - 1] ?? `there is no ${typed}: the flow has ${rows.length} requests, from 1`
  );
}

/** First attempts in planned order; what a client sends again has a number of its own only. */
function plannedRows({ length, ...table }: History["requests"], flow: number): readonly number[] {
  const rows: number[] = [];
  for (let row = 0; row < length; row++)
    if (table.flow[row] === flow && table.attempt[row] === 0) rows.push(row);
  return rows.toSorted((a, b) => table.plannedUs[a]! - table.plannedUs[b]! || a - b);
}

/** The way back: "first:6", and which attempt it was. */
export function requestName({ header, requests }: History, row: number): string {
  const flow = requests.flow[row]!;
  const attempt = requests.attempt[row]!;
  const name = header.flows[flow]!.name;
  const nth = attempt === 0 ? plannedRows(requests, flow).indexOf(row) + 1 : 0;
  return nth > 0
    ? `${name}:${nth}`
    : `${name}, attempt ${attempt + 1} of client ${requests.client[row]!}`;
}
