import type { Mutant } from "#src/studies/mutants/mutant.ts";

type Entered = readonly { readonly text: string; readonly isEffective: boolean }[];

export const mutant: Mutant<(...args: never[]) => Entered> = {
  about: "a policy is reported as soon as one of its numbers loses",
  breaks: ["LIM-C15"],
  replaces: "limiter/world/merge-warnings.ts#entriesOf",
  by: (right, ...args) => {
    const entered = right(...args);
    const lost = entered.filter(({ isEffective }) => !isEffective);
    return lost.length > 0 ? lost : entered;
  },
};
