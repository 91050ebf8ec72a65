import type { Throttle } from "../limiter/core/config.ts";
import { throttleAt } from "../limiter/core/resolve/merge.ts";
import { SECOND } from "../kit/units.ts";
import type { RequestOutcome } from "./outcome.ts";

/** The throttling of a key at an API: how refused requests wait to be decided again; null: they do not wait. */
export function throttleOf({
  session,
  api,
}: Pick<RequestOutcome, "session" | "api">): Throttle | null {
  if (session === null || session.isPlain || api === null) return null;
  const { merged } = session.profile;
  const grant = merged.grants.get(api.id);
  return grant === undefined ? null : throttleAt(merged, grant);
}

const LONGEST_WAIT_US = 30 * SECOND;

/** Whether a request may be decided again after `retries` retries and `waitedUs` of waiting (LIM-C9). */
export const canTryAgain = (
  { intervalUs, retryLimit }: Throttle,
  retries: number,
  waitedUs: number,
): boolean => retries < retryLimit && waitedUs + intervalUs <= LONGEST_WAIT_US;
