import { paidOffUs, type wait } from "#src/limiter/algorithms/token-bucket/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof wait> = {
  about: "Retry-After of a bucket says when it is full, and not when it holds one",
  breaks: ["HDR-C1", "ALG-C9"],
  replaces: "limiter/algorithms/token-bucket/rule.ts#wait",
  by: (right, cells, row, rate, burst, perUs, nowUs) => {
    const waitUs = right(cells, row, rate, burst, perUs, nowUs);
    const isForever = waitUs === Number.POSITIVE_INFINITY;
    return waitUs === 0 || isForever
      ? waitUs
      : Math.max(1, paidOffUs(cells, row, rate, perUs) - nowUs);
  },
};
