import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { GrantOf } from "../private.ts";

export const mutant: Mutant<GrantOf> = {
  about: "where an own limit wins, the API draws on the merged root all the same",
  breaks: ["LIM-C6", "LIM-6"],
  replaces: "limiter/core/resolve/merge.ts#grantOf",
  by: (right, ...args) => {
    const grant = right(...args);
    return grant.own !== null && args[2] !== null
      ? { ...grant, own: null, drawsOnRoot: true }
      : grant;
  },
};
