import type { parseOasDuration } from "#src/kit/units.ts";
import { parseDuration } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof parseOasDuration> = {
  about: "an OAS limit takes every duration that a world takes",
  breaks: ["EPT-C4"],
  replaces: "kit/units.ts#parseOasDuration",
  by: (right, text) => right(text) ?? parseDuration(text),
};
