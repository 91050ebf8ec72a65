import { REFUSALS, type RefusalResponse } from "#src/gateway/refusals.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(refused: RefusalResponse, ...rest: never[]) => unknown> = {
  about: "a key that has expired is told with 403",
  breaks: ["MGT-C9"],
  replaces: "gateway/route.ts#reject",
  by: (right, refused, ...rest) =>
    right(refused === REFUSALS.expired ? { ...refused, status: 403 } : refused, ...rest),
};
