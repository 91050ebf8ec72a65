import type { isSecret } from "#src/gateway/management/http/guard.node.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isSecret> = {
  about: "a credential is compared with the line break that ends its file too",
  breaks: ["MGT-C1"],
  replaces: "gateway/management/http/guard.node.ts#isSecret",
  by: (right, shown, secret) => right(shown, `${secret}\n`),
};
