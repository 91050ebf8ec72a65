import { REFUSALS, type RefusalResponse } from "#src/gateway/refusals.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(refused: RefusalResponse, ...rest: never[]) => unknown> = {
  about: "a key without access to an API is answered as if a limit had refused it",
  breaks: ["LIM-C16", "MGT-C9"],
  replaces: "gateway/route.ts#reject",
  by: (right, refused, ...rest) =>
    right(refused === REFUSALS.noAccess ? REFUSALS.keyRate : refused, ...rest),
};
