// How a person names a request: by its number in the history, or as the Nth of a flow and the Mth attempt at it.
import { listPlannedRows, requestNames } from "../check/request-names.ts";
import { Failure } from "../reading/failure.ts";
import { nearest } from "../reading/problems.ts";
import type { History } from "../scenario/history.ts";
import { many } from "../reading/legible.ts";

export function rowOf(history: History, typed: string): number | Failure {
  const { header, requests } = history;
  if (/^\d+$/.test(typed)) {
    const row = Number(typed);
    return row < requests.length
      ? row
      : new Failure(
          `there is no request ${typed}: the history has ${requests.length}, numbered from 0`,
        );
  }
  const [, name = "", nth = "", attempt = "1"] = /^(.+):(\d+)(?:\.(\d+))?$/.exec(typed) ?? [];
  if (name === "")
    return new Failure(
      `"${typed}" names no request: write FLOW:N, FLOW:N.M for its attempt M, or a number of the history`,
    );
  const names = [...new Set(header.flows.map((flow) => flow.name))];
  if (!names.includes(name)) {
    const suggestion = nearest(name, names);
    return new Failure(
      `there is no flow "${name}"; ${suggestion === null ? `there is: ${names.join(", ")}` : `did you mean "${suggestion}"?`}`,
    );
  }
  const rows = listPlannedRows(history, name);
  const first = rows[Number(nth) - 1];
  if (first === undefined)
    return new Failure(
      `there is no ${typed}: the flow has ${many(rows.length, "request")}, from 1`,
    );
  return attempt === "1" ? first : attemptAt(requests, first, Number(attempt), typed);
}

/** A history has who tried how often, and not which request was tried: that is plain of a client with one request. */
function attemptAt(
  { length, flow, client, attempt }: History["requests"],
  first: number,
  wanted: number,
  typed: string,
): number | Failure {
  const ofClient = Array.from({ length }, (_, row) => row).filter(
    (row) => flow[row] === flow[first] && client[row] === client[first],
  );
  const attempts = ofClient.filter((row) => attempt[row] === wanted - 1);
  const requests = ofClient.filter((row) => attempt[row] === 0).length;
  if (requests === 1)
    return (
      attempts[0] ??
      new Failure(`there is no ${typed}: it has ${many(ofClient.length, "attempt")}, from 1`)
    );
  return attempts.length === 0
    ? new Failure(
        `there is no ${typed}: its client has ${many(requests, "request")}, none of them with ${wanted} attempts`,
      )
    : new Failure(
        `${typed} is not known: its client has ${many(requests, "request")}, and attempt ${wanted} at one of them is request ${attempts.join(" or ")}; name one by its number`,
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
