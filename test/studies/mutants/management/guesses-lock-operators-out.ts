import { isSecret, type admit } from "#src/gateway/management/http/guard.node.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof admit> = {
  about: "after too many wrong secrets of an address, the right one is refused as well",
  breaks: ["MGT-C1"],
  replaces: "gateway/management/http/guard.node.ts#admit",
  by: (right, attempts, shown, secret, unauthorised) => {
    if (
      shown.credential !== null &&
      isSecret(shown.credential, secret) &&
      attempts.fail(shown.at, shown.address) > 0
    )
      return right(attempts, { ...shown, credential: "" }, secret, unauthorised);
    return right(attempts, shown, secret, unauthorised);
  },
};
