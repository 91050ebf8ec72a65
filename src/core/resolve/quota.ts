import { BECAUSE } from "../because.ts";
import type { Budget } from "../budget.ts";
import type { Quota } from "../config.ts";

/**
 * A quota is a budget like the others (LIM-C9): only admitted requests count, and its period starts
 * with the first, which is what a fixed window does.
 */
export const quotaBudget = (quota: Quota | null): Budget | null =>
  quota === null || quota.max <= 0
    ? null
    : {
        space: `quota/${quota.renewalUs}us`,
        scope: "quota",
        limit: { rate: quota.max, perUs: quota.renewalUs, smoothing: null },
        because: BECAUSE.quota,
      };
