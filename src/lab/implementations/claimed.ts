// The world of a scenario under the rules that an implementation claims: they take the place of the gateway's options,
// so that plan, oracle and checks use its own rules. Its profile has what it does besides, which no oracle evaluates.
import { isJsonMap, type JsonMap } from "../../kit/reading/shape.ts";
import type { Manifest } from "./manifest.ts";
import type { Scenario, Variant } from "../scenario/types.ts";
import { optionsOfClaims } from "../../limiter/spec/profiles.ts";
import { readConfiguration } from "../../limiter/world/read.ts";

export const applyClaims = (scenario: Scenario, model: JsonMap | null): Scenario =>
  model === null
    ? scenario
    : {
        ...scenario,
        variants: scenario.variants.map((variant) =>
          applyOptions(variant, optionsOfClaims(model) as JsonMap),
        ),
      };

/** Everything that it does, also what it does not claim. */
export const applyProfile = (scenario: Scenario, model: JsonMap): Scenario => ({
  ...scenario,
  variants: scenario.variants.map((variant) => applyOptions(variant, model)),
});

function applyOptions(variant: Variant, options: JsonMap): Variant {
  const { world, faults } = variant;
  return {
    ...variant,
    world: { ...world, ...configure(world, options) },
    faults: faults.map((fault) => {
      if (fault.kind !== "configure") return fault;
      const { raw, configuration } = configure(fault, options);
      return { ...fault, raw, configuration: configuration ?? fault.configuration };
    }),
  };
}

/** What the documentation claims of an option of the gateway. A world may also name the profile itself. */
export const claimOf = ({ model }: Pick<Manifest, "model">, option: string): unknown =>
  option === "profile" ? model[option] : optionsOfClaims(model)[option];

type Configured = Pick<Variant["world"], "raw" | "configuration">;

/** An option of the world stays, so that one that the implementation does not claim makes the scenario unsupported. */
function configure({ raw, configuration: own }: Configured, options: JsonMap): Configured {
  const written = raw["gateway"] ?? {};
  const changed = {
    ...raw,
    gateway: { ...options, ...(isJsonMap(written) ? written : {}) },
  };
  const { configuration } = readConfiguration(changed);
  if (configuration === null) return { raw: changed, configuration };
  // The driver chooses the header of costs, so it is not in the text of the world.
  const costHeader = own?.options.costHeader ?? null;
  return {
    raw: changed,
    configuration: { ...configuration, options: { ...configuration.options, costHeader } },
  };
}
