// A sender: a program that is told over its channel what to play, one order after the other, and ends with it.
import { playClosed } from "./closed.node.ts";
import type { LoadFigures, Order, Progress } from "./load.ts";
import { openLoop } from "./open.node.ts";

export type FromSender =
  | { readonly progress: Progress }
  | { readonly figures: LoadFigures }
  | { readonly failed: string };

const open = process.argv[2] === "open" ? openLoop() : null;

const tell = (message: FromSender): void => {
  if (process.connected) process.send?.(message);
};

process.on("disconnect", () => process.exit());
// Ctrl-C reaches every process of a terminal; who started this one keeps what was measured and then ends it.
process.on("SIGINT", () => {});
process.on("message", (order: Order) => {
  const heard = (progress: Progress): void => tell({ progress });
  (open === null ? playClosed(order, heard) : open.play(order, heard)).then(
    (figures) => tell({ figures }),
    (error: Error) => tell({ failed: error.message }),
  );
});
