// The world of a scenario under the rules that an implementation claims: they take the place of the gateway's options,
// so that plan, oracle and checks use its own rules.
import { isJsonMap, type JsonMap } from "../reading/shape.ts";
import type { Scenario, Variant } from "../scenario/types.ts";
import { readConfiguration } from "../world/read.ts";

export const applyClaims = (scenario: Scenario, model: JsonMap | null): Scenario =>
  model === null
    ? scenario
    : {
        ...scenario,
        variants: scenario.variants.map((variant) => applyClaimsToVariant(variant, model)),
      };

export function applyClaimsToVariant(variant: Variant, model: JsonMap): Variant {
  const { world } = variant;
  const gateway = world.raw["gateway"] ?? {};
  const options = isJsonMap(gateway) ? gateway : {};
  const raw = { ...world.raw, gateway: { ...options, ...model } };
  const { configuration } = readConfiguration(raw);
  return { ...variant, world: { ...world, raw, configuration } };
}
