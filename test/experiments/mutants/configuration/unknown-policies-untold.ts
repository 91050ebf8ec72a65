import type { Mutant } from "../../../../src/experiments/mutants/mutant.ts";
import type { PoliciesOf } from "../private.ts";

export const mutant: Mutant<PoliciesOf> = {
  about: "nothing is said of a policy that is not there",
  breaks: ["LIM-C7"],
  replaces: "world/key.ts#policiesOf",
  by: (right) => (place, policies) =>
    right({ ...place, findings: { ...place.findings, problems: [] } }, policies),
};
