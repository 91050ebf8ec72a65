import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { PartValue } from "../private.ts";

export const mutant: Mutant<PartValue> = {
  about: "dashes at the beginning of a value are cut off",
  breaks: ["LIM-C8"],
  replaces: "limiter/core/resolve/identity.ts#partValue",
  by: (right, part, metaData) => right(part, metaData)?.replace(/^-+/, "") ?? null,
};
