import type { admit } from "#src/gateway/management/http/guard.node.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof admit> = {
  about: "wrong secrets of all interfaces are counted together",
  breaks: ["MGT-C1"],
  replaces: "gateway/management/http/guard.node.ts#admit",
  by: (right, attempts, shown, secret, unauthorised) =>
    right(attempts, { ...shown, at: "admin" }, secret, unauthorised),
};
