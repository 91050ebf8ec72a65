// The capabilities of each driver, and the injected faults that it can cause (docs/answer/drivers.md).
import { CAPABILITIES } from "../scenario/read/needs.ts";
import type { Variant } from "../scenario/types.ts";
import type { DriverName, Offer, Reason } from "./driver.ts";
import { FAULT_KINDS } from "./support.ts";

function isImitation({ world, faults }: Variant): boolean {
  const configured = [world, ...faults.filter((fault) => fault.kind === "configure")];
  return configured.some(
    ({ configuration }) => (configuration?.options.imitation ?? null) !== null,
  );
}

/** Why real time cannot run an imitation: it drops counters above a number of keys, and a served gateway never does. */
const reasonsOfImitation = (variant: Variant): readonly Reason[] =>
  isImitation(variant)
    ? [
        {
          missing: "imitation",
          text: "the gateway imitates a limiter of others in virtual time alone",
        },
      ]
    : [];

/** Why a gateway that is served cannot decide by the file of another limiter. */
export const reasonsOfRules = ({ world: { rules } }: Variant): readonly Reason[] =>
  rules === null
    ? []
    : [
        {
          missing: "imitation",
          text: `the rules of ${rules.file} decide in virtual time alone`,
        },
      ];

const reasonsOfServed = (variant: Variant): readonly Reason[] => [
  ...reasonsOfImitation(variant),
  ...reasonsOfRules(variant),
];

/** Redis scripts count as the specification requires, so they cannot imitate a foreign limiter. */
export const reasonsAgainstRedis = (variant: Variant): readonly string[] => [
  ...(isImitation(variant) ? ["the scripts of Redis imitate no limiter of others"] : []),
  ...reasonsOfRules(variant).map(({ text }) => text),
];

export const OFFERS: Readonly<Record<Exclude<DriverName, "remote">, Offer>> = {
  virtual: {
    name: "virtual",
    capabilities: new Set(CAPABILITIES),
    faults: new Set(FAULT_KINDS),
    isRealTime: false,
  },
  embedded: {
    name: "embedded",
    capabilities: new Set(["events", "event-time", "faults", "calls"]),
    // No restarts: counters are in the memory of the gateway's process, so a restarted gateway would count from 0.
    faults: new Set(["configure", "clock_skew"]),
    isRealTime: true,
    reasons: reasonsOfServed,
  },
  redis: {
    name: "redis",
    capabilities: new Set(["events", "event-time", "faults", "fleet", "calls"]),
    faults: new Set([
      "configure",
      "clock_skew",
      "gateway_restart",
      "gateway_crash",
      "gateway_leave",
      "gateway_join",
      "store_down",
      "store_restart",
    ]),
    isRealTime: true,
    reasons: reasonsOfServed,
  },
};
