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
  const { world, faults } = variant;
  return {
    ...variant,
    world: { ...world, ...applyModel(world.raw, model) },
    faults: faults.map((fault) => {
      if (fault.kind !== "configure") return fault;
      const { raw, configuration } = applyModel(fault.raw, model);
      return { ...fault, raw, configuration: configuration ?? fault.configuration };
    }),
  };
}

/** An option of the world stays, so that one that the implementation does not claim makes the scenario unsupported. */
function applyModel(raw: JsonMap, model: JsonMap): Pick<Variant["world"], "raw" | "configuration"> {
  const options = raw["gateway"] ?? {};
  const changed = { ...raw, gateway: { ...model, ...(isJsonMap(options) ? options : {}) } };
  return { raw: changed, configuration: readConfiguration(changed).configuration };
}
