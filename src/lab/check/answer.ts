import { isLost, type HistoryCall } from "../scenario/history.ts";
import { formatStatus } from "../scenario/expectation.ts";
import { many } from "../../kit/reading/legible.ts";
import type { Measure } from "../scenario/types.ts";
import { finding, type Finding } from "./outcome.ts";
import { isPartOf } from "./part-of.ts";
import { inWords, isAs } from "./response.ts";
import type { CheckSubject } from "./subject.ts";

type AnswerMeasure = Extract<Measure, { kind: "answer" }>;

/** A call has no row among the requests, so the finding has no evidence: `observed` names the call. */
export function checkAnswer(measure: AnswerMeasure, { history }: CheckSubject): Finding {
  const { nth } = measure;
  const expected = inWords(measure);
  const calls = history.calls.filter(({ call }) => measure.call.includes(call));
  if (calls.length === 0) return finding("vacuous", "no answer", expected, 0);
  const selected = nth === "all" ? calls : calls.slice(nth === "last" ? -1 : nth).slice(0, 1);
  const [first] = selected;
  if (first === undefined)
    return finding("fail", `only ${many(calls.length, "answer")}`, expected, calls.length);
  const wrong = selected.find((each) => faultOf(each, measure) !== null);
  return wrong === undefined
    ? finding("pass", describeCall(first, measure), expected, selected.length)
    : finding(
        "fail",
        `${describeCall(wrong, measure)} to ${wrong.call}: ${faultOf(wrong, measure)}`,
        expected,
        selected.length,
      );
}

const headerIn = ({ headers }: HistoryCall, name: string): string | null =>
  headers[name.toLowerCase()] ?? null;

function faultOf(call: HistoryCall, { status, headers, body }: AnswerMeasure): string | null {
  if (isLost(call.status)) return "no gateway responded";
  const bodyText = JSON.stringify(call.body);
  if (status !== null && call.status !== status) return `status is ${call.status} with ${bodyText}`;
  for (const [name, wanted] of Object.entries(headers)) {
    const value = headerIn(call, name);
    if (!isAs(value, wanted)) return `${name} is ${value ?? "absent"}`;
  }
  return body === null || isPartOf(body, call.body) ? null : `the body is ${bodyText}`;
}

const describeCall = (call: HistoryCall, { headers }: AnswerMeasure): string =>
  [
    formatStatus(call.status),
    ...Object.keys(headers).map((name) => `${name}: ${headerIn(call, name) ?? "absent"}`),
  ].join(", ");
