import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<(here: readonly never[], method: string, path: string) => Error> = {
  about: "a method that is not there is 404",
  breaks: ["MGT-C1"],
  replaces: "gateway/management/http/requests.ts#unknownPathRejection",
  by: (right, _, method, path) => right([], method, path),
};
