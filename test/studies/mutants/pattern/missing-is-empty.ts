import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { PartValue } from "../private.ts";

export const mutant: Mutant<PartValue> = {
  about: "nothing stands in the place of a missing value, and the rest of the pattern counts",
  breaks: ["LIM-14", "LIM-12"],
  replaces: "limiter/core/resolve/identity.ts#partValue",
  by: (right, part, metaData) => right(part, metaData) ?? "",
};
