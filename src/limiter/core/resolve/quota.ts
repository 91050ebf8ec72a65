import { BECAUSE } from "../because.ts";
import type { Budget, Scope } from "../budget.ts";
import type { Quota } from "../config.ts";

/** The requests that a quota counts: all of a key, those to one API, or those to the APIs of one policy (LIM-C6). */
export interface QuotaSubject {
  readonly scope: Extract<Scope, "quota" | "quota-api">;
  readonly id: string; // the API or the policy, "" for the key
  readonly because: readonly string[];
}

export const BY_KEY: QuotaSubject = { scope: "quota", id: "", because: BECAUSE.quota };

/**
 * A quota is a budget that counts admitted requests only; its period starts with the first of them, as in a fixed
 * window (LIM-C9).
 */
export const quotaBudget = (quota: Quota | null, subject: QuotaSubject = BY_KEY): Budget | null =>
  quota === null || quota.max <= 0
    ? null
    : {
        space: `${subject.scope}/${subject.id}${subject.id === "" ? "" : "/"}${quota.renewalUs}us`,
        scope: subject.scope,
        limit: { rate: quota.max, perUs: quota.renewalUs, smoothing: null },
        because: subject.because,
      };
