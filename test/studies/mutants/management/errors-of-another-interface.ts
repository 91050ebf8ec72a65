import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(name: string, reply: never, refusal: never) => unknown> = {
  about: "every error has the form of the admin interface",
  breaks: ["MGT-C2", "MGT-C6", "MGT-7"],
  replaces: "gateway/management/http/management.node.ts#sendRejection",
  by: (right, _, reply, refusal) => right("admin", reply, refusal),
};
