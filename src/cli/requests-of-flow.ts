// Names of requests on the command line: N, the number in the history, or FLOW:N.M, attempt M of request N of a flow.
import { listAttempts } from "../lab/check/retry-origin.ts";
import { listPlannedRows, requestNames } from "../lab/check/request-names.ts";
import { Failure } from "../kit/reading/failure.ts";
import { nearest } from "../kit/reading/problems.ts";
import type { History } from "../lab/scenario/history.ts";
import { many } from "../kit/reading/legible.ts";

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
      `"${typed}" names no request: write FLOW:N, FLOW:N.M for attempt M of that request, or its number in the history`,
    );
  const names = [...new Set(header.flows.map((flow) => flow.name))];
  if (!names.includes(name)) {
    const suggestion = nearest(name, names);
    return new Failure(
      `there is no flow "${name}"; ${suggestion === null ? `choose one of ${names.join(", ")}` : `did you mean "${suggestion}"?`}`,
    );
  }
  const rows = listPlannedRows(history, name);
  const first = rows[Number(nth) - 1];
  if (first === undefined)
    return new Failure(
      `there is no ${typed}: the flow has ${many(rows.length, "request")}, numbered from 1`,
    );
  return attempt === "1" ? first : attemptAt(history, first, Number(attempt), typed);
}

function attemptAt(
  history: History,
  first: number,
  wanted: number,
  typed: string,
): number | Failure {
  const { attempt } = history.requests;
  const siblings = listAttempts(history, first);
  const attempts = siblings.filter((row) => attempt[row] === wanted - 1);
  const requests = siblings.filter((row) => attempt[row] === 0).length;
  if (requests === 1)
    return (
      attempts[0] ??
      new Failure(
        `there is no ${typed}: the request has ${many(siblings.length, "attempt")}, numbered from 1`,
      )
    );
  const others = `its client has ${many(requests, "request")} at that instant`;
  return attempts.length === 0
    ? new Failure(`there is no ${typed}: ${others}, none of them with ${wanted} attempts`)
    : new Failure(
        `${typed} is ambiguous: ${others}, and attempt ${wanted} may be request ${numbersText(attempts)} of the history; write one of these numbers`,
      );
}

const MOST_NUMBERS = 3;

function numbersText(rows: readonly number[]): string {
  const others = rows.length - MOST_NUMBERS;
  const shown = rows.slice(0, others > 1 ? MOST_NUMBERS : rows.length).join(" or ");
  return others > 1 ? `${shown} or one of ${others} others` : shown;
}

/** The reverse of `rowOf`: "first:6", "first:6.2" for its second attempt, or "request 17" if several fit. */
export function requestName(history: History, row: number): string {
  const nameOf = requestNames(history);
  const own = nameOf(row);
  if (own !== null) return own;
  const { attempt } = history.requests;
  const firsts = listAttempts(history, row).filter((each) => attempt[each] === 0);
  return firsts.length === 1 ? `${nameOf(firsts[0]!)!}.${attempt[row]! + 1}` : `request ${row}`;
}
