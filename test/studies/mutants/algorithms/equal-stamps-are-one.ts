import { newest, type insert } from "#src/limiter/algorithms/sliding-log/stamps.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof insert> = {
  about: "two attempts at one instant are one entry of the log",
  breaks: ["ALG-C2"],
  found: "voxpery 91",
  replaces: "limiter/algorithms/sliding-log/stamps.ts#insert",
  by: (right, rows, row, stampUs, units) => {
    if (newest(rows, row, 1) !== stampUs) right(rows, row, stampUs, units);
  },
};
