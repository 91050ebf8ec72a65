import type { toRejection } from "#src/gateway/management/http/rejections.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof toRejection> = {
  about: "a body that is too long is 400",
  breaks: ["MGT-C1"],
  replaces: "gateway/management/http/rejections.ts#toRejection",
  by: (right, thrown) => {
    const refusal = right(thrown);
    return {
      ...refusal,
      message: refusal.message,
      status: refusal.status === 413 ? 400 : refusal.status,
    };
  },
};
