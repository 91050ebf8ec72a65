import { BECAUSE } from "../because.ts";
import type { Budget, Scope } from "../budget.ts";
import type { Quota } from "../config.ts";

/** What a quota counts: all that a key does, what it does at one API, or at the APIs of one policy (LIM-C6). */
export interface Counted {
  readonly scope: Extract<Scope, "quota" | "quota-api">;
  readonly what: string; // the API or the policy, "" for the key
  readonly because: readonly string[];
}

export const BY_KEY: Counted = { scope: "quota", what: "", because: BECAUSE.quota };

/**
 * A quota is a budget like the others (LIM-C9): only admitted requests count, and its period starts
 * with the first, which is what a fixed window does.
 */
export const quotaBudget = (quota: Quota | null, counted: Counted = BY_KEY): Budget | null =>
  quota === null || quota.max <= 0
    ? null
    : {
        space: `${counted.scope}/${counted.what}${counted.what === "" ? "" : "/"}${quota.renewalUs}us`,
        scope: counted.scope,
        limit: { rate: quota.max, perUs: quota.renewalUs, smoothing: null },
        because: counted.because,
      };
