import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(management: never, status: number, stored: never) => unknown> = {
  about: "a profile that is made is answered with 200",
  breaks: ["MGT-C8"],
  replaces: "gateway/management/broker/profiles.ts#profileResponse",
  by: (right, management, _, stored) => right(management, 200, stored),
};
