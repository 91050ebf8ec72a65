// The configuration as the gateway needs it: parsed, checked, complete. The readers of files and request bodies create
// these types; all other code receives them and parses no raw text.
import type { Algorithm } from "./algorithms.ts";
import type { Imitation } from "./imitation.ts";
import type { Limit } from "./limit.ts";
import type { Micros } from "../../kit/units.ts";

/**
 * A path pattern, split at its wildcards: `/a/{x}/b` is ["/a/", "/b"]. One piece is an exact path.
 * `text` is the pattern as written: it names the budget (EPT-C6).
 */
export interface PathPattern {
  readonly text: string;
  readonly pieces: readonly string[];
}

/** What the budgets of keys and of keyless APIs count by (LIM-C17). The name of a header is in lower case. */
export type KeyBy = "credential" | "ip" | { readonly header: string };

/** Limit of one path and method (EPT-1). The reader omits disabled and 0/0 entries (EPT-C2, LIM-C10). */
export interface EndpointLimit {
  readonly method: string; // upper case
  readonly pattern: PathPattern;
  readonly limit: Limit;
}

/** Which paths or methods are the same when endpoint entries are matched (EPT-C7). */
export type EndpointMatching = Readonly<Record<MatchingAspect, "exact" | "same">>;
export const MATCHING_ASPECTS = ["letterCase", "trailingSlash", "pathParameters", "head"] as const;
export type MatchingAspect = (typeof MATCHING_ASPECTS)[number];

/** The server that receives admitted requests. */
export interface Target {
  readonly origin: string; // "http://host:port", in lower case
  readonly path: string; // prefix of each request's path, without "/" at the end: "" is the root
}

/** One of several upstreams of an API. */
export interface WeightedTarget {
  readonly target: Target;
  readonly weight: number; // the target's share of requests is `weight`, divided by the sum of all weights
}

/** A limit that is written in a definition and has no effect, for explanations. */
export interface OmittedLimit {
  readonly where: string; // "GET /a", or global_rate_limit
  readonly why: "disabled" | "zero"; // EPT-7, LIM-10
}

export interface ApiDefinition {
  readonly id: string;
  readonly name: string;
  readonly listenPath: string; // starts with "/", no "/" at the end unless it is "/"
  readonly active: boolean;
  readonly keyless: boolean;
  readonly disableRateLimit: boolean; // LIM-9
  readonly globalRateLimit: Limit | null; // LIM-7
  readonly endpoints: readonly EndpointLimit[]; // in the order of evaluation (EPT-3, EPT-6)
  readonly target: Target | null; // null: the gateway's default upstream
  readonly targets?: readonly WeightedTarget[]; // several, of which `target` is the first
  readonly stripListenPath: boolean; // the upstream receives the path without the listen path
  readonly form: "classic" | "oas";
  readonly keyBy?: KeyBy; // unset: the gateway option applies (LIM-C17)
  readonly leftOut?: readonly OmittedLimit[];
}

/** The limits and access of a key or a policy at one API. */
export interface AccessRight {
  readonly limit: Limit | null; // LIM-6
  readonly quota: Quota | null; // for this API alone (LIM-C9)
  readonly throttle: Throttle | null; // replaces the key's throttling at this API (LIM-C9)
  readonly endpoints: readonly EndpointLimit[]; // EPT-C5
  /** Fields that would restrict access in ways that the gateway does not enforce: the key is rejected (MGT-C8). */
  readonly unenforced: readonly string[];
}

export interface Quota {
  readonly max: number; // above 0, or -1 for a policy with an unlimited quota
  readonly renewalUs: Micros; // NEVER: it does not renew
}

/** Which parts a policy supplies to its keys: all three, unless `partitions` selects some (LIM-C14). */
export interface Supplies {
  readonly access: boolean;
  readonly rate: boolean; // includes endpoints, smoothing and throttling
  readonly quota: boolean;
}

export interface Throttle {
  readonly intervalUs: Micros;
  readonly retryLimit: number;
}

export type MetaData = Readonly<Record<string, unknown>>;

export interface Policy {
  readonly id: string;
  readonly supplies: Supplies;
  readonly limit: Limit | null;
  readonly quota: Quota | null;
  readonly throttle: Throttle | null;
  readonly accessRights: ReadonlyMap<string, AccessRight>; // by API id
  readonly inactive: boolean;
  readonly metaData: MetaData;
}

export interface Key {
  readonly id: string; // public: it appears in names of budgets, in events and logs
  readonly limit: Limit | null;
  readonly quota: Quota | null;
  readonly throttle: Throttle | null;
  readonly applyPolicies: readonly string[]; // `apply_policies`, or `apply_policy_id` alone (LIM-C7)
  readonly accessRights: ReadonlyMap<string, AccessRight> | null;
  readonly inactive: boolean;
  readonly expiresUs: Micros; // NEVER for 0 and -1
  readonly metaData: MetaData;
  /** `hmac_enabled`, `certificate`: stored, but the key is rejected, because access control never fails open (MGT-C8). */
  readonly unenforced: readonly string[];
}

export interface GatewayOptions {
  readonly algorithm: Algorithm | null; // ALG-C9: overrides the enable flags
  readonly enableFixedWindowRateLimiter: boolean;
  readonly enableSentinelRateLimiter: boolean;
  readonly enableNonTransactionalRateLimiter: boolean;
  readonly drlThreshold: number; // 0: DRL is never chosen (ALG-C1)
  readonly drlExpiryUs: Micros;
  readonly drlNotificationFrequencyUs: Micros;
  readonly fixedWindowStart: "first_request" | "clock"; // ALG-C3
  readonly sentinelMark: "sliding" | "fixed"; // ALG-C5
  readonly burst: number | "rate"; // gcra (ALG-C9)
  readonly queue: number | "rate"; // leaky bucket: how many requests may wait (ALG-C10)
  readonly limitOrder: "api_first" | "key_first"; // LIM-C1
  readonly policyBudgets: "merged" | "apart"; // LIM-C6
  readonly storeTransaction: "script" | "multi"; // ALG-C7
  readonly storeTimeoutUs: Micros;
  readonly onStoreError: "local" | "allow" | "deny"; // ALG-C8
  readonly expectedGateways: number | null;
  readonly throttleMaxWaiting: number; // LIM-C9
  readonly rateLimitHeaders: "legacy" | "ietf" | "both" | "off"; // HDR-C2
  readonly normalizePath: boolean; // EPT-C7
  readonly endpointMatching: EndpointMatching; // EPT-C7
  readonly keyBy: KeyBy; // LIM-C17
  readonly costHeader: string | null; // in lower case; null: each request costs 1 (LIM-C19)
  readonly imitation: Imitation | null; // null: the algorithm follows the specification
  readonly ipv6Prefix: number; // bits of an IPv6 address that are one client (LIM-C17)
}

/** Everything that configures a gateway. Keys are found by credential, which is not the key's id. */
export interface Configuration {
  readonly apis: ReadonlyMap<string, ApiDefinition>;
  readonly policies: ReadonlyMap<string, Policy>;
  readonly keys: ReadonlyMap<string, Key>; // by credential
  readonly options: GatewayOptions;
  readonly shadow: Configuration | null; // the shadow limits: evaluated, never enforced (LIM-C13); null: none
}
