import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { MostPatient } from "../private.ts";

export const mutant: Mutant<MostPatient> = {
  about: "of policies that let requests wait equally often the last one supplies the throttling",
  breaks: ["LIM-C9"],
  replaces: "limiter/core/resolve/merge.ts#mostPatient",
  by: (right, known) => right(known.toReversed()),
};
