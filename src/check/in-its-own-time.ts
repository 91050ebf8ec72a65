// In real time no request comes exactly when it was planned. An expectation that is written for the planned
// times and is not met says nothing of the gateway, as long as every decision is what the text allows at the
// times at which it really fell: then it is inconclusive. What holds at any times, such as a bound from above,
// is never taken back.
import { formatDuration, micros, SECOND, type Micros } from "../core/units.ts";
import { worldOf } from "../oracle/world.ts";
import { REASONS, type History } from "../scenario/history.ts";
import { globMatches } from "../scenario/read/names.ts";
import type { Filter, Measure } from "../scenario/types.ts";
import { brokenBounds, brokenRefusals } from "./budget-rules.ts";
import { agreement } from "./decisions.ts";
import type { Finding } from "./outcome.ts";
import { wrongIn, type WrongHeader } from "./response.ts";
import type { Subject } from "./subject.ts";

const EVERYTHING: Filter = {
  flow: null,
  as: null,
  api: null,
  endpoint: null,
  status: null,
  stage: null,
  during: null,
  from: null,
  gateway: null,
};

export function inItsOwnTime(found: Finding, measure: Measure, subject: Subject): Finding {
  const { timing } = subject.history.header;
  if (timing.kind === "exact" || (found.outcome !== "fail" && found.outcome !== "vacuous"))
    return found;
  const { jitterUs } = timing;
  if (!dependsOnThePlan(found, measure, subject, jitterUs) || !isAllowed(subject)) return found;
  return late(found, jitterUs);
}

const late = (found: Finding, lateUs: Micros): Finding => ({
  ...found,
  outcome: "inconclusive",
  observed: `${found.observed}; requests came up to ${formatDuration(lateUs)} late, and each was decided as the specification allows at its own time`,
});

/** The same where one run is held against another: both have times of their own. */
export function inTheirOwnTimes(found: Finding, runs: readonly Subject[]): Finding {
  const lateUs = runs.map(({ history: { header } }) =>
    header.timing.kind === "exact" ? 0 : header.timing.jitterUs,
  );
  const mayDiffer = found.outcome === "fail" && lateUs.some((us) => us > 0);
  return mayDiffer && runs.every(isAllowed) ? late(found, micros(Math.max(...lateUs))) : found;
}

/** Could other times alone have made the difference? */
function dependsOnThePlan(
  found: Finding,
  measure: Measure,
  subject: Subject,
  lateUs: Micros,
): boolean {
  switch (measure.kind) {
    case "sequence":
      return measure.agreeWith === null;
    case "count":
    case "timeToAdmission":
    case "gaveUp":
    case "sameAs":
      return true;
    case "response": {
      const wrong = wrongIn(measure, subject.history);
      return wrong !== "body" && wrong.every((header) => mayBeLate(header, lateUs));
    }
    case "maxInAnyWindow": // more than may be is wrong whenever it came
      return measure.comparison.op !== "atMost" && found.examined > 0;
    case "events":
      return isToldRightly(measure.event, measure.key, subject.history);
    case "gapBetween":
      return measure.comparison.op === "equals";
    case "gauge":
    case "changeOf":
    case "decisions":
    case "quantity":
    case "answer":
    case "deliveries":
    case "configuration":
    case "invariant":
      return false;
  }
}

/** A header that tells a time moves with the requests, though by no more than they came late. */
function mayBeLate({ name, wanted, got }: WrongHeader, lateUs: Micros): boolean {
  const [[shown, seconds], [asked, wantedS]] = [secondsIn(name, got), secondsIn(name, wanted)];
  return shown === asked && Math.abs(seconds - wantedS) <= Math.ceil(lateUs / SECOND);
}

/** What a header says besides a time, and the time; NaN where it tells none. */
function secondsIn(
  name: string,
  value: WrongHeader["got"],
): readonly [rest: string, seconds: number] {
  const text = String(value);
  if (name === "retry-after" || name === "x-ratelimit-reset")
    return ["", value === null ? Number.NaN : Number(value)];
  const [whole, seconds] = /;t=(\d+)$/.exec(text) ?? [];
  return [text.slice(0, text.length - (whole?.length ?? 0)), Number(seconds ?? Number.NaN)];
}

const TOLD = { RatelimitExceeded: "rate", QuotaExceeded: "quota" } as const;

/** Steps of an allowance are the oracle's; refusals are told once for each that a client saw. */
function isToldRightly(event: string, key: string | null, history: History): boolean {
  const { requests, header, events } = history;
  return Object.entries(TOLD).every(([name, reason]) => {
    if (!globMatches(event, name)) return true;
    const isAbout = (row: number): boolean =>
      REASONS[requests.reason[row]!] === reason &&
      (key === null || header.keys[requests.key[row]!] === key);
    const refused = Array.from(requests.reason, (_, row) => row).filter(isAbout).length;
    const told = events.filter((one) => one.event === name && (key === null || one.key === key));
    return told.length === refused;
  });
}

/** Whatever was planned: was everything decided as it may be at the times at which it fell? */
export function isAllowed(subject: Subject): boolean {
  const { history, variant } = subject;
  const world = worldOf(variant, history);
  if (world === null || agreement(subject, EVERYTHING).outcome === "fail") return false;
  return [brokenBounds(history, world), brokenRefusals(history, world)].every(({ broken }) =>
    broken.every(({ isCertain }) => !isCertain),
  );
}
