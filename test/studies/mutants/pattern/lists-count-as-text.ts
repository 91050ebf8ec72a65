import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { PartValue } from "../private.ts";

export const mutant: Mutant<PartValue> = {
  about: "lists and objects in the metadata count as their text",
  breaks: ["LIM-C8"],
  replaces: "limiter/core/resolve/identity.ts#partValue",
  by: (right, part, metaData) => {
    const value = metaData[part.replace("$gw_meta.", "")];
    return typeof value === "object" && value !== null
      ? JSON.stringify(value)
      : right(part, metaData);
  },
};
