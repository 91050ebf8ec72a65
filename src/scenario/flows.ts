// A flow that mixes keys or paths is several of one name side by side, one for each combination: who means the flow as
// it is written asks here.
import type { Flow } from "./types.ts";

/** Each flow of the file once, as its first part. */
export const wholeFlows = (flows: readonly Flow[]): readonly Flow[] =>
  flows.filter(({ mix }) => mix === undefined || mix.part === 0);

/** All parts of a flow, from its first one on. */
export const partsOf = (flows: readonly Flow[], { name }: Flow): readonly Flow[] =>
  flows.filter((each) => each.name === name);
