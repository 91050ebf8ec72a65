import type { Mutant } from "../../../src/mutants/mutant.ts";

export const mutant: Mutant<() => void> = {
  about: "smoothing that starts above the rate is accepted",
  breaks: ["SMO-C4"],
  found: "wso2 product-apim 4086",
  replaces: "core/read/smoothing.ts#checkAgainstLimit",
  by: () => () => {},
};
