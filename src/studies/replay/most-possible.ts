// The most that an algorithm can admit in any window, whatever its clients send (LIM-C11).
import { specCalled } from "../../limiter/spec/by-algorithm.ts";
import type { LimitSize } from "./candidates.ts";
import { FREE_LOG } from "./choices.ts";

/** Null for an algorithm that requests which overlap can exceed. */
export function mostPossible(
  limit: LimitSize,
  { algorithm, burst }: { readonly algorithm: string; readonly burst: number | "rate" },
  gateways: number,
): number | null {
  const spec = specCalled(algorithm === FREE_LOG ? "sliding_log" : algorithm);
  if (spec === undefined || spec.overshootsBy !== null) return null;
  const { most } = spec.mostInWindow({
    ...limit,
    gateways,
    burst,
    queue: "rate",
    fixedWindowStart: "first_request",
  });
  return most * (spec.countedBy === "gateway" ? gateways : 1);
}
