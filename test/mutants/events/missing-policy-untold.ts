import type { ApiDefinition } from "../../../src/core/config.ts";
import type { Session } from "../../../src/core/resolve/resolver.ts";
import type { Micros } from "../../../src/core/units.ts";
import type { Gateway } from "../../../src/gateway/handle.ts";
import type { Mutant } from "../../../src/mutants/mutant.ts";

export const mutant: Mutant<
  (gateway: Gateway, session: Session, api: ApiDefinition, nowUs: Micros) => void
> = {
  about: "an unknown policy causes no event",
  breaks: ["LIM-C7", "EVT-C1"],
  replaces: "gateway/handle.ts#sayPolicyMissing",
  by: () => () => {},
};
