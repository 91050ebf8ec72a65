import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(path: string) => string | null> = {
  about: "escapes of plain letters are matched as they are written",
  breaks: ["EPT-C7"],
  replaces: "gateway/path.ts#decodeUnreserved",
  by: (_right, path) => path,
};
