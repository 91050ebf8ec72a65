import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { PartValue } from "../private.ts";

export const mutant: Mutant<PartValue> = {
  about: "a part of plain text counts as missing",
  breaks: ["LIM-C8", "LIM-11"],
  replaces: "limiter/core/resolve/identity.ts#partValue",
  by: (right, part, metaData) => (part.startsWith("$") ? right(part, metaData) : null),
};
