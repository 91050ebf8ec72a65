import type { HistoryCall, History } from "../scenario/history.ts";
import { many } from "../reading/legible.ts";
import type { Measure } from "../scenario/types.ts";
import { finding, open, openWhereLost, type Finding } from "./outcome.ts";
import { isPartOf } from "./part-of.ts";
import { inWords, isAs } from "./response.ts";
import type { Subject } from "./subject.ts";

type AnswerMeasure = Extract<Measure, { kind: "answer" }>;

/** Evidence is a row of the requests, and calls are none: what is observed says which one is meant. */
export function checkAnswer(measure: AnswerMeasure, { history }: Subject): Finding {
  const found = looked(measure, history, inWords(measure));
  return found.outcome === "fail" && measure.nth !== "all" && history.unanswered > 0
    ? open(found, history.unanswered)
    : openWhereLost(found, history);
}

function looked(measure: AnswerMeasure, history: History, expected: string): Finding {
  const { nth } = measure;
  const calls = history.calls.filter(({ call }) => measure.call.includes(call));
  if (calls.length === 0) return finding("vacuous", "no answer", expected, 0);
  const meant = nth === "all" ? calls : calls.slice(nth === "last" ? -1 : nth).slice(0, 1);
  const [first] = meant;
  if (first === undefined)
    return finding("fail", `only ${many(calls.length, "answer")}`, expected, calls.length);
  const wrong = meant.find((each) => faultOf(each, measure) !== null);
  return wrong === undefined
    ? finding("pass", described(first, measure), expected, meant.length)
    : finding(
        "fail",
        `${described(wrong, measure)} to ${wrong.call}: ${faultOf(wrong, measure)}`,
        expected,
        meant.length,
      );
}

const headerOf = ({ headers }: HistoryCall, name: string): string | null =>
  headers[name.toLowerCase()] ?? null;

function faultOf(made: HistoryCall, { status, headers, body }: AnswerMeasure): string | null {
  const said = JSON.stringify(made.body);
  if (status !== null && made.status !== status) return `status is ${made.status} with ${said}`;
  for (const [name, wanted] of Object.entries(headers)) {
    const value = headerOf(made, name);
    if (!isAs(value, wanted)) return `${name} is ${value ?? "absent"}`;
  }
  return body === null || isPartOf(body, made.body) ? null : `the body is ${said}`;
}

const described = (made: HistoryCall, { headers }: AnswerMeasure): string =>
  [
    String(made.status),
    ...Object.keys(headers).map((name) => `${name}: ${headerOf(made, name) ?? "absent"}`),
  ].join(", ");
