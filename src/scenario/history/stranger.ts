import type { History } from "../history.ts";
import type { Variant } from "../types.ts";

/** A flow of the history that the variant does not have, so that it cannot judge it: one of the two has changed since. */
export const strangerIn = ({ header }: History, { traffic }: Variant): string | null =>
  header.flows.find(({ name }) => !traffic.some((flow) => flow.name === name))?.name ?? null;
