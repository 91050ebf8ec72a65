import { REFUSALS } from "#src/gateway/refusals.ts";
import type { RefusalResponse } from "#src/gateway/refusals.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<
  (refused: RefusalResponse, api: unknown, session: unknown, path: string) => unknown
> = {
  about: "a key that nobody knows is told 401, so that guesses can be checked",
  breaks: ["MGT-C9"],
  replaces: "gateway/route.ts#reject",
  by: (right, refused, api, session, path) =>
    refused === REFUSALS.noAccess && session === null
      ? right(REFUSALS.noCredential, api, session, path)
      : right(refused, api, session, path),
};
