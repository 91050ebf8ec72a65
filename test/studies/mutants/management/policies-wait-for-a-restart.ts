import type { isConfigurationChange } from "#src/gateway/management/read-configuration.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isConfigurationChange> = {
  about: "a changed policy or API governs nobody until the gateway starts again",
  breaks: ["MGT-C5"],
  replaces: "gateway/management/read-configuration.ts#isConfigurationChange",
  by: () => false,
};
