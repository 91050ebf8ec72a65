// Virtual time: the gateway's own code under an event queue. It records, it judges nothing.
import { micros } from "../core/units.ts";
import { bodyOf } from "../gateway/refusals.ts";
import { HISTORY_FORMAT, type GaugeSample, type History } from "../scenario/history.ts";
import type { Plan, Variant } from "../scenario/types.ts";
import { EPOCH_US } from "../sim/engine.ts";
import { fallbacksOf } from "../sim/fallbacks.ts";
import { finished, flowsOf, recorder } from "../sim/recorder.ts";
import { simulate } from "../sim/simulate.ts";
import type { Witness } from "../sim/store-state.ts";
import type { DriverName } from "./driver.ts";

/** In virtual time there is nothing that cannot be had. */
const NAME: DriverName = "virtual";

/**
 * A world whose configuration has faults starts no gateway: its history is empty. Where somebody listens to
 * the store, everything goes there that would otherwise be decided in one call.
 */
export function playVirtual(variant: Variant, plan: Plan, witness: Witness | null = null): History {
  const { configuration, environment, credentials } = variant.world;
  const engine =
    configuration === null
      ? null
      : simulate({
          plan,
          configuration,
          credentials,
          environment,
          faults: variant.faults,
          keepsHistory: true,
          witness,
        });
  const kept = engine?.recorder ?? recorder(plan, EPOCH_US);
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
      keys: [...kept.labels.keys.keys()],
      apis: [...kept.labels.apis.keys()],
      budgets: kept.labels.texts,
      bodies: [...kept.labels.bodies.keys()].map(bodyOf),
      fields: [...kept.fields.keys()],
    },
    requests: finished(kept),
    events: kept.events,
    gauges: inOrder(kept.gauges),
    spans: [...kept.spans, ...fallbacksOf(kept.events, micros(engine?.nowUs ?? 0))],
    store: {
      commands: engine?.remote.commands ?? 0,
      inner: engine?.remote.inner ?? 0,
      roundTrips: engine?.remote.roundTrips ?? 0,
      peakEntries: engine?.remote.peakEntries ?? 0,
      peakBytes: engine?.remote.peakBytes ?? 0,
    },
    unanswered: engine?.counts.unanswered ?? 0,
  };
}

/** Falls that are made up carry a time before the request that made them up (SMO-C6). */
const inOrder = (gauges: readonly GaugeSample[]): readonly GaugeSample[] =>
  gauges.toSorted((a, b) => a.atUs - b.atUs);
