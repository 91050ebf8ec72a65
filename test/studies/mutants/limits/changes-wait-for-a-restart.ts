import type { reconfigure } from "#src/gateway/gateway.ts";
import type { Mutant } from "#src/studies/mutants/mutant.ts";

export const mutant: Mutant<typeof reconfigure> = {
  about: "a changed limit has no effect until the gateway restarts",
  breaks: ["LIM-C11", "MGT-C5"],
  found: "kong 3175",
  replaces: "gateway/gateway.ts#reconfigure",
  by: () => {},
};
