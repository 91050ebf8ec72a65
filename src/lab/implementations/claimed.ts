// Changes the worlds of a scenario to the rules that an implementation claims: plan, oracle and checks then use them as
// gateway options. The profile of an implementation may have more rules; those that it does not claim are left out.
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

/** Applies everything that the implementation does, including what it does not claim. */
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

/** The value that an implementation claims for a gateway option. A world may also name the profile (`profile`). */
export const claimOf = ({ model }: Pick<Manifest, "model">, option: string): unknown =>
  option === "profile" ? model[option] : optionsOfClaims(model)[option];

type Configured = Pick<Variant["world"], "raw" | "configuration">;

/** Adds options to a world. The world's own options take precedence: if they differ, the scenario is unsupported. */
function configure({ raw, configuration: own }: Configured, options: JsonMap): Configured {
  const written = raw["gateway"] ?? {};
  const changed = {
    ...raw,
    gateway: { ...options, ...(isJsonMap(written) ? written : {}) },
  };
  const { configuration } = readConfiguration(changed);
  if (configuration === null) return { raw: changed, configuration };
  // The driver chose the cost header, which the source text of the world does not have, so it is copied.
  const costHeader = own?.options.costHeader ?? null;
  return {
    raw: changed,
    configuration: { ...configuration, options: { ...configuration.options, costHeader } },
  };
}
