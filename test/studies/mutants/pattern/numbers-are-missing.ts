import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { PartValue } from "../private.ts";

export const mutant: Mutant<PartValue> = {
  about: "numbers and booleans in the metadata count as missing",
  breaks: ["LIM-C8"],
  replaces: "limiter/core/resolve/identity.ts#partValue",
  by: (right, part, metaData) =>
    right(
      part,
      Object.fromEntries(Object.entries(metaData).filter(([, value]) => typeof value === "string")),
    ),
};
