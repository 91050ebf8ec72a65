import type { isProbeDue } from "#src/limiter/core/health.ts";
import { micros, SECOND } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof isProbeDue> = {
  about: "the store is looked after every two seconds",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/health.ts#isProbeDue",
  by: (right, health, nowUs) => right(health, micros(nowUs - SECOND)),
};
