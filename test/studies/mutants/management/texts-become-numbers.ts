import type { writeJson } from "#src/gateway/management/json.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof writeJson> = {
  about: "a text that looks like a number is written as one",
  breaks: ["MGT-12"],
  replaces: "gateway/management/json.ts#writeJson",
  by: (right, value, space) => right(value, space).replaceAll(/:"(\d+\.\d+)"/g, ":$1"),
};
