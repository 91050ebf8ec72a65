import type { withCapitalDigits } from "#src/limiter/core/resolve/endpoint.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof withCapitalDigits> = {
  about: "escapes of entries keep the digits they are written with",
  breaks: ["EPT-C7"],
  replaces: "limiter/core/resolve/endpoint.ts#withCapitalDigits",
  by: (_right, path) => path,
};
