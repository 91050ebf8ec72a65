import type { mergeBody } from "#src/gateway/management/json.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof mergeBody> = {
  about: "an update forgets what it leaves out",
  breaks: ["MGT-C5"],
  replaces: "gateway/management/json.ts#mergeBody",
  by: (right, _, body) => right({}, body),
};
