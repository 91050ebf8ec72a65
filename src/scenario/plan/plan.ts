// From a variant and a seed to every arrival, before anything runs. Each flow draws from streams of
// its own, named after it, so that a new flow does not move the others, and all variants of a scenario
// see the same draws.
import { rng } from "../../core/rng.ts";
import { micros } from "../../core/units.ts";
import { arrivalsOf } from "./arrivals.ts";
import { clientsOf } from "./clients.ts";
import { merged } from "../read/merge.ts";
import type { Plan, Variant } from "../types.ts";

export function plan(variant: Variant, scenario: string, seed: number): Plan {
  let untilUs = 0;
  const flows = variant.traffic.map((flow) => {
    const { atUs, stage, endUs } = arrivalsOf(flow.shape, rng(seed, `traffic/${flow.name}`));
    if (flow.atUs > 0) for (let i = 0; i < atUs.length; i++) atUs[i] = atUs[i]! + flow.atUs;
    untilUs = Math.max(untilUs, flow.atUs + endUs, atUs.at(-1) ?? 0);
    const client = clientsOf(
      atUs.length,
      flow.clients,
      flow.skew,
      rng(seed, `clients/${flow.name}`),
    );
    return { atUs, client, stage };
  });
  return {
    scenario,
    variant: variant.name,
    seed,
    flows: variant.traffic,
    ...merged(flows),
    untilUs: micros(untilUs),
  };
}
