import type { route } from "#src/gateway/route.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof route> = {
  about: "TRACE is forwarded like any other method",
  breaks: ["LIM-C1"],
  replaces: "gateway/route.ts#route",
  by: (right, gateway, request, nowUs) =>
    right(gateway, request.method === "TRACE" ? { ...request, method: "trace" } : request, nowUs),
};
