import type { Client } from "#src/limiter/core/client.ts";
import type { Limiter } from "#src/limiter/core/limiter.ts";
import type { Level, Reply } from "#src/limiter/core/store.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

type Remember = (limiter: Limiter, levels: readonly Level[], reply: Reply, client: Client) => void;

export const mutant: Mutant<Remember> = {
  about: "a gateway keeps nothing of what it has seen of allowances and quotas",
  breaks: ["ALG-C8"],
  replaces: "limiter/core/steps.ts#updateLastSeen",
  by: () => {},
};
