import type { route } from "../../../../src/gateway/handle.ts";
import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";

export const mutant: Mutant<typeof route> = {
  about: "TRACE is forwarded like any other method",
  breaks: ["LIM-C1"],
  replaces: "gateway/handle.ts#route",
  by: (right) => (gateway, request, nowUs) =>
    right(gateway, request.method === "TRACE" ? { ...request, method: "trace" } : request, nowUs),
};
