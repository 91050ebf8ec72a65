import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { NoteUnknown } from "../private.ts";

export const mutant: Mutant<NoteUnknown> = {
  about: "nothing is said of a policy that is not there",
  breaks: ["LIM-C7"],
  replaces: "limiter/world/key.ts#noteUnknown",
  by: (right, place, ...more) =>
    right({ ...place, findings: { ...place.findings, problems: [] } }, ...more),
};
