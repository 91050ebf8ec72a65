import { REFUSALS, type RefusalResponse } from "#src/gateway/refusals.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(refused: RefusalResponse, ...rest: never[]) => unknown> = {
  about: "a key that is switched off is told with 401",
  breaks: ["MGT-C9"],
  replaces: "gateway/route.ts#reject",
  by: (right, refused, ...rest) =>
    right(refused === REFUSALS.inactive ? { ...refused, status: 401 } : refused, ...rest),
};
