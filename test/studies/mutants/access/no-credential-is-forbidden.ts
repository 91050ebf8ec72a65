import { REFUSALS } from "#src/gateway/refusals.ts";
import type { RefusalResponse } from "#src/gateway/refusals.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(refused: RefusalResponse, ...rest: never[]) => unknown> = {
  about: "a request without a credential is told 403",
  breaks: ["MGT-C9"],
  replaces: "gateway/route.ts#reject",
  by: (right, refused, ...rest) =>
    right(refused === REFUSALS.noCredential ? REFUSALS.noAccess : refused, ...rest),
};
