import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { PartValue } from "../private.ts";

export const mutant: Mutant<PartValue> = {
  about: "the number 7 and the text 7 are two values",
  breaks: ["LIM-C8"],
  replaces: "limiter/core/resolve/identity.ts#partValue",
  by: (right, part, metaData) => {
    const value = metaData[part.replace("$gw_meta.", "")];
    return typeof value === "number" || typeof value === "boolean"
      ? `${typeof value} ${value}`
      : right(part, metaData);
  },
};
