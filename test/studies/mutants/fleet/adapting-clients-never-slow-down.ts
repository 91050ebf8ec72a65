import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { atbPacer } from "#src/lab/sim/token-clients.ts";

export const mutant: Mutant<typeof atbPacer> = {
  about: "a client that adapts takes a refusal for an admission, and raises its rate",
  breaks: ["ALG-10"],
  replaces: "lab/sim/token-clients.ts#atbPacer",
  by: (right, behaviour, startUs) => {
    const pacer = right(behaviour, startUs);
    return { ...pacer, onResponse: (nowUs) => pacer.onResponse(nowUs, false) };
  },
};
