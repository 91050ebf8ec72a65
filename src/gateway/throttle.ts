import type { Throttle } from "../core/config.ts";
import { throttleAt } from "../core/resolve/merge.ts";
import { SECOND } from "../core/units.ts";
import type { Outcome } from "./outcome.ts";

/** How the requests of a key at an API wait: refused for now, they sleep and are judged again. Null: they do not. */
export function throttleOf({ session, api }: Pick<Outcome, "session" | "api">): Throttle | null {
  if (session === null || session.isPlain || api === null) return null;
  const { merged } = session.profile;
  const grant = merged.grants.get(api.id);
  return grant === undefined ? null : throttleAt(merged, grant);
}

const LONGEST_WAIT_US = 30 * SECOND;

/** Whether another look still lies within the times and the time that a request may wait (LIM-C9). */
export const mayLookAgain = (
  { intervalUs, retryLimit }: Throttle,
  retries: number,
  waitedUs: number,
): boolean => retries < retryLimit && waitedUs + intervalUs <= LONGEST_WAIT_US;
