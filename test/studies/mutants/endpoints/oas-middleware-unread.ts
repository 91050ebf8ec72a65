import type { PlacedObject } from "#src/limiter/world/place.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<
  (owner: PlacedObject, ...rest: readonly unknown[]) => readonly unknown[]
> = {
  about: "operations in the middleware of the extension are not read",
  breaks: ["EPT-4"],
  replaces: "limiter/world/oas.ts#readLimitedOperations",
  by: (right, owner, ...rest) => (owner.path.at(-1) === "middleware" ? [] : right(owner, ...rest)),
};
