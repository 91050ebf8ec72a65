import type { mergeBody } from "#src/gateway/management/json.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof mergeBody> = {
  about: "an explicit null leaves a member as it is",
  breaks: ["MGT-C5"],
  replaces: "gateway/management/json.ts#mergeBody",
  by: (right, document, body) =>
    right(document, Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))),
};
