// The program of a load generator: it runs one order after the other from its channel, and ends with the channel.
import { runClosedLoop } from "./closed.node.ts";
import type { LoadFigures, LoadOrder, LoadProgress } from "./load.ts";
import { createOpenLoop } from "./open.node.ts";

export type SenderMessage =
  | { readonly progress: LoadProgress }
  | { readonly figures: LoadFigures }
  | { readonly failed: string };

const open = process.argv[2] === "open" ? createOpenLoop() : null;

/** A failure to send is ignored: the parent has ended, and `disconnect` ends this process in a moment. */
const send = (message: SenderMessage): void => {
  if (process.connected) process.send?.(message, () => {});
};

process.on("disconnect", () => process.exit());
// Ctrl-C reaches every process of a terminal: the parent first saves the measurements and then ends this one.
process.on("SIGINT", () => {});
process.on("message", (order: LoadOrder) => {
  const onProgress = (progress: LoadProgress): void => send({ progress });
  (open === null ? runClosedLoop(order, onProgress) : open.run(order, onProgress)).then(
    (figures) => send({ figures }),
    (error: Error) => send({ failed: error.message }),
  );
});
