import type { isSecret } from "#src/gateway/management/http/guard.node.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isSecret> = {
  about: "an empty credential opens every interface",
  breaks: ["MGT-C1"],
  replaces: "gateway/management/http/guard.node.ts#isSecret",
  by: (right, shown, secret) => shown?.replace("Bearer ", "") === "" || right(shown, secret),
};
