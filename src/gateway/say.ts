// What a gateway tells of its decisions: an event is made only where somebody listens.
import { budgetName } from "../core/budget.ts";
import type { Decision, LimiterEvent } from "../core/decision.ts";
import type { Micros } from "../core/units.ts";
import type { Gateway } from "./gateway.ts";
import type { Outcome } from "./outcome.ts";

/** EVT-1: once for each change of A, also for those that come with a write behind the answer. */
export function sayChanges(
  gateway: Gateway,
  { api, session, client, path }: Outcome,
  changes: Decision["changes"],
): void {
  for (const { level, change } of changes) {
    gateway.limiter.emit?.({
      event: change.event,
      stampUs: change.atUs,
      key: session?.key.id ?? null,
      api: api?.id ?? null,
      budget: budgetName(level.budget, client),
      value: change.allowance,
      path,
    });
  }
}

export function sayExceeded(
  gateway: Gateway,
  { api, session, client, path }: Outcome,
  { refused, level }: Decision,
  nowUs: Micros,
): void {
  const event: LimiterEvent["event"] = refused === "quota" ? "QuotaExceeded" : "RatelimitExceeded";
  const budget = level === null ? null : budgetName(level.budget, client);
  gateway.limiter.emit?.({
    event,
    stampUs: nowUs,
    key: session?.key.id ?? null,
    api: api?.id ?? null,
    budget,
    value: null,
    path,
  });
}
