import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { MostPatient } from "../private.ts";

export const mutant: Mutant<MostPatient> = {
  about: "the policy that has requests wait the fewest times supplies the throttling",
  breaks: ["LIM-C9"],
  replaces: "limiter/core/resolve/merge.ts#mostPatient",
  by: (_right, known) =>
    known
      .flatMap(({ throttle }) => throttle ?? [])
      .toSorted((a, b) => a.retryLimit - b.retryLimit)[0] ?? null,
};
