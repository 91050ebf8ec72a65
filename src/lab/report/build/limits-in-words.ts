// Describes the configuration, one line for each object with limits.
import { formatDuration } from "../../../kit/units.ts";
import type { World } from "../../scenario/world.ts";

type WorldConfiguration = NonNullable<World["configuration"]>;
type MapValue<M> = M extends ReadonlyMap<string, infer V> ? V : never;
type Api = MapValue<WorldConfiguration["apis"]>;
type Policy = MapValue<WorldConfiguration["policies"]>;
type Key = MapValue<WorldConfiguration["keys"]>;
type Limit = NonNullable<Key["limit"]>;
type Endpoints = Api["endpoints"];
type Rights = NonNullable<Key["accessRights"]>;

const limitText = ({ rate, perUs, smoothing }: Limit): string => {
  if (rate === -1) return "unlimited";
  const smoothed =
    smoothing === null
      ? ""
      : `, smoothed from ${smoothing.threshold} by ${smoothing.step} at a time (trigger ${smoothing.trigger}, at most once in ${formatDuration(smoothing.delayUs)})`;
  return `${rate} per ${formatDuration(perUs)}${smoothed}`;
};

const endpointTexts = (endpoints: Endpoints): readonly string[] =>
  endpoints.map(({ method, pattern, limit }) => `${method} ${pattern.text} ${limitText(limit)}`);

const sentence = (subject: string, parts: readonly string[]): string =>
  `${subject}: ${parts.length === 0 ? "no limit of its own" : parts.join("; ")}.`;

export function apiText({ name, listenPath, keyless, disableRateLimit, ...api }: Api): string {
  const where = `API ${name} at ${listenPath}${keyless ? ", without keys" : ""}`;
  if (disableRateLimit) return `${where}: rate limiting is off.`;
  return sentence(where, [
    ...(api.globalRateLimit === null
      ? []
      : [`${limitText(api.globalRateLimit)} for all clients together`]),
    ...endpointTexts(api.endpoints),
  ]);
}

/** The limits that keys and policies can both have. */
const worthOf = ({ limit, quota, throttle }: Pick<Key, "limit" | "quota" | "throttle">) => [
  ...(limit === null ? [] : [limitText(limit)]),
  ...(quota === null
    ? []
    : [
        quota.max === -1
          ? "no quota"
          : `a quota of ${quota.max} ${Number.isFinite(quota.renewalUs) ? `per ${formatDuration(quota.renewalUs)}` : "for ever"}`,
      ]),
  ...(throttle === null
    ? []
    : [
        `refused requests wait ${formatDuration(throttle.intervalUs)}, at most ${throttle.retryLimit} times`,
      ]),
];

const rightTexts = (rights: Rights): readonly string[] =>
  [...rights].flatMap(([api, { limit, endpoints }]) => [
    ...(limit === null ? [] : [`${limitText(limit)} for ${api} alone`]),
    ...endpointTexts(endpoints).map((text) => `${text} at ${api}`),
  ]);

export const policyText = (policy: Policy): string =>
  sentence(`Policy ${policy.id}${policy.inactive ? ", inactive" : ""}`, [
    ...worthOf(policy),
    ...rightTexts(policy.accessRights),
  ]);

const MOST_NAMES = 3;

/** One line for all keys that differ only in their names. */
export function keyTexts(keys: WorldConfiguration["keys"]): readonly string[] {
  const groups = Map.groupBy(keys.values(), keyParts);
  return [...groups].map(([parts, alike]) => {
    const names = alike.slice(0, MOST_NAMES).map(({ id }) => id);
    const more = alike.length - names.length;
    return `${alike.length === 1 ? "Key" : "Keys"} ${names.join(", ")}${more === 0 ? "" : ` and ${more} more`}: ${parts}${alike.length === 1 ? "" : ", each"}.`;
  });
}

function keyParts(key: Key): string {
  const { applyPolicies, accessRights, expiresUs, inactive } = key;
  const parts = [
    ...(applyPolicies.length === 0
      ? []
      : [`${applyPolicies.length === 1 ? "policy" : "policies"} ${applyPolicies.join(", ")}`]),
    ...worthOf(key),
    ...(accessRights === null ? [] : rightTexts(accessRights)),
    ...(Number.isFinite(expiresUs) ? ["it expires"] : []),
    ...(inactive ? ["inactive"] : []),
  ];
  return parts.length === 0 ? "no limit of its own" : parts.join("; ");
}
