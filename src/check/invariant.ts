// What is true of every run, whatever is configured and whoever sends. None of it asks what the right
// answer to a request was; that is the oracle's.
import { formatDuration, micros } from "../core/units.ts";
import { worldOf } from "../oracle/world.ts";
import { plan } from "../scenario/plan/plan.ts";
import type { Invariant, Measure } from "../scenario/types.ts";
import { brokenAllowances, brokenChanges } from "./allowance-rules.ts";
import { brokenBounds, brokenRefusals } from "./budget-rules.ts";
import type { Broken, Looked } from "./looked.ts";
import { finding, unanswerable, type Finding } from "./outcome.ts";
import { requestsCalled } from "./request-names.ts";
import type { Subject } from "./subject.ts";

export const HOLDS: Readonly<Record<Invariant, string>> = {
  responses: "every request gets a response or is reported as lost",
  bounds: "no budget admits more in any window than its algorithm may",
  refusals: "no budget refuses before it has met as many as it allows",
  allowance: "every allowance lies between threshold and rate",
  changes: "every allowance moves by one step and one event at a time",
  "retry-after": "every Retry-After is at least one second",
};

export function checkInvariant(
  { rule }: Extract<Measure, { kind: "invariant" }>,
  subject: Subject,
): Finding {
  const { variant, history } = subject;
  const world = worldOf(variant, history);
  if (world === null)
    return unanswerable("the configuration has errors, so no gateway runs", HOLDS[rule]);
  const { examined, broken } = {
    responses: () => lostAnswers(subject),
    bounds: () => brokenBounds(history, world),
    refusals: () => brokenRefusals(history, world),
    allowance: () => brokenAllowances(history, world),
    changes: () => brokenChanges(history, world),
    "retry-after": () => wrongWaits(subject),
  }[rule]();
  const first = broken.find(({ isCertain }) => isCertain) ?? broken[0];
  if (first === undefined)
    return finding(
      examined === 0 ? "vacuous" : "pass",
      `${examined} looked at`,
      HOLDS[rule],
      examined,
    );
  const rows = broken.flatMap(({ row }) => row ?? []);
  const more = broken.length > 1 ? `, and ${broken.length - 1} more` : "";
  const observed = `${first.text}${more}`;
  return finding(first.isCertain ? "fail" : "inconclusive", observed, HOLDS[rule], examined, rows);
}

function lostAnswers({ variant, history }: Subject): Looked {
  const { header, requests, unanswered } = history;
  const called = requestsCalled(history);
  const planned = plan(variant, header.scenario, header.seed).atUs.length;
  const broken: Broken[] = [];
  let first = 0;
  for (let row = 0; row < requests.length; row++) {
    first += Number(requests.attempt[row] === 0);
    const sent = requests.sentUs[row]!;
    const fromUs = requests.fromUs[row]!;
    const inOrder = [sent, fromUs, requests.toUs[row]!, requests.answeredUs[row]!];
    const delayUs = requests.delayUs[row]!;
    if (delayUs > 0 && requests.answeredUs[row]! < fromUs + delayUs)
      broken.push({ row, text: `${called(row)} leaves before its turn`, isCertain: true });
    if (requests.status[row] === 0)
      broken.push({ row, text: `${called(row)} has no status`, isCertain: true });
    if (inOrder.some((us, index) => us < (inOrder[index - 1] ?? us)))
      broken.push({
        row,
        text: `${called(row)} is answered before it is sent or decided: ${inOrder.map((us) => formatDuration(micros(us))).join(", ")}`,
        isCertain: true,
      });
  }
  // Whoever comes back may get lost on a later attempt.
  const missing = planned - first;
  const comesBack = variant.traffic.some(({ behaviour }) => behaviour.kind !== "ignore");
  const holds = comesBack ? missing >= 0 && missing <= unanswered : missing === unanswered;
  if (!holds)
    broken.push({
      row: null,
      text: `${planned} requests are planned, ${first} answered and ${unanswered} told as lost`,
      isCertain: true,
    });
  return { examined: planned, broken };
}

/** HDR-C1: whole seconds, one at least, and only with a refusal that waiting helps. */
function wrongWaits({ history }: Subject): Looked {
  const { requests } = history;
  const called = requestsCalled(history);
  const broken: Broken[] = [];
  let examined = 0;
  for (let row = 0; row < requests.length; row++) {
    const seconds = requests.retryAfterS[row]!;
    if (Number.isNaN(seconds)) continue;
    examined += 1;
    const status = requests.status[row]!;
    if (Number.isSafeInteger(seconds) && seconds >= 1 && status >= 400) continue;
    const text = `${called(row)} is answered ${status} with Retry-After ${seconds}`;
    broken.push({ row, text, isCertain: true });
  }
  return { examined, broken };
}
