import type { toRejection } from "#src/gateway/management/http/rejections.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof toRejection> = {
  about: "an id or a path that nobody knows is 400",
  breaks: ["MGT-C1"],
  replaces: "gateway/management/http/rejections.ts#toRejection",
  by: (right, thrown) => {
    const { status, message, problems, headers } = right(thrown);
    return { status: status === 404 ? 400 : status, message, problems, headers };
  },
};
