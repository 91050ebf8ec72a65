import type { Mutant } from "../../../src/mutants/mutant.ts";

type Entered = readonly { readonly text: string; readonly isEffective: boolean }[];

export const mutant: Mutant<(policy: never, merged: never) => Entered> = {
  about: "a policy is reported as soon as one of its numbers loses",
  breaks: ["LIM-C15"],
  replaces: "core/resolve/merge-warnings.ts#enteredBy",
  by: (right) => (policy, merged) => {
    const entered = right(policy, merged);
    const lost = entered.filter(({ isEffective }) => !isEffective);
    return lost.length > 0 ? lost : entered;
  },
};
