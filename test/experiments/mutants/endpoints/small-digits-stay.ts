import type { withCapitalDigits } from "../../../../src/core/resolve/endpoint.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof withCapitalDigits> = {
  about: "escapes of entries keep the digits they are written with",
  breaks: ["EPT-C7"],
  replaces: "core/resolve/endpoint.ts#withCapitalDigits",
  by: () => (path) => path,
};
