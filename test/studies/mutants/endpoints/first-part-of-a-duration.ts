import type { parseOasDuration } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof parseOasDuration> = {
  about: "of a duration only the first part is read",
  breaks: ["EPT-C4"],
  replaces: "kit/units.ts#parseOasDuration",
  by: (right, text) => right(/^[0-9]+[a-z]+/.exec(text)?.[0] ?? text),
};
