import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(headers: Readonly<Record<string, string>>) => string | null> = {
  about: "a token without Bearer before it opens the studio and the dashboard",
  breaks: ["MGT-1"],
  replaces: "gateway/management/interfaces.ts#bearer",
  by: (right, headers) => right(headers) ?? headers["authorization"] ?? null,
};
