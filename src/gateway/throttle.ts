import type { Throttle } from "../limiter/core/config.ts";
import { throttleAt } from "../limiter/core/resolve/merge.ts";
import { SECOND } from "../kit/units.ts";
import type { RequestOutcome } from "./outcome.ts";

/** How the requests of a key at an API wait: a refused one sleeps and is decided again. Null: they do not wait. */
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

/** Whether a request may try again, by the number of tries and the time that it may wait (LIM-C9). */
export const canTryAgain = (
  { intervalUs, retryLimit }: Throttle,
  retries: number,
  waitedUs: number,
): boolean => retries < retryLimit && waitedUs + intervalUs <= LONGEST_WAIT_US;
