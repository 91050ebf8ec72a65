// The capabilities that a scenario needs from a driver, as far as they follow from its content.
import type { Distribution } from "../../../kit/chance/distribution.ts";
import { isSequential } from "../flows.ts";
import type { Capability, Measure, Variant } from "../types.ts";

export const CAPABILITIES = [
  "events",
  "gauges",
  "event-time",
  "store-commands",
  "store-size",
  "faults",
  "fleet",
  "latency",
  "calls",
  "deliveries",
  "sequential-clients",
] as const satisfies readonly Capability[];

export function needsOf(
  declared: readonly Capability[],
  variants: readonly Variant[],
): readonly Capability[] {
  const needed = new Set(declared);
  for (const { world, traffic, calls, faults, expectations } of variants) {
    const { environment } = world;
    if (calls.length > 0) needed.add("calls");
    if (faults.length > 0) needed.add("faults");
    if (traffic.some(isSequential)) needed.add("sequential-clients");
    if (environment.nodes > 1) needed.add("fleet");
    if ([environment.networkUs, environment.storeUs, environment.upstreamUs].some(takesTime))
      needed.add("latency");
    for (const { measure } of expectations)
      for (const need of needsOfMeasure(measure)) needed.add(need);
  }
  return CAPABILITIES.filter((capability) => needed.has(capability));
}

const takesTime = (distribution: Distribution): boolean =>
  distribution.kind !== "constant" || distribution.us > 0;

function needsOfMeasure(measure: Measure): readonly Capability[] {
  switch (measure.kind) {
    case "events":
    case "gapBetween":
      return ["events"];
    case "deliveries":
      return ["deliveries"];
    case "changeOf":
    case "gauge":
      return ["gauges"];
    case "quantity":
      return measure.quantity.of === "storeEntries" || measure.quantity.of === "storeBytes"
        ? ["store-size"]
        : ["store-commands"];
    case "sequence":
    case "decisions":
    case "count":
    case "maxInAnyWindow":
    case "timeToAdmission":
    case "gaveUp":
    case "response":
    case "answer":
    case "configuration":
    case "sameAs":
      return [];
    case "invariant":
      return measure.rule === "changes"
        ? ["events"]
        : measure.rule === "allowance"
          ? ["events", "gauges"]
          : [];
  }
}
