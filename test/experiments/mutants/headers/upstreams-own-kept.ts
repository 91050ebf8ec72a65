import type { headersTold } from "../../../../src/gateway/headers.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof headersTold> = {
  about: "the upstream's own limits stand beside the gateway's",
  breaks: ["HDR-C2"],
  replaces: "gateway/headers.ts#headersTold",
  by: () => (upstream, own) => [...upstream, ...own],
};
