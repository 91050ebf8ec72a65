// Decides which scenarios a foreign gateway supports. A scenario about Weir's own gateway, or with a limit that the
// foreign gateway cannot express, is unsupported, and the reason is a sentence.
import type { Configuration } from "../../limiter/core/config.ts";
import { claimOf } from "../implementations/claimed.ts";
import type { Manifest } from "../implementations/manifest.ts";
import { findUnsupported, SOMEWHERE, type Translate } from "../implementations/translation.ts";
import { readWantedWorld } from "../implementations/wanted.ts";
import type { Json } from "../../kit/reading/shape.ts";
import { isFailure } from "../../kit/reading/failure.ts";
import type { Capability, Fault, Measure, Variant } from "../scenario/types.ts";
import type { Offer, Reason } from "./driver.ts";
import { reasonsOfRules } from "./offers.ts";

/** The options of a scenario's gateway that do not change its decisions. */
const NEUTRAL_OPTIONS: ReadonlySet<string> = new Set(["rate_limit_headers", "key_by"]);

const reason = (text: string): Reason => ({ missing: "implementation", text });

export const foreignOffer = (isRealTime: boolean, implementation: Expressing | null): Offer => ({
  name: "remote",
  capabilities: new Set(capabilitiesOf(implementation)),
  faults: new Set(faultsOf(implementation)),
  isRealTime,
  reasons: (variant) => [
    ...reasonsOfRules(variant),
    ...variant.expectations.flatMap(({ measure }) => reasonsOfMeasure(measure, implementation)),
    ...(variant.traffic.some(({ cost = 1 }) => cost !== 1) &&
    implementation?.manifest.capabilities.cost !== true
      ? [reason("it counts requests, and here a request has a cost")]
      : []),
    ...(implementation === null
      ? []
      : [...reasonsOfTraffic(variant, implementation), ...reasonsOfWorld(variant, implementation)]),
  ],
});

/** Line-based limiters are the only foreign ones that report when they decided (`event-time`). */
const capabilitiesOf = (implementation: Expressing | null): readonly Capability[] => [
  ...(faultsOf(implementation).length > 0 ? (["faults"] as const) : []),
  ...(implementation?.manifest.kind === "decide" ? (["event-time"] as const) : []),
];

function faultsOf(implementation: Expressing | null): readonly Fault["kind"][] {
  if (implementation === null) return [];
  const { clock, capabilities } = implementation.manifest;
  return [
    ...(capabilities.change === "none" ? [] : (["configure"] as const)),
    ...(clock === "virtual" ? (["clock_skew"] as const) : []),
    ...(capabilities.store === "none" ? [] : (["store_down"] as const)),
  ];
}

const reasonsOfTraffic = (
  { traffic }: Variant,
  { manifest: { name, capabilities, headers } }: Expressing,
): readonly Reason[] =>
  !capabilities.waits &&
  (headers?.retry_after ?? null) === null &&
  traffic.some(({ behaviour }) => behaviour.kind === "honour_retry_after")
    ? [reason(`a refusal of ${name} has no time to wait`)]
    : [];

/** The parts of an implementation that decide whether it can express a world. */
interface Expressing {
  readonly manifest: Manifest;
  readonly translate: Translate | null;
  readonly variant: string | null;
}

function reasonsOfWorld({ world, faults }: Variant, implementation: Expressing): readonly Reason[] {
  const { configuration, raw } = world;
  if (configuration === null) return [reason("the configuration of the world has errors")];
  const worlds = [raw, ...faults.flatMap((fault) => ("raw" in fault ? [fault.raw] : []))];
  const options = worlds.flatMap(({ gateway = null }) =>
    typeof gateway === "object" && gateway !== null ? Object.entries(gateway) : [],
  );
  const other = options.find(
    ([name, value]) =>
      !NEUTRAL_OPTIONS.has(name) &&
      name !== "burst" && // checked with each limit
      claimOf(implementation.manifest, name) !== value,
  );
  if (other !== undefined) return [reason(reasonOfOption(other, implementation))];
  const later = faults.flatMap((fault) =>
    fault.kind === "configure" ? [fault.configuration] : [],
  );
  const cannot = [configuration, ...later].flatMap((each) => cannotExpress(each, implementation));
  const isOther =
    implementation.manifest.kind === "decide" &&
    later.some((each) => !areSameLimits(configuration, each));
  return [
    ...new Set(cannot),
    ...(isOther ? ["during the run, the scenario changes more than the rates of limits"] : []),
  ].map(reason);
}

function reasonOfOption(
  [option, value]: readonly [string, Json],
  { manifest: { name, model } }: Expressing,
): string {
  const claimed = claimOf({ model }, option);
  return claimed === undefined
    ? `the world sets ${option}, an option of Weir's gateway`
    : `the world sets ${option} to ${JSON.stringify(value)}, and ${name} has ${JSON.stringify(claimed)}`;
}

function cannotExpress(
  configuration: Configuration,
  { manifest, translate, variant }: Expressing,
): readonly string[] {
  const wanted = readWantedWorld(configuration);
  const lacking = findUnsupported(manifest, wanted);
  if (lacking.length > 0 || translate === null) return lacking;
  try {
    const translation = translate(wanted, { ...SOMEWHERE, variant });
    return isFailure(translation) ? translation.problems : [];
  } catch {
    return []; // a throwing translator excludes no variant: the run calls it again, and fails with its message
  }
}

/** True if both configurations have the same limits in the same order, apart from the rates. */
function areSameLimits(before: Configuration, after: Configuration): boolean {
  const [old, changed] = [before, after].map((each) =>
    readWantedWorld(each).limits.map(({ scope, places }) => ({ scope, places })),
  );
  return JSON.stringify(old) === JSON.stringify(changed);
}

/** Whether the gateway writes this header. If nothing is known of the gateway, any header is possible. */
function isWritten(header: string, manifest: Manifest | null): boolean {
  if (manifest === null) return true;
  const { headers, capabilities } = manifest;
  return /^retry-after$/i.test(header)
    ? capabilities.waits || (headers?.retry_after ?? null) !== null
    : capabilities.headers || (headers?.remaining ?? null) !== null;
}

/** Reasons against a measure: a foreign gateway does not have the texts, events and records of Weir's gateway. */
function reasonsOfMeasure(
  measure: Measure,
  implementation: { readonly manifest: Manifest } | null,
): readonly Reason[] {
  switch (measure.kind) {
    case "response": {
      if (measure.body !== null) return [reason("it expects a body of Weir's gateway")];
      const names = Object.keys(measure.headers);
      return !names.every((name) => isWritten(name, implementation?.manifest ?? null))
        ? [reason("it expects headers that the gateway does not write")]
        : [];
    }
    case "answer":
    case "configuration":
      return [reason("it checks the configuration or the management calls of Weir's gateway")];
    case "sequence":
    case "decisions":
    case "count":
    case "maxInAnyWindow":
    case "timeToAdmission":
    case "gaveUp":
    case "events":
    case "gapBetween":
    case "changeOf":
    case "gauge":
    case "quantity":
    case "deliveries":
    case "invariant":
    case "sameAs":
      return [];
  }
}
