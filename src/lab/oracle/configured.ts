// The configuration as the oracle reads it from the text of a world (reader.ts), without the core's own reader.
import type { SpecifiedAlgorithm } from "../../limiter/spec/by-algorithm.ts";
import type { Micros } from "../../kit/units.ts";
import type { Json } from "../../kit/reading/shape.ts";

export interface OracleSmoothing {
  readonly threshold: number;
  readonly step: number;
  readonly trigger: number;
  readonly delayUs: Micros;
}

/** A limit that is set: not 0 per 0 (LIM-10), and no shadow (LIM-C13). A rate of -1 is unlimited, 0 admits nothing. */
export interface OracleLimit {
  readonly rate: number;
  readonly perUs: Micros;
  readonly smoothing: OracleSmoothing | null;
}

export interface OracleQuota {
  readonly max: number; // -1 if unlimited
  readonly renewalUs: Micros; // infinity: the quota never renews
}

/** The strings between the wildcards of a path. `text` names the budget (EPT-C6). */
export interface OraclePathPattern {
  readonly text: string;
  readonly pieces: readonly string[];
}

export interface OracleEndpointLimit {
  readonly method: string; // in upper case
  readonly pattern: OraclePathPattern;
  readonly limit: OracleLimit;
}

/** What identifies a client (LIM-C17). The name of a header is in lower case. */
export type OracleKeyBy = "credential" | "ip" | { readonly header: string };

export interface OracleApi {
  readonly id: string;
  readonly listenPath: string; // without a final slash, except "/"
  readonly active: boolean;
  readonly keyless: boolean;
  readonly disableRateLimit: boolean;
  readonly globalRateLimit: OracleLimit | null;
  readonly endpoints: readonly OracleEndpointLimit[]; // in the order in which they are tried
  readonly keyBy: OracleKeyBy | null; // null: the gateway options decide
}

export interface OracleAccessRight {
  readonly limit: OracleLimit | null;
  readonly quota: OracleQuota | null; // for this API alone (LIM-C9)
  readonly isThrottled: boolean;
  readonly endpoints: readonly OracleEndpointLimit[];
  readonly isUnenforced: boolean; // whether it has restrictions that the gateway does not enforce (MGT-C8)
}

interface Allotment {
  readonly id: string;
  readonly limit: OracleLimit | null;
  readonly quota: OracleQuota | null;
  readonly isThrottled: boolean;
  readonly isInactive: boolean;
  readonly isUnenforced: boolean;
  readonly metaData: OracleMetaData;
}

export type OracleMetaData = { readonly [name: string]: Json };

export const PARTS = ["acl", "rate_limit", "quota"] as const;

export interface OraclePolicy extends Allotment {
  readonly accessRights: ReadonlyMap<string, OracleAccessRight>;
  /** The parts of a key that the policy supplies (LIM-C14). */
  readonly supplies: ReadonlySet<(typeof PARTS)[number]>;
  readonly isPerApi: boolean;
}

export interface OracleKey extends Allotment {
  readonly applyPolicies: readonly string[];
  readonly accessRights: ReadonlyMap<string, OracleAccessRight>;
  readonly expiresUs: number; // infinity: never expires
}

/** Which other spellings of a path or a method mean the same endpoint (EPT-C7). */
interface Sameness {
  readonly letterCase: boolean;
  readonly trailingSlash: boolean;
  readonly pathParameters: boolean;
  readonly head: boolean;
}

export interface OracleOptions {
  readonly algorithm: SpecifiedAlgorithm | null;
  readonly enableFixedWindowRateLimiter: boolean;
  readonly enableSentinelRateLimiter: boolean;
  readonly enableNonTransactionalRateLimiter: boolean;
  readonly drlThreshold: number;
  readonly fixedWindowStart: "first_request" | "clock";
  readonly sentinelMark: "sliding" | "fixed";
  readonly burst: number | "rate";
  readonly queue: number | "rate";
  readonly limitOrder: "api_first" | "key_first";
  readonly policyBudgets: "merged" | "apart";
  readonly storeTimeoutUs: Micros;
  readonly onStoreError: "local" | "allow" | "deny";
  readonly rateLimitHeaders: "legacy" | "ietf" | "both" | "off";
  readonly normalizePath: boolean;
  readonly sameness: Sameness;
  readonly keyBy: OracleKeyBy;
  readonly ipv6Prefix: number;
  readonly costHeader: string | null; // in lower case (LIM-C19)
  readonly imitates: boolean; // whether the gateway imitates a foreign limiter, which no requirement describes
}

export interface OracleConfiguration {
  readonly apis: ReadonlyMap<string, OracleApi>; // by id
  readonly policies: ReadonlyMap<string, OraclePolicy>; // by id
  readonly keys: ReadonlyMap<string, OracleKey>; // by credential
  readonly credentials: ReadonlyMap<string, readonly string[]>; // by the name in the world's text
  readonly options: OracleOptions;
}
