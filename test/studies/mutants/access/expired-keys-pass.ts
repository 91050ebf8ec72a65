import { micros } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { RefusalOf } from "../private.ts";

export const mutant: Mutant<RefusalOf> = {
  about: "the time at which a key expires is not looked at",
  breaks: ["MGT-C9"],
  replaces: "gateway/route.ts#refusalOf",
  by: (right, gateway, session, api) => right(gateway, session, api, micros(0)),
};
