// Decides whether a driver can run a variant. The reasons against it are sentences: a variant that does not run is
// reported, and never passes.
import { formatDuration, micros, type Micros } from "../../kit/units.ts";
import { needsOf } from "../scenario/read/needs.ts";
import type { Capability, Fault, Scenario, Variant } from "../scenario/types.ts";
import type { Offer, Reason } from "./driver.ts";
import { stretchVariant } from "./stretch.ts";

export interface RealTimeOptions {
  readonly stretch: number;
  readonly maxDurationUs: Micros; // in real time, variants that take longer are skipped
}

const LACKS: Readonly<Record<Capability, string>> = {
  events: "does not report events",
  gauges: "does not report allowances or the size of a store",
  "event-time": "does not report the time of a gateway's decision",
  "store-commands": "does not count the commands of a store",
  "store-size": "does not measure the size of a store",
  faults: "has no injected faults",
  fleet: "has one gateway",
  latency: "adds no latency; its network is the real one",
  calls: "has no management calls",
  deliveries: "does not report deliveries to webhooks",
  "sequential-clients": "sends each request at its planned time, even before the previous response",
};

const CANNOT: Readonly<Record<Fault["kind"], string>> = {
  store_slow: "cannot slow a store down",
  store_down: "cannot take a store away",
  store_restart: "cannot restart a store",
  gateway_restart: "cannot restart a gateway without losing its counters",
  gateway_crash: "cannot let a gateway crash",
  gateway_leave: "cannot let a gateway leave",
  gateway_join: "cannot let a gateway join",
  clock_skew: "cannot turn a clock",
  configure: "cannot change a configuration",
};

export const FAULT_KINDS = Object.keys(CANNOT) as readonly Fault["kind"][];

/** Empty if the driver can run the variant. */
export function reasonsAgainst(
  { name, capabilities, faults, isRealTime, reasons }: Offer,
  scenario: Scenario,
  variant: Variant,
  { stretch, maxDurationUs }: RealTimeOptions,
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
    ...(reasons?.(stretchVariant(variant, stretch)) ?? []),
  ];
}

const UNSTRETCHABLE: Reason = {
  missing: "stretch",
  text: "headers count in whole seconds, which cannot be stretched",
};

const CALLED_IN_SECONDS: Reason = {
  missing: "stretch",
  text: "management calls have limits in seconds, which cannot be stretched",
};

const tooLong = (lastsUs: Micros, maxDurationUs: Micros): Reason => ({
  missing: "max-duration",
  text: `it lasts ${formatDuration(lastsUs)} in real time, and --max-duration is ${formatDuration(maxDurationUs)}`,
});

/** The capabilities that a variant needs: those that its scenario states, and those that follow from its content. */
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

/** Time until the last planned request or call; retries may come later. */
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
        case "population":
        case "on_off":
          return atUs + shape.forUs;
        case "cron":
          return atUs + shape.forUs + shape.jitterUs;
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
