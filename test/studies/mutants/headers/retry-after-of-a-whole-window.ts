import type { wait } from "#src/limiter/algorithms/fixed-window/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof wait> = {
  about: "Retry-After of a window is its length",
  breaks: ["HDR-C1"],
  replaces: "limiter/algorithms/fixed-window/rule.ts#wait",
  by: (right, cells, row, capacity, perUs, nowUs) => {
    const waitUs = right(cells, row, capacity, perUs, nowUs);
    return waitUs === 0 || waitUs === Number.POSITIVE_INFINITY ? waitUs : perUs;
  },
};
