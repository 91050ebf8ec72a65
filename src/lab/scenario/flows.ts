// A flow that mixes keys or paths is stored as several flows with the same name, one for each combination. Code that
// needs the flow as in the file uses these functions.
import type { History } from "./history.ts";
import type { Flow, Variant } from "./types.ts";

/** Each flow of the file once, represented by its first part. */
export const wholeFlows = (flows: readonly Flow[]): readonly Flow[] =>
  flows.filter(({ mix }) => mix === undefined || mix.part === 0);

/** All parts of a flow, given its first part. */
export const partsOf = (flows: readonly Flow[], { name }: Flow): readonly Flow[] =>
  flows.filter((each) => each.name === name);

/** A flow of the history that the variant lacks, because the scenario file has changed since; null: none. */
export const unknownFlowIn = ({ header }: History, { traffic }: Variant): string | null =>
  header.flows.find(({ name }) => !traffic.some((flow) => flow.name === name))?.name ?? null;

/** Whether each client of the flow sends one request at a time. */
export const isSequential = ({ isSequential: isWritten, behaviour: { kind } }: Flow): boolean =>
  isWritten === true || kind === "atb" || kind === "aatb";
