// What is configured, as the oracle reads it from the text of a world (reader.ts): the core's own reading plays no part.
import type { SpecifiedAlgorithm } from "../spec/by-algorithm.ts";
import type { Micros } from "../core/units.ts";
import type { Json } from "../reading/shape.ts";

export interface Smoothing {
  readonly threshold: number;
  readonly step: number;
  readonly trigger: number;
  readonly delayUs: Micros;
}

/** One that is there: 0/0 and shadows are none (LIM-10, LIM-C13). -1 is unlimited, 0 admits nothing. */
export interface Limit {
  readonly rate: number;
  readonly perUs: Micros;
  readonly smoothing: Smoothing | null;
}

export interface Quota {
  readonly max: number; // -1: unlimited
  readonly renewalUs: Micros; // infinity: never
}

/** The texts between the wildcards of a path; one where there is none. `text` names what is counted (EPT-C6). */
export interface Pattern {
  readonly text: string;
  readonly pieces: readonly string[];
}

export interface EndpointLimit {
  readonly method: string; // in capitals
  readonly pattern: Pattern;
  readonly limit: Limit;
}

/** LIM-C17. A header's name in small letters. */
export type KeyBy = "credential" | "ip" | { readonly header: string };

export interface ApiDefinition {
  readonly id: string;
  readonly listenPath: string; // without a slash at its end, but for "/"
  readonly active: boolean;
  readonly keyless: boolean;
  readonly disableRateLimit: boolean;
  readonly globalRateLimit: Limit | null;
  readonly endpoints: readonly EndpointLimit[]; // in the order in which they are tried
  readonly keyBy: KeyBy | null; // null: as the gateway says
}

export interface AccessRight {
  readonly limit: Limit | null;
  readonly quota: Quota | null; // of this API alone (LIM-C9)
  readonly isThrottled: boolean;
  readonly endpoints: readonly EndpointLimit[];
  readonly isUnenforced: boolean; // it restricts in ways that no gateway of this kind enforces (MGT-C8)
}

interface Allotment {
  readonly id: string;
  readonly limit: Limit | null;
  readonly quota: Quota | null;
  readonly isThrottled: boolean;
  readonly isInactive: boolean;
  readonly isUnenforced: boolean;
  readonly metaData: MetaData;
}

export type MetaData = { readonly [name: string]: Json };

export const PARTS = ["acl", "rate_limit", "quota"] as const;

export interface Policy extends Allotment {
  readonly accessRights: ReadonlyMap<string, AccessRight>;
  /** What it brings (LIM-C14). */
  readonly supplies: ReadonlySet<(typeof PARTS)[number]>;
  readonly isPerApi: boolean;
}

export interface Key extends Allotment {
  readonly applyPolicies: readonly string[];
  readonly accessRights: ReadonlyMap<string, AccessRight>;
  readonly expiresUs: number; // infinity: never
}

/** Which other spellings of a path or a method mean the same endpoint (EPT-C7). */
export interface Sameness {
  readonly letterCase: boolean;
  readonly trailingSlash: boolean;
  readonly pathParameters: boolean;
  readonly head: boolean;
}

export interface GatewayOptions {
  readonly algorithm: SpecifiedAlgorithm | null;
  readonly enableFixedWindowRateLimiter: boolean;
  readonly enableSentinelRateLimiter: boolean;
  readonly enableNonTransactionalRateLimiter: boolean;
  readonly drlThreshold: number;
  readonly fixedWindowStart: "first_request" | "clock";
  readonly sentinelMark: "sliding" | "fixed";
  readonly burst: number | "rate";
  readonly limitOrder: "api_first" | "key_first";
  readonly policyBudgets: "merged" | "apart";
  readonly storeTimeoutUs: Micros;
  readonly onStoreError: "local" | "allow" | "deny";
  readonly rateLimitHeaders: "legacy" | "ietf" | "both" | "off";
  readonly normalizePath: boolean;
  readonly sameness: Sameness;
  readonly keyBy: KeyBy;
  readonly ipv6Prefix: number;
}

export interface Configuration {
  readonly apis: ReadonlyMap<string, ApiDefinition>; // by id
  readonly policies: ReadonlyMap<string, Policy>; // by id
  readonly keys: ReadonlyMap<string, Key>; // by what they show
  readonly credentials: ReadonlyMap<string, readonly string[]>; // by the name in the text
  readonly options: GatewayOptions;
}
