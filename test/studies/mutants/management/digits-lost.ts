import type { JsonValue, readJson } from "#src/gateway/management/json.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof readJson> = {
  about: "whole numbers are doubles",
  breaks: ["MGT-8"],
  replaces: "gateway/management/json.ts#readJson",
  by: (right, text) => {
    const read = right(text);
    return read.value === undefined ? read : { ...read, value: JSON.parse(text) as JsonValue };
  },
};
