import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { PoliciesOf } from "../private.ts";

export const mutant: Mutant<PoliciesOf> = {
  about: "apply_policy_id wins over the list of policies",
  breaks: ["LIM-C7"],
  replaces: "limiter/world/key.ts#policiesOf",
  by: (right, place, policies) => {
    const single = place.raw["apply_policy_id"];
    const list = single ? [] : place.raw["apply_policies"];
    return right({ ...place, raw: { ...place.raw, apply_policies: list } }, policies);
  },
};
