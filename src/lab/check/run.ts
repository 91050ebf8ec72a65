// Evaluates expectations: one checker for each measure.
import { NEVER } from "../../kit/units.ts";
import type { History } from "../scenario/history.ts";
import type { Expectation, Measure, Variant } from "../scenario/types.ts";
import type { Verdict } from "../scenario/verdict.ts";
import { isAcross } from "./across.ts";
import { checkAnswer } from "./answer.ts";
import { checkGaveUp, checkTimeToAdmission } from "./attempts.ts";
import { checkChangeOf } from "./change-of.ts";
import { checkConfiguration } from "./configuration.ts";
import { checkCount } from "./count.ts";
import { agreement } from "./decisions.ts";
import { nameDefaultClaim } from "./default-claim.ts";
import { checkDeliveries } from "./deliveries.ts";
import { checkEvents } from "./events.ts";
import { checkGapBetween } from "./gap-between.ts";
import { checkGauge } from "./gauge.ts";
import { checkInvariant } from "./invariant.ts";
import { checkMaxInAnyWindow } from "./max-in-any-window.ts";
import { allowForLateRequests } from "./in-its-own-time.ts";
import type { Finding } from "./outcome.ts";
import { vacuousIfRejected } from "./rejections.ts";
import { checkQuantity } from "./quantity.ts";
import { checkResponse } from "./response.ts";
import { checkSequence } from "./sequence.ts";
import { subjectOf, type CheckSubject } from "./subject.ts";

/** The verdicts on all expectations of one variant, except those that need the other variants (see across.ts). */
export const checkVariant = (variant: Variant, history: History): Verdict[] =>
  checkSubject(subjectOf({ variant, history }));

export const checkSubject = (subject: CheckSubject): Verdict[] =>
  subject.variant.expectations
    .filter(({ measure }) => !isAcross(measure))
    .map((expectation) => verdictOf(expectation, evaluateMeasure(expectation.measure, subject)));

/** Tries the clocks that the gateway may have until a result does not fail. If all fail, returns the first result. */
function evaluateMeasure(measure: Measure, subject: CheckSubject): Finding {
  const [first, ...others] = subject.byClock();
  const result = evaluateByClock(measure, first!);
  if (result.outcome !== "fail") return result;
  for (const other of others) {
    const byOther = evaluateByClock(measure, other);
    if (byOther.outcome !== "fail") return byOther;
  }
  return nameDefaultClaim(result, measure, subject);
}

function evaluateByClock(measure: Measure, subject: CheckSubject): Finding {
  const result = check(measure, subject);
  const rejected = vacuousIfRejected(result, measure, subject.history);
  if (rejected === null) return allowForLateRequests(result, measure, subject);
  // If nothing changes during the run, rejected requests would be rejected at any other time too.
  return hasChanges(subject) ? allowForLateRequests(rejected, measure, subject) : rejected;
}

const hasChanges = ({ variant: { calls, faults, world } }: CheckSubject): boolean =>
  calls.length > 0 ||
  faults.length > 0 ||
  [...(world.configuration?.keys.values() ?? [])].some(({ expiresUs }) => expiresUs !== NEVER);

const verdictOf = ({ id, line, proves }: Expectation, result: Finding): Verdict => ({
  expectation: id,
  line,
  proves,
  ...result,
});

function check(measure: Measure, subject: CheckSubject): Finding {
  switch (measure.kind) {
    case "sequence":
      return checkSequence(measure, subject);
    case "decisions":
      return agreement(subject, measure.filter, measure.open);
    case "count":
      return checkCount(measure, subject);
    case "maxInAnyWindow":
      return checkMaxInAnyWindow(measure, subject);
    case "timeToAdmission":
      return checkTimeToAdmission(measure, subject);
    case "gaveUp":
      return checkGaveUp(measure, subject);
    case "events":
      return checkEvents(measure, subject);
    case "gapBetween":
      return checkGapBetween(measure, subject);
    case "changeOf":
      return checkChangeOf(measure, subject);
    case "gauge":
      return checkGauge(measure, subject);
    case "quantity":
      return checkQuantity(measure, subject);
    case "response":
      return checkResponse(measure, subject);
    case "answer":
      return checkAnswer(measure, subject);
    case "deliveries":
      return checkDeliveries(measure, subject);
    case "configuration":
      return checkConfiguration(measure, subject);
    case "invariant":
      return checkInvariant(measure, subject);
    case "sameAs":
      throw new Error("sameAs looks at several variants: it belongs to checkAcross");
  }
}
