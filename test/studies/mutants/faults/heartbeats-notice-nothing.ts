import type { Mutant } from "#src/studies/mutants/mutant.ts";
import type { Node } from "#src/lab/sim/engine.ts";

type NoteOnce = (node: Node) => (hasFailed: boolean) => void;

export const mutant: Mutant<NoteOnce> = {
  about: "a heartbeat that the store loses or carries says nothing of the store",
  breaks: ["ALG-C8"],
  replaces: "lab/sim/heartbeats.ts#noteOnce",
  by: () => () => {},
};
