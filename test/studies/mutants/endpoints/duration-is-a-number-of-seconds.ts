import type { parseOasDuration } from "#src/kit/units.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof parseOasDuration> = {
  about: "a duration is read as a number of seconds, whatever its unit",
  breaks: ["EPT-C4"],
  replaces: "kit/units.ts#parseOasDuration",
  by: (right, text) => (right(text) === null ? null : micros(Number.parseInt(text) * SECOND)),
};
