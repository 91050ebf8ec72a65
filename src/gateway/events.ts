// Emits the events about a gateway's decisions. An event is built only if there is a listener.
import { budgetName } from "../limiter/core/budget.ts";
import type { Client } from "../limiter/core/client.ts";
import type { Decision } from "../limiter/core/decision.ts";
import { limiterEvent, type EventSubject, type KEY_EVENTS } from "../limiter/core/events.ts";
import type { Session } from "../limiter/core/resolve/resolved.ts";
import type { Level } from "../limiter/core/store.ts";
import type { Micros } from "../kit/units.ts";
import type { Gateway } from "./gateway.ts";
import type { RequestOutcome } from "./outcome.ts";

type Subject = Pick<RequestOutcome, "session" | "api" | "path">;

const subjectOf = ({ session, api, path }: Subject): EventSubject => ({
  key: session?.key.id ?? null,
  api: api?.id ?? null,
  path,
});

/** EVT-1: one event for each change of an allowance, also for changes in the reply to a background write. */
export function emitChanges(
  { limiter }: Gateway,
  outcome: RequestOutcome,
  changes: Decision["changes"],
): void {
  for (const { level, change } of changes) {
    const budget = budgetName(level.budget, outcome.client);
    const fields = { budget, value: change.allowance };
    limiter.emit?.(limiterEvent(change.event, change.atUs, subjectOf(outcome), fields));
  }
}

export function emitExceeded(
  { limiter }: Gateway,
  outcome: RequestOutcome,
  { refused, level }: Decision,
  nowUs: Micros,
): void {
  const event = refused === "quota" ? "QuotaExceeded" : "RatelimitExceeded";
  const budget = level === null ? null : budgetName(level.budget, outcome.client);
  limiter.emit?.(limiterEvent(event, nowUs, subjectOf(outcome), { budget }));
}

export function emitShadowExceeded(
  { limiter }: Gateway,
  outcome: RequestOutcome,
  level: Level,
  client: Client,
  nowUs: Micros,
): void {
  const budget = budgetName(level.budget, client);
  limiter.emit?.(limiterEvent("ShadowLimitExceeded", nowUs, subjectOf(outcome), { budget }));
}

/** Emits one event for each name in `budgets`, but only once for each event, key and configuration. */
export function emitOfKey(
  { limiter, emitted }: Gateway,
  event: (typeof KEY_EVENTS)[number],
  subject: Subject & { readonly session: Session },
  nowUs: Micros,
  budgets: readonly string[],
): void {
  const name = `${event} ${subject.session.key.id}`;
  if (budgets.length === 0 || emitted.has(name)) return;
  emitted.add(name);
  for (const budget of budgets)
    limiter.emit?.(limiterEvent(event, nowUs, subjectOf(subject), { budget }));
}
