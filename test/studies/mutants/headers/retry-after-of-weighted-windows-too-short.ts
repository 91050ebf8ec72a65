import type { wait } from "#src/limiter/algorithms/sliding-window-counter/rule.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof wait> = {
  about: "Retry-After of weighted windows waits for the end of a window only",
  breaks: ["HDR-C1", "ALG-C9"],
  replaces: "limiter/algorithms/sliding-window-counter/rule.ts#wait",
  by: (right, cells, row, rate, perUs, nowUs, units) => {
    const waitUs = right(cells, row, rate, perUs, nowUs, units);
    const endsInUs = perUs - (nowUs % perUs);
    return waitUs === 0 || rate < 1 ? waitUs : Math.min(waitUs, endsInUs);
  },
};
