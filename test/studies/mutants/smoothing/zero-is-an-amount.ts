import { member, type PlacedObject } from "#src/limiter/world/place.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type AmountIn = (place: PlacedObject, name: string) => number | null;

export const mutant: Mutant<AmountIn> = {
  about: "a threshold, step or trigger of 0 is accepted",
  breaks: ["SMO-C4"],
  replaces: "limiter/world/smoothing.ts#amountIn",
  by: (right, place, name) => (member(place, name) === 0 ? 0 : right(place, name)),
};
