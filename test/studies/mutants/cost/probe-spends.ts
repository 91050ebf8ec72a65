import type { Client } from "#src/limiter/core/client.ts";
import type { Limiter } from "#src/limiter/core/limiter.ts";
import type { Level, StoreOp } from "#src/limiter/core/store.ts";
import type { Micros } from "#src/kit/units.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type Probe = (limiter: Limiter, levels: readonly Level[], client: Client, atUs: Micros) => StoreOp;

export const mutant: Mutant<Probe> = {
  about: "the look whether the store is back judges and spends",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/steps.ts#probe",
  by: (right, limiter, levels, client, atUs) => {
    const op = right(limiter, levels, client, atUs);
    return op.op === "take" ? { ...op, intent: "spend" } : op;
  },
};
