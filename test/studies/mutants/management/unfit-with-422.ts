import type { toRejection } from "#src/gateway/management/http/rejections.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof toRejection> = {
  about: "a body that does not fit is 422",
  breaks: ["MGT-C1"],
  replaces: "gateway/management/http/rejections.ts#toRejection",
  by: (right, thrown) => {
    const { status, message, problems, headers } = right(thrown);
    return { status: status === 400 ? 422 : status, message, problems, headers };
  },
};
