// The driver for virtual time. It runs the gateway's own code under an event queue, and only records what happens.
import { micros } from "../../kit/units.ts";
import { bodyOf } from "../../gateway/refusals.ts";
import {
  HISTORY_FORMAT,
  type HistoryCall,
  type HistoryDelivery,
  type GaugeSample,
  type History,
} from "../scenario/history.ts";
import type { Plan, Variant } from "../scenario/types.ts";
import { EPOCH_US, type Engine } from "../sim/engine.ts";
import { fallbacksOf } from "../sim/fallbacks.ts";
import {
  addressesOf,
  finishAttempts,
  finishRequests,
  flowsOf,
  recorder,
  type AttemptColumns,
} from "../sim/recorder.ts";
import { simulate, type Simulation } from "../sim/simulate.ts";
import type { Witness } from "../sim/store-state.ts";
import type { DriverName } from "./driver.ts";

const NAME: DriverName = "virtual";

/** With a witness, every operation goes to the simulated store, even if one local call could decide it. */
export function playVirtual(variant: Variant, plan: Plan, witness: Witness | null = null): History {
  if (variant.calls.length > 0) throw new Error(`${plan.scenario} has calls, which take waiting`);
  const setting = simulationOf(variant, plan, witness);
  return virtualHistory(variant, plan, setting === null ? null : simulate(setting), []);
}

/** Runs the variant but retains only its attempts, which takes a fraction of the time. */
export function playAttempts(variant: Variant, plan: Plan): AttemptColumns {
  const setting = simulationOf(variant, plan, null);
  if (setting === null) return finishAttempts(recorder(plan, EPOCH_US, true));
  return finishAttempts(simulate({ ...setting, keeps: "attempts" }).recorder!);
}

/** Null if the configuration has errors: then no gateway starts, and the history is empty. */
export function simulationOf(
  { world, faults }: Variant,
  plan: Plan,
  witness: Witness | null,
): Simulation | null {
  const { configuration, environment, credentials, rules } = world;
  return configuration === null
    ? null
    : { plan, configuration, credentials, environment, faults, keeps: "history", witness, rules };
}

export function virtualHistory(
  variant: Variant,
  plan: Plan,
  engine: Engine | null,
  calls: readonly HistoryCall[],
  deliveries: readonly HistoryDelivery[] = [],
): History {
  const history = engine?.recorder ?? recorder(plan, EPOCH_US);
  return {
    header: {
      format: HISTORY_FORMAT,
      scenario: plan.scenario,
      variant: plan.variant,
      axes: variant.axes,
      seed: plan.seed,
      driver: NAME,
      timing: { kind: "exact" },
      epochUs: EPOCH_US,
      flows: flowsOf(plan),
      keys: [...history.labels.keys.keys()],
      apis: [...history.labels.apis.keys()],
      budgets: history.labels.texts,
      bodies: [...history.labels.bodies.keys()].map(bodyOf),
      fields: [...history.fields.keys()],
      ...addressesOf(plan),
    },
    requests: finishRequests(history),
    events: history.events,
    gauges: inOrder(history.gauges),
    spans: [...history.spans, ...fallbacksOf(history.events, micros(engine?.nowUs ?? 0))],
    calls,
    deliveries,
    store: {
      commands: engine?.remote.commands ?? 0,
      inner: engine?.remote.inner ?? 0,
      roundTrips: engine?.remote.roundTrips ?? 0,
      peakEntries: engine?.remote.peakEntries ?? 0,
      peakBytes: engine?.remote.peakBytes ?? 0,
    },
  };
}

/** Sorts samples only if needed: an allowance's fall may be computed later, by a request after it (SMO-C6). */
function inOrder(gauges: readonly GaugeSample[]): readonly GaugeSample[] {
  let lastUs = Number.NEGATIVE_INFINITY;
  for (const { atUs } of gauges) {
    if (atUs < lastUs) return gauges.toSorted((a, b) => a.atUs - b.atUs);
    lastUs = atUs;
  }
  return gauges;
}
