import { decideNow, prepare } from "#src/limiter/core/limiter.ts";
import { resolve } from "#src/limiter/core/resolve/resolver.ts";
import { apiAt } from "#src/gateway/routes.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { RefusalOf } from "../private.ts";

export const mutant: Mutant<RefusalOf> = {
  about: "a request of a key that is expired or inactive is counted before it is turned away",
  breaks: ["LIM-C1"],
  replaces: "gateway/route.ts#refusalOf",
  by: (right, gateway, session, api, nowUs) => {
    const rules = apiAt(gateway.routes, api.listenPath)!;
    const { limiter } = gateway;
    const resolved = resolve(limiter.resolver, rules, session, "GET", "/");
    const refused = right(gateway, session, api, nowUs);
    if (refused && resolved) {
      const prepared = prepare(limiter, resolved, nowUs);
      decideNow(limiter, prepared, session, nowUs, "spend", 1);
    }
    return refused;
  },
};
