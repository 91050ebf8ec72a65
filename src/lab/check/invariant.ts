// Rules that hold in every run, with any configuration and any clients. None of them needs the expected response to a
// request, which the oracle computes.
import { formatDuration, micros } from "../../kit/units.ts";
import { whyNoOracle, worldOf, type OracleWorld } from "../oracle/world.ts";
import { isLost, REASONS, type History } from "../scenario/history.ts";
import { many } from "../../kit/reading/legible.ts";
import { plan } from "../scenario/plan/plan.ts";
import type { Invariant, Measure } from "../scenario/types.ts";
import { checkAllowances, checkAllowanceChanges } from "./allowance-rules.ts";
import type { Violation, RuleCheck } from "./rule-check.ts";
import { finding, errorFinding, type Finding } from "./outcome.ts";
import { answerTo, groupLosses } from "./rejections.ts";
import { requestLabeller } from "./request-names.ts";
import type { CheckSubject } from "./subject.ts";

export const HOLDS: Readonly<Record<Invariant, string>> = {
  requests: "each planned request is in the history, with its response or as lost",
  responses: "every request gets a response",
  bounds: "no budget admits more in any window than its algorithm may",
  refusals: "no budget refuses before it has met as many as it allows",
  allowance: "every allowance is between threshold and rate",
  changes: "every allowance moves by one step and one event at a time",
  "retry-after": "every Retry-After is at least one second",
};

export function checkInvariant(
  { rule }: Extract<Measure, { kind: "invariant" }>,
  subject: CheckSubject,
): Finding {
  const { variant, history } = subject;
  if (variant.world.configuration === null) return errorFinding(whyNoOracle(variant)!, HOLDS[rule]);
  const world = worldOf(variant, history);
  const byOracle = (check: (history: History, world: OracleWorld) => RuleCheck): RuleCheck | null =>
    world === null ? null : check(history, world);
  const checked = {
    requests: () => checkRequests(subject),
    responses: () => checkResponses(subject),
    bounds: subject.bounds,
    refusals: subject.refusals,
    allowance: () => byOracle(checkAllowances),
    changes: () => byOracle(checkAllowanceChanges),
    "retry-after": () => checkRetryAfter(subject),
  }[rule]();
  if (checked === null) return errorFinding(whyNoOracle(variant)!, HOLDS[rule]);
  const { examined, violations } = checked;
  const first = violations.find(({ isCertain }) => isCertain) ?? violations[0];
  if (first === undefined)
    return finding(
      examined === 0 ? "vacuous" : "pass",
      `${examined} looked at`,
      HOLDS[rule],
      examined,
    );
  const rows = violations.flatMap(({ row }) => row ?? []);
  const more = violations.length > 1 ? `, and ${violations.length - 1} more` : "";
  const observed = `${first.text}${more}`;
  return finding(first.isCertain ? "fail" : "inconclusive", observed, HOLDS[rule], examined, rows);
}

function checkResponses({ history }: CheckSubject): RuleCheck {
  const called = requestLabeller(history);
  const violations = groupLosses(history).map(({ cause, rows }): Violation => {
    const more = rows.length > 1 ? ` and ${many(rows.length - 1, "other")}` : "";
    const text = `${called(rows[0])}${more} got no response: ${cause}`;
    return { row: rows[0], text, isCertain: true };
  });
  return { examined: history.requests.length, violations };
}

function checkRequests({ variant, history }: CheckSubject): RuleCheck {
  const { header, requests } = history;
  const called = requestLabeller(history);
  const planned = plan(variant, header.scenario, header.seed).atUs.length;
  const violations: Violation[] = [];
  let first = 0;
  for (let row = 0; row < requests.length; row++) {
    first += Number(requests.attempt[row] === 0);
    const sent = requests.sentUs[row]!;
    const fromUs = requests.fromUs[row]!;
    const times = [sent, fromUs, requests.toUs[row]!, requests.answeredUs[row]!];
    const delayUs = requests.delayUs[row]!;
    if (delayUs > 0 && requests.answeredUs[row]! < fromUs + delayUs)
      violations.push({
        row,
        text: `${called(row)} leaves before its delay ends`,
        isCertain: true,
      });
    if (isLost(requests.status[row]!) !== (answerTo(requests, row) === "lost"))
      violations.push({
        row,
        text: `${called(row)} has the status ${requests.status[row]} and the reason ${REASONS[requests.reason[row]!]}`,
        isCertain: true,
      });
    if (times.some((us, index) => us < (times[index - 1] ?? us)))
      violations.push({
        row,
        text: `${called(row)} is answered before it is sent or decided: ${times.map((us) => formatDuration(micros(us))).join(", ")}`,
        isCertain: true,
      });
  }
  if (first !== planned)
    violations.push({
      row: null,
      text: `${many(planned, "request")} ${planned === 1 ? "is" : "are"} planned, and the history has ${first}`,
      isCertain: true,
    });
  return { examined: planned, violations };
}

/** HDR-C1: Retry-After is an integer of at least one second, and only in responses with a status from 400 up. */
function checkRetryAfter({ history }: CheckSubject): RuleCheck {
  const { requests } = history;
  const called = requestLabeller(history);
  const violations: Violation[] = [];
  let examined = 0;
  for (let row = 0; row < requests.length; row++) {
    const seconds = requests.retryAfterS[row]!;
    if (Number.isNaN(seconds)) continue;
    examined += 1;
    const status = requests.status[row]!;
    if (Number.isSafeInteger(seconds) && seconds >= 1 && status >= 400) continue;
    const text = `${called(row)} is answered ${status} with Retry-After ${seconds}`;
    violations.push({ row, text, isCertain: true });
  }
  return { examined, violations };
}
