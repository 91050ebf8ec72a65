import { ceilSeconds, micros } from "../../kit/units.ts";
import { formatStatus } from "../scenario/expectation.ts";
import { isLost, type History } from "../scenario/history.ts";
import { many } from "../../kit/reading/legible.ts";
import type { Measure } from "../scenario/types.ts";
import type { Json } from "../../kit/reading/shape.ts";
import { finding, errorFinding, type Finding } from "./outcome.ts";
import { isPartOf } from "./part-of.ts";
import { causeOf, describeRejections, hasReachedLimiter, isAboutLimits } from "./rejections.ts";
import { select, unknownName } from "./select.ts";
import { inPlannedOrder } from "./sequence.ts";
import type { CheckSubject } from "./subject.ts";

type ResponseMeasure = Extract<Measure, { kind: "response" }>;

type Value = number | string | null; // null: absent

const number = (value: number): Value => (Number.isNaN(value) ? null : value);

/** By header name, reads a header of a request from the history; undefined if no history records the header. */
const HEADERS: Readonly<Record<string, ((history: History, row: number) => Value) | undefined>> = {
  "retry-after": ({ requests }, row) => number(requests.retryAfterS[row]!),
  "x-ratelimit-limit": ({ requests }, row) => number(requests.limit[row]!),
  "x-ratelimit-remaining": ({ requests }, row) => number(requests.remaining[row]!),
  "x-ratelimit-reset": ({ requests, header }, row) =>
    number(ceilSeconds(micros(header.epochUs + requests.resetUs[row]!))),
  "ratelimit-policy": ({ requests, header }, row) => header.fields[requests.policy[row]!] ?? null,
  ratelimit: ({ requests, header }, row) => header.fields[requests.standing[row]!] ?? null,
};

const valueOf = (name: string, history: History, row: number): Value =>
  HEADERS[name.toLowerCase()]?.(history, row) ?? null;

/** Whether a header has the wanted value. A number in a scenario file also matches a header's text. */
export const isAs = (value: Value, wanted: Value): boolean =>
  (typeof value === "number" || typeof wanted === "number") && value !== null && wanted !== null
    ? Number(value) === Number(wanted)
    : value === wanted;

export function checkResponse(measure: ResponseMeasure, { history }: CheckSubject): Finding {
  const expected = inWords(measure);
  const unknown = Object.keys(measure.headers).find(
    (name) => HEADERS[name.toLowerCase()] === undefined,
  );
  if (unknown !== undefined)
    return errorFinding(`the history does not record the header "${unknown}"`, expected);
  const problem = unknownName(history, measure.filter);
  if (problem !== null) return errorFinding(problem, expected);

  return compareResponses(measure, history, expected);
}

const listInOrder = ({ filter }: ResponseMeasure, history: History): readonly number[] =>
  inPlannedOrder(history, select(history, filter));

function selectRows(measure: ResponseMeasure, history: History): readonly number[] {
  const rows = listInOrder(measure, history);
  return measure.nth === "all"
    ? rows
    : rows.slice(measure.nth === "last" ? -1 : measure.nth).slice(0, 1);
}

/** The selected rows. If no status is expected, limit headers need rows that a limiter decided (LIM-C16). */
function rowsToExamine(measure: ResponseMeasure, history: History): readonly number[] {
  const rows = selectRows(measure, history);
  return isAboutLimits(measure) && measure.status === null
    ? rows.filter((row) => hasReachedLimiter(history.requests, row))
    : rows;
}

function compareResponses(measure: ResponseMeasure, history: History, expected: string): Finding {
  const { requests } = history;
  const rows = listInOrder(measure, history);
  if (rows.length === 0) return finding("vacuous", "no response", expected, 0);
  const selected = selectRows(measure, history);
  if (selected.length === 0)
    return finding("fail", `only ${many(rows.length, "response")}`, expected, rows.length, rows);
  const examined = rowsToExamine(measure, history);
  const first = examined[0];
  if (first === undefined)
    return finding("vacuous", describeRejections(history, selected), expected, 0, selected);
  const wrong = examined.find((row) => faultOf(history, row, measure) !== null);
  if (
    wrong === undefined &&
    measure.body !== null &&
    examined.some((row) => requests.body[row]! < 0)
  )
    return errorFinding("the history does not record bodies of upstream responses", expected);
  if (wrong === undefined)
    return finding("pass", describe(history, first, measure), expected, examined.length, examined);
  const among = examined.length > 1 ? ` at response ${rows.indexOf(wrong)}` : "";
  return finding(
    "fail",
    `${describe(history, wrong, measure)}${among}: ${faultOf(history, wrong, measure)}`,
    expected,
    examined.length,
    [wrong],
  );
}

export interface WrongHeader {
  readonly row: number;
  readonly name: string;
  readonly wanted: Value;
  readonly got: Value;
}

/** The wrong headers of the first wrong response, or "body". Empty: its status is wrong, or no response is wrong. */
export function wrongIn(
  measure: ResponseMeasure,
  history: History,
): "body" | readonly WrongHeader[] {
  const row = rowsToExamine(measure, history).find(
    (each) => faultOf(history, each, measure) !== null,
  );
  if (row === undefined) return [];
  if (measure.status !== null && history.requests.status[row] !== measure.status) return [];
  const headers = Object.entries(measure.headers).flatMap(([name, wanted]): WrongHeader[] => {
    const got = valueOf(name, history, row);
    return isAs(got, wanted) ? [] : [{ row, name: name.toLowerCase(), wanted, got }];
  });
  return headers.length === 0 ? "body" : headers;
}

function faultOf(history: History, row: number, measure: ResponseMeasure): string | null {
  const status = history.requests.status[row]!;
  if (isLost(status)) return `lost, because ${causeOf(history, row)}`;
  if (measure.status !== null && status !== measure.status) return `status is ${status}`;
  for (const [name, wanted] of Object.entries(measure.headers)) {
    const value = valueOf(name, history, row);
    if (!isAs(value, wanted)) return `${name} is ${value ?? "absent"}`;
  }
  const body = bodyOf(history, row);
  return measure.body === null || body === undefined || isPartOf(measure.body, body)
    ? null
    : `the body is ${JSON.stringify(body)}`;
}

const bodyOf = ({ header, requests }: History, row: number): Json | undefined =>
  header.bodies[requests.body[row]!];

const describe = (history: History, row: number, measure: ResponseMeasure): string =>
  [
    formatStatus(history.requests.status[row]!),
    ...Object.keys(measure.headers).map(
      (name) => `${name}: ${valueOf(name, history, row) ?? "absent"}`,
    ),
  ].join(", ");

export const inWords = ({
  status,
  headers,
  body,
  nth,
}: Pick<ResponseMeasure, "status" | "headers" | "body" | "nth">): string => {
  const which = typeof nth === "number" ? `response ${nth}` : `${nth} responses`;
  const named = Object.entries(headers).map(([name, value]) => `${name}: ${value ?? "absent"}`);
  const all = [
    ...(status === null ? [] : [String(status)]),
    ...named,
    ...(body === null ? [] : [`a body with ${JSON.stringify(body)}`]),
  ];
  return `${which} with ${all.join(", ")}`;
};
