import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { PoliciesOf } from "../private.ts";

export const mutant: Mutant<PoliciesOf> = {
  about: "apply_policy_id is not read",
  breaks: ["LIM-C7"],
  replaces: "limiter/world/key.ts#policiesOf",
  by: (right, place, policies) =>
    right({ ...place, raw: { ...place.raw, apply_policy_id: null } }, policies),
};
