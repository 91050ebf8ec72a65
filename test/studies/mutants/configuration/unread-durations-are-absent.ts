import type { Problem } from "#src/kit/reading/problems.ts";
import type { durationIn } from "#src/limiter/world/values.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof durationIn> = {
  about: "a duration that cannot be read is taken for none",
  breaks: ["LIM-C2", "EPT-C4"],
  replaces: "limiter/world/values.ts#durationIn",
  by: (right, place, name) => {
    const problems: Problem[] = [];
    const read = right({ ...place, findings: { ...place.findings, problems } }, name);
    return read === "faulty" ? "absent" : read;
  },
};
