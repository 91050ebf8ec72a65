// How a person names a request: by its number in the history, or as the Nth of a flow.
import { plannedRows, requestNames } from "../check/request-names.ts";
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

/** The way back: "first:6", and which attempt it was. */
export function requestName(history: History, row: number): string {
  const { flow, attempt, client } = history.requests;
  return (
    requestNames(history)(row) ??
    `${history.header.flows[flow[row]!]!.name}, attempt ${attempt[row]! + 1} of client ${client[row]!}`
  );
}
