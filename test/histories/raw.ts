// A configuration of a test as the text of a world, for readers of their own.
import type {
  AccessRight,
  ApiDefinition,
  Configuration,
  EndpointLimit,
  GatewayOptions,
  Key,
  Policy,
  Quota,
  Throttle,
} from "#src/limiter/core/config.ts";
import type { Limit, Smoothing } from "#src/limiter/core/limit.ts";
import type { Json } from "#src/kit/reading/shape.ts";

type Members = { readonly [name: string]: Json };

/** Keys go by their ids, which then are their credentials too. */
export const rawOf = ({ apis, policies, keys, options }: Configuration): Members => ({
  apis: recordsById([...apis.values()], apiText),
  policies: recordsById([...policies.values()], policyText),
  keys: recordsById([...keys.values()], keyText),
  gateway: optionsText(options),
});

const recordsById = <T extends { readonly id: string }>(
  records: readonly T[],
  textOf: (record: T) => Members,
): Members => Object.fromEntries(records.map((record) => [record.id, textOf(record)]));

const apiText = (api: ApiDefinition): Members => ({
  definition: {
    api_id: api.id,
    active: api.active,
    use_keyless: api.keyless,
    disable_rate_limit: api.disableRateLimit,
    proxy: { listen_path: api.listenPath },
    global_rate_limit: api.globalRateLimit && limitText(api.globalRateLimit),
    extended_paths: {
      rate_limit: api.endpoints.map(({ method, pattern, limit }) => ({
        path: pattern.text,
        method,
        enabled: true,
        ...limitText(limit),
      })),
    },
  },
});

const limitText = ({ rate, perUs, smoothing }: Limit): Members => ({
  rate,
  per: perUs / 1e6,
  smoothing: smoothing && smoothingText(smoothing),
});

const smoothingText = ({ threshold, step, trigger, delayUs }: Smoothing): Members => ({
  enabled: true,
  threshold,
  step,
  trigger,
  delay: delayUs / 1e6,
});

const quotaText = ({ max, renewalUs }: Quota): Members => ({
  quota_max: max,
  quota_renewal_rate: Number.isFinite(renewalUs) ? renewalUs / 1e6 : -1,
});

const throttleText = ({ intervalUs, retryLimit }: Throttle): Members => ({
  throttle_interval: intervalUs / 1e6,
  throttle_retry_limit: retryLimit,
});

const allotmentText = ({ limit, quota, throttle, inactive, metaData }: Key | Policy): Members => ({
  ...(limit && limitText(limit)),
  ...(quota && quotaText(quota)),
  ...(throttle && throttleText(throttle)),
  is_inactive: inactive,
  meta_data: metaData as Members,
});

const rightsText = (rights: ReadonlyMap<string, AccessRight>): Members =>
  Object.fromEntries([...rights].map(([api, right]) => [api, rightText(right)]));

const rightText = ({ limit, endpoints, unenforced }: AccessRight): Members => ({
  limit: limit && limitText(limit),
  endpoints: endpoints.map(endpointText),
  ...Object.fromEntries(unenforced.map((name) => [name, ["something"]])),
});

const endpointText = ({ method, pattern, limit }: EndpointLimit): Members => ({
  path: pattern.text,
  methods: [{ name: method, limit: limitText(limit) }],
});

const policyText = (policy: Policy): Members => ({
  ...allotmentText(policy),
  access_rights: rightsText(policy.accessRights),
});

const keyText = (key: Key): Members => ({
  ...allotmentText(key),
  access_rights: key.accessRights && rightsText(key.accessRights),
  apply_policies: key.applyPolicies,
  expires: Number.isFinite(key.expiresUs) ? key.expiresUs / 1e6 : 0,
  ...Object.fromEntries(key.unenforced.map((name) => [name, true])),
});

/** `storeTimeoutUs` is `store_timeout`, in seconds; an option that is null is left out. */
const optionsText = (options: Partial<GatewayOptions>): Members =>
  Object.fromEntries(
    Object.entries(options as Readonly<Record<string, Json>>).flatMap(([name, value]) => {
      if (value === null) return [];
      const isTime = name.endsWith("Us") && typeof value === "number";
      const snake = name
        .replace(/Us$/, "")
        .replaceAll(/[A-Z]/g, (each) => `_${each.toLowerCase()}`);
      return [[snake, isTime ? value / 1e6 : value]];
    }),
  );
