// A sender: a program that is told over its channel what to play, one order after the other, and ends with it.
import { runClosedLoop } from "./closed.node.ts";
import type { LoadFigures, LoadOrder, LoadProgress } from "./load.ts";
import { createOpenLoop } from "./open.node.ts";

export type SenderMessage =
  | { readonly progress: LoadProgress }
  | { readonly figures: LoadFigures }
  | { readonly failed: string };

const open = process.argv[2] === "open" ? createOpenLoop() : null;

const send = (message: SenderMessage): void => {
  if (process.connected) process.send?.(message);
};

process.on("disconnect", () => process.exit());
// Ctrl-C reaches every process of a terminal; who started this one keeps what was measured and then ends it.
process.on("SIGINT", () => {});
process.on("message", (order: LoadOrder) => {
  const onProgress = (progress: LoadProgress): void => send({ progress });
  (open === null ? runClosedLoop(order, onProgress) : open.run(order, onProgress)).then(
    (figures) => send({ figures }),
    (error: Error) => send({ failed: error.message }),
  );
});
