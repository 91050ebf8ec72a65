import type { settle } from "#src/limiter/core/smoothing.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof settle> = {
  about: "however long nobody called, one fall is made up and no more",
  breaks: ["SMO-C6"],
  replaces: "limiter/core/smoothing.ts#settle",
  by: (right, rule, stored, newest, perUs, nowUs) => {
    const usual = right(rule, stored, newest, perUs, nowUs);
    if (usual.changes.length < 2) return usual;
    const once = right({ ...rule, delayUs: nowUs }, stored, newest, perUs, nowUs);
    const holdUntilUs = once.changes[0]!.atUs + rule.delayUs;
    return { ...once, allowance: { ...once.allowance, holdUntilUs } };
  },
};
