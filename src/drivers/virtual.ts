// Virtual time: the gateway's own code under an event queue. It records, it judges nothing.
import { micros } from "../core/units.ts";
import type { GaugeSample, History } from "../scenario/history.ts";
import type { Capability, Plan, Variant } from "../scenario/types.ts";
import { EPOCH_US } from "../sim/engine.ts";
import { finished } from "../sim/recorder.ts";
import { simulate } from "../sim/simulate.ts";

export const VIRTUAL: { readonly id: string; readonly capabilities: ReadonlySet<Capability> } = {
  id: "virtual",
  capabilities: new Set<Capability>([
    "events",
    "gauges",
    "event-time",
    "store-commands",
    "store-size",
    "faults",
    "fleet",
    "latency",
  ]),
};

export function playVirtual(variant: Variant, plan: Plan): History {
  const { world } = variant;
  if (world.configuration === null)
    throw new Error(`${plan.scenario} ${plan.variant} has no configuration to play`);
  const { environment, credentials } = world;
  const engine = simulate({
    plan,
    configuration: world.configuration,
    credentials,
    environment,
    faults: variant.faults,
    keepsHistory: true,
  });
  const recorder = engine.recorder!;
  return {
    header: {
      format: "weir-history/1",
      scenario: plan.scenario,
      variant: plan.variant,
      axes: variant.axes,
      seed: plan.seed,
      driver: VIRTUAL.id,
      timing: { kind: "exact" },
      epochUs: EPOCH_US,
      flows: plan.flows.map(({ name, as, method, path, shape }) => ({
        name,
        as,
        method,
        path,
        stages: shape.kind === "stages" ? shape.stages.map((stage) => stage.name) : [],
      })),
      keys: [...recorder.keys.keys()],
      apis: [...recorder.apis.keys()],
      budgets: recorder.budgetTexts,
    },
    requests: finished(recorder),
    events: recorder.events,
    gauges: inOrder(recorder.gauges),
    spans: recorder.spans,
    store: {
      commands: engine.remote.commands,
      inner: engine.remote.inner,
      roundTrips: engine.remote.roundTrips,
      peakEntries: engine.remote.peakEntries,
      peakBytes: engine.remote.peakBytes,
    },
    unanswered: engine.counts.unanswered,
  };
}

/** Falls that are made up carry a time before the request that made them up (SMO-C6). */
const inOrder = (gauges: readonly GaugeSample[]): readonly GaugeSample[] =>
  gauges.toSorted((a, b) => a.atUs - b.atUs);

/** How long the run was in virtual time. */
export const lengthUs = (plan: Plan): number => micros(plan.untilUs);
