import type { isSecret } from "#src/gateway/management/http/guard.node.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isSecret> = {
  about: "whatever begins with the secret opens",
  breaks: ["MGT-C1"],
  replaces: "gateway/management/http/guard.node.ts#isSecret",
  by: (right, shown, secret) => right(shown?.slice(0, secret.length) ?? null, secret),
};
