import type { asRefusal } from "../../../../src/servers/refused.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof asRefusal> = {
  about: "a body that is too long is 400",
  breaks: ["MGT-C1"],
  replaces: "servers/refused.ts#asRefusal",
  by: (right) => (thrown) => {
    const refusal = right(thrown);
    return {
      ...refusal,
      message: refusal.message,
      status: refusal.status === 413 ? 400 : refusal.status,
    };
  },
};
