// Chooses the budget that response headers show (HDR-C2), after the decision.
import { isTighter, type Reply } from "../core/store.ts";
import type { Micros } from "../../kit/units.ts";
import type { BoundLevel } from "./counting.ts";

/** Shows the present state of this budget, if it is the tightest so far. */
export function showBudget(bound: BoundLevel, index: number, atUs: Micros, reply: Reply): void {
  const { counting, isQuota } = bound;
  const left = counting.remaining(bound, atUs);
  const mayBeShown = !isQuota && (reply.shown < 0 || left <= reply.remaining);
  const resetUs = !mayBeShown
    ? 0
    : left > 0
      ? counting.fullUs(bound, atUs)
      : atUs + counting.nextWait(bound, atUs);
  showRemaining(bound, index, left, resetUs, atUs, reply);
}

/** Like `showBudget`, for a caller that has already computed what remains. */
export function showRemaining(
  bound: BoundLevel,
  index: number,
  left: number,
  resetUs: number,
  atUs: Micros,
  reply: Reply,
): void {
  const limit = bound.counting.limit(bound, atUs);
  if (bound.level.rule !== null) reply.allowance = limit;
  offer(bound, index, limit, left, resetUs, reply);
}

/** Like `showRemaining`, for a caller that also knows the limit, because the budget is not smoothed. */
export function offer(
  bound: BoundLevel,
  index: number,
  limit: number,
  left: number,
  resetUs: number,
  reply: Reply,
): void {
  if (bound.isQuota) setQuotaLeft(bound, left, reply);
  else if (isTighter(reply, left, resetUs)) show(reply, index, limit, left, resetUs);
}

/** Shows the budget that refused, even if less remains of another budget. A quota has no headers. */
export function showRefusal(
  bound: BoundLevel,
  index: number,
  left: number,
  resetUs: number,
  atUs: Micros,
  reply: Reply,
): void {
  const limit = bound.counting.limit(bound, atUs);
  if (bound.level.rule !== null) reply.allowance = limit;
  if (bound.isQuota) setQuotaLeft(bound, left, reply);
  else show(reply, index, limit, left, resetUs);
}

function setQuotaLeft({ isQuotaAtApi }: BoundLevel, left: number, reply: Reply): void {
  if (isQuotaAtApi) reply.quotaAtApiLeft = left;
  else reply.quotaLeft = left;
}

function show(reply: Reply, index: number, limit: number, left: number, resetUs: number): void {
  reply.shown = index;
  reply.limit = limit;
  reply.remaining = left;
  reply.resetUs = resetUs;
}
