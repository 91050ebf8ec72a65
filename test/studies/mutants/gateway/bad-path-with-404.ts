import { REFUSALS, type RefusalResponse } from "#src/gateway/refusals.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(refused: RefusalResponse, ...rest: never[]) => unknown> = {
  about: "a path that is not taken is told as one that is not found",
  breaks: ["MGT-C9"],
  replaces: "gateway/route.ts#reject",
  by: (right, refused, ...rest) =>
    right(refused === REFUSALS.badPath ? { ...refused, status: 404 } : refused, ...rest),
};
