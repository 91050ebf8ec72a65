// Worlds for hand-written histories: configurations as the gateway needs them, members left out at rest.
import type {
  AccessRight,
  ApiDefinition,
  Configuration,
  EndpointLimit,
  GatewayOptions,
  Key,
  Policy,
} from "#src/limiter/core/config.ts";
import { limitOf, type Limit } from "#src/limiter/core/limit.ts";
import { micros, NEVER, SECOND, secondsToMicros } from "#src/kit/units.ts";
import type {
  Expectation,
  Fault,
  Filter,
  Flow,
  Measure,
  Variant,
} from "#src/lab/scenario/types.ts";
import type { Environment } from "#src/lab/scenario/world.ts";
import { EXACT_MATCHING } from "#src/limiter/core/resolve/endpoint.ts";
import { USUAL_MANAGEMENT } from "#src/lab/scenario/read/management.ts";
import type { FlowText } from "./history.ts";
import { rawOf } from "./raw.ts";

const OPTIONS: GatewayOptions = {
  algorithm: "sliding_log",
  enableFixedWindowRateLimiter: false,
  enableSentinelRateLimiter: false,
  enableNonTransactionalRateLimiter: false,
  drlThreshold: 0,
  drlExpiryUs: secondsToMicros(4),
  drlNotificationFrequencyUs: secondsToMicros(2),
  fixedWindowStart: "first_request",
  sentinelMark: "sliding",
  burst: 1,
  queue: "rate",
  limitOrder: "api_first",
  policyBudgets: "merged",
  storeTransaction: "script",
  storeTimeoutUs: secondsToMicros(0.1),
  onStoreError: "local",
  expectedGateways: null,
  throttleMaxWaiting: 1000,
  rateLimitHeaders: "off",
  ...EXACT_MATCHING,
  keyBy: "credential",
  ipv6Prefix: 64,
  costHeader: null,
  imitation: null,
};

export const api = (id: string, more: Partial<ApiDefinition> = {}): ApiDefinition => ({
  id,
  name: id,
  listenPath: `/${id}`,
  active: true,
  keyless: false,
  disableRateLimit: false,
  target: null,
  stripListenPath: false,
  globalRateLimit: null,
  endpoints: [],
  form: "classic",
  ...more,
});

export const right = (
  limit: Limit | null = null,
  endpoints: readonly EndpointLimit[] = [],
): AccessRight => ({ limit, quota: null, throttle: null, endpoints, unenforced: [] });

export const endpoint = (method: string, pattern: string, limit: Limit): EndpointLimit => ({
  method,
  pattern: { text: pattern, pieces: pattern.split("*") },
  limit,
});

const BOTH: ReadonlyMap<string, AccessRight> = new Map([
  ["orders", right()],
  ["users", right()],
]);

export const key = (id: string, more: Partial<Key> = {}): Key => ({
  id,
  limit: null,
  quota: null,
  throttle: null,
  applyPolicies: [],
  accessRights: BOTH,
  inactive: false,
  expiresUs: NEVER,
  metaData: {},
  unenforced: [],
  ...more,
});

export const policy = (id: string, more: Partial<Policy> = {}): Policy => ({
  id,
  supplies: { access: true, rate: true, quota: true },
  limit: null,
  quota: null,
  throttle: null,
  accessRights: BOTH,
  inactive: false,
  metaData: {},
  ...more,
});

export interface WorldText {
  readonly apis?: readonly ApiDefinition[];
  readonly policies?: readonly Policy[];
  readonly keys?: readonly Key[];
  readonly options?: Partial<GatewayOptions>;
}

/** The credential of a key is its id. */
export const configuration = (text: WorldText = {}): Configuration => ({
  apis: new Map((text.apis ?? [api("orders"), api("users")]).map((one) => [one.id, one])),
  shadow: null,
  policies: new Map((text.policies ?? []).map((one) => [one.id, one])),
  keys: new Map(
    (text.keys ?? [key("alice", { limit: limitOf(3, 1) })]).map((one) => [one.id, one]),
  ),
  options: { ...OPTIONS, ...text.options },
});

const STILL: Environment = {
  nodes: 1,
  balancer: { kind: "round_robin" },
  networkUs: { kind: "constant", us: micros(0) },
  storeUs: { kind: "constant", us: micros(0) },
  storeCost: { perCommandUs: 0, perEntryUs: 0 },
  upstreamUs: { kind: "constant", us: micros(0) },
  upstreamHeaders: [],
  skewUs: [],
};

/** An injected fault without the text of its configuration. */
export type FaultText =
  | Exclude<Fault, { kind: "configure" }>
  | Omit<Extract<Fault, { kind: "configure" }>, "raw">;

const faultOf = (text: FaultText): Fault =>
  text.kind === "configure" ? { ...text, raw: rawOf(text.configuration) } : text;

export interface VariantText extends WorldText {
  readonly flows?: readonly FlowText[];
  readonly faults?: readonly FaultText[];
  readonly expect?: readonly Measure[];
  readonly axes?: Variant["axes"];
  readonly stages?: readonly { readonly name: string; readonly forS: number }[];
  readonly problems?: Variant["world"]["problems"];
  readonly broken?: boolean;
  readonly environment?: Partial<Environment>;
}

export function variantOf(text: VariantText = {}): Variant {
  const built = configuration(text);
  const flows = text.flows ?? [{ name: "only" }];
  return {
    name: Object.entries(text.axes ?? {})
      .map(
        ([axis, value]) => `${axis}=${typeof value === "string" ? value : JSON.stringify(value)}`,
      )
      .join(" "),
    axes: text.axes ?? {},
    world: {
      rules: null,
      configuration: text.broken === true ? null : built,
      raw: rawOf(built),
      management: USUAL_MANAGEMENT,
      problems: text.problems ?? [],
      credentials: new Map([...built.keys].map(([credential, { id }]) => [id, [credential]])),
      environment: { ...STILL, ...text.environment },
    },
    traffic: flows.map((flow) => flowOf(flow, text.stages ?? [])),
    calls: [],
    faults: (text.faults ?? []).map(faultOf),
    expectations: (text.expect ?? []).map((measure, index): Expectation => ({
      id: `expectation ${index}`,
      line: index + 1,
      proves: ["LIM-1"],
      measure,
    })),
  };
}

function flowOf(
  { name, as = "alice", send = "GET /orders" }: FlowText,
  stages: readonly { readonly name: string; readonly forS: number }[],
): Flow {
  const [method = "", path = ""] = send.split(" ");
  return {
    name,
    as,
    method,
    path,
    headers: {},
    atUs: micros(0),
    shape: {
      kind: "stages",
      arrivals: "uniform",
      stages: stages.map((stage) => ({
        name: stage.name,
        fromRate: 1,
        toRate: 1,
        forUs: micros(stage.forS * SECOND),
      })),
    },
    clients: 1,
    skew: 0,
    behaviour: { kind: "ignore" },
  };
}

export const EVERYTHING: Filter = {
  flow: null,
  as: null,
  api: null,
  endpoint: null,
  status: null,
  stage: null,
  during: null,
  from: null,
  gateway: null,
};
