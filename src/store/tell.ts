// What clients are told of their budgets (HDR-C2), after the decision.
import { isTighter, type Reply } from "../core/store.ts";
import type { Micros } from "../core/units.ts";
import type { Bound } from "./counting.ts";

/** Shows this budget as it stands, if it is the tightest so far. */
export function tell(one: Bound, index: number, atUs: Micros, reply: Reply): void {
  const { counting, isQuota } = one;
  const left = counting.left(one, atUs);
  const mayBeShown = !isQuota && (reply.shown < 0 || left <= reply.remaining);
  const resetUs = !mayBeShown
    ? 0
    : left > 0
      ? counting.fullUs(one, atUs)
      : atUs + counting.nextWait(one, atUs);
  tellLeft(one, index, left, resetUs, atUs, reply);
}

/** The same, where it is known what is left. */
export function tellLeft(
  one: Bound,
  index: number,
  left: number,
  resetUs: number,
  atUs: Micros,
  reply: Reply,
): void {
  const limit = one.counting.limit(one, atUs);
  if (one.level.rule !== null) reply.allowance = limit;
  offer(one, index, limit, left, resetUs, reply);
}

/** The same for a budget that is not smoothed: its limit is always one. */
export function offer(
  one: Bound,
  index: number,
  limit: number,
  left: number,
  resetUs: number,
  reply: Reply,
): void {
  if (one.isQuota) tellQuota(one, left, reply);
  else if (isTighter(reply, left, resetUs)) show(reply, index, limit, left, resetUs);
}

/** Who refused is shown, whatever the others have left. A quota is not shown at all. */
export function showRefusal(
  one: Bound,
  index: number,
  resetUs: number,
  atUs: Micros,
  reply: Reply,
): void {
  const limit = one.counting.limit(one, atUs);
  if (one.level.rule !== null) reply.allowance = limit;
  if (one.isQuota) tellQuota(one, 0, reply);
  else show(reply, index, limit, 0, resetUs);
}

function tellQuota({ isQuotaAtApi }: Bound, left: number, reply: Reply): void {
  if (isQuotaAtApi) reply.quotaAtApiLeft = left;
  else reply.quotaLeft = left;
}

function show(reply: Reply, index: number, limit: number, left: number, resetUs: number): void {
  reply.shown = index;
  reply.limit = limit;
  reply.remaining = left;
  reply.resetUs = resetUs;
}
