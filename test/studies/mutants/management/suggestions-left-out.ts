import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(name: string, what: string, known: readonly string[]) => string> = {
  about: "a field that nobody knows is refused without what was meant",
  breaks: ["MGT-C5"],
  replaces: "gateway/management/families/fields.ts#unknownField",
  by: (right, name, what) => right(name, what, []),
};
