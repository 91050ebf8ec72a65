import type { wait } from "#src/limiter/algorithms/token-bucket/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof wait> = {
  about: "a bucket that holds half a request pays one out",
  breaks: ["ALG-C9"],
  replaces: "limiter/algorithms/token-bucket/rule.ts#wait",
  by: (right, cells, row, rate, burst, perUs, nowUs) => {
    const waitUs = right(cells, row, rate, burst, perUs, nowUs);
    return waitUs * rate * 2 <= perUs ? 0 : waitUs;
  },
};
