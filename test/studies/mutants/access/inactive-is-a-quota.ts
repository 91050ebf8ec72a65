import { REFUSALS, type RefusalResponse } from "#src/gateway/refusals.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(refused: RefusalResponse, ...rest: never[]) => unknown> = {
  about: "an inactive key is answered as if its quota were used up: the same status, another cause",
  breaks: ["LIM-C16", "MGT-C9"],
  replaces: "gateway/route.ts#reject",
  by: (right, refused, ...rest) =>
    right(refused === REFUSALS.inactive ? REFUSALS.quota : refused, ...rest),
};
