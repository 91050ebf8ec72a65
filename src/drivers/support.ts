// Whether a driver can play a variant, and if not why: in sentences, because what was not played has to be
// told, and never passes.
import { formatDuration, micros, type Micros } from "../core/units.ts";
import { needsOf } from "../scenario/read/needs.ts";
import type { Capability, Fault, Scenario, Variant } from "../scenario/types.ts";
import type { Offer } from "./driver.ts";

export interface Asked {
  readonly stretch: number;
  readonly maxDurationUs: Micros; // in real time nothing is played that lasts longer
}

const LACKS: Readonly<Record<Capability, string>> = {
  events: "tells no events",
  gauges: "tells no allowance and no size of a store",
  "event-time": "tells no time by which a gateway decided",
  "store-commands": "does not count the commands of a store",
  "store-size": "does not measure what a store holds",
  faults: "plays no faults",
  fleet: "has one gateway",
  latency: "makes no latency: its network takes the time it takes",
  calls: "calls no management",
  deliveries: "tells no deliveries to webhooks",
};

const CANNOT: Readonly<Record<Fault["kind"], string>> = {
  store_slow: "cannot slow a store down",
  store_down: "cannot take a store away",
  store_restart: "cannot restart a store",
  gateway_restart: "cannot restart a gateway without losing what it counted",
  gateway_crash: "cannot let a gateway crash",
  gateway_leave: "cannot let a gateway leave",
  gateway_join: "cannot let a gateway join",
  clock_skew: "cannot turn a clock",
  configure: "cannot change a configuration",
};

export const FAULT_KINDS = Object.keys(CANNOT) as readonly Fault["kind"][];

export interface Reason {
  /** What `--require` names: a capability, or what else stands against it. */
  readonly missing: Capability | "max-duration" | "stretch";
  readonly text: string;
}

/** Empty: it can be played. */
export function reasonsAgainst(
  { name, capabilities, faults, isRealTime }: Offer,
  scenario: Scenario,
  variant: Variant,
  { stretch, maxDurationUs }: Asked,
): readonly Reason[] {
  const lacking = capabilitiesNeeded(scenario, variant).filter((need) => !capabilities.has(need));
  const kinds = new Set(variant.faults.map(({ kind }) => kind).filter((kind) => !faults.has(kind)));
  const lastsUs = micros(durationUs(variant) * stretch);
  return [
    ...lacking.map((missing): Reason => ({ missing, text: `${name} ${LACKS[missing]}` })),
    ...[...kinds].map((kind): Reason => ({ missing: "faults", text: `${name} ${CANNOT[kind]}` })),
    ...(isRealTime && lastsUs > maxDurationUs ? [tooLong(lastsUs, maxDurationUs)] : []),
    ...(stretch !== 1 && countsWholeSeconds(variant) ? [UNSTRETCHABLE] : []),
    ...(stretch !== 1 && variant.calls.length > 0 ? [CALLED_IN_SECONDS] : []),
  ];
}

const UNSTRETCHABLE: Reason = {
  missing: "stretch",
  text: "headers count in whole seconds, which cannot be stretched",
};

const CALLED_IN_SECONDS: Reason = {
  missing: "stretch",
  text: "what is called says its limits in seconds, which cannot be stretched",
};

const tooLong = (lastsUs: Micros, maxDurationUs: Micros): Reason => ({
  missing: "max-duration",
  text: `it lasts ${formatDuration(lastsUs)} in real time, and --max-duration is ${formatDuration(maxDurationUs)}`,
});

/** What the scenario says it needs holds for all its variants, what the file shows for those that show it. */
function capabilitiesNeeded(
  { needs, variants }: Scenario,
  variant: Variant,
): readonly Capability[] {
  const shown = needsOf([], variants);
  return needsOf(
    needs.filter((need) => !shown.includes(need)),
    [variant],
  );
}

/** From the first request to the last that is planned; those who come back come later still. */
export function durationUs({ traffic, calls }: Variant): number {
  return Math.max(
    0,
    ...calls.map(({ atUs }) => atUs),
    ...traffic.map(({ atUs, shape }): number => {
      switch (shape.kind) {
        case "burst":
          return atUs;
        case "every":
          return atUs + shape.intervalUs * Math.max(0, shape.count - 1);
        case "rate":
        case "poisson":
        case "on_off":
          return atUs + shape.forUs;
        case "stages":
          return atUs + shape.stages.reduce((sum, { forUs }) => sum + forUs, 0);
        case "trace":
          return atUs + (shape.timesUs.at(-1) ?? 0);
      }
    }),
  );
}

const countsWholeSeconds = ({ traffic, expectations }: Variant): boolean =>
  traffic.some(({ behaviour }) => behaviour.kind === "honour_retry_after") ||
  expectations.some(
    ({ measure }) =>
      measure.kind === "response" &&
      Object.keys(measure.headers).some((name) => /retry-after|reset|ratelimit/i.test(name)),
  );
