// The thread that `sqlite-thread.node.ts` starts: it opens the file, and does what it is asked in that order.
import { parentPort, workerData } from "node:worker_threads";
import { SqliteError } from "./sqlite-faults.ts";
import type { Ran, Runner } from "./sqlite-runner.ts";
import { statementsIn, type Opening } from "./sqlite-statements.node.ts";
import type { Asked, Failed, Told } from "./sqlite-thread.node.ts";

const port = parentPort!;

function failed(error: unknown): Failed {
  if (error instanceof SqliteError) {
    const { message, errcode, isWithin } = error;
    return { message, errcode, isWithin };
  }
  return { message: String(error), errcode: null, isWithin: false };
}

function told(work: () => Told): Told {
  try {
    return work();
  } catch (error) {
    return failed(error);
  }
}

const { runner, opened } = ((): { runner: Runner | null; opened: Told } => {
  try {
    return { runner: statementsIn(workerData as Opening), opened: { rows: [], changes: 0 } };
  } catch (error) {
    return { runner: null, opened: failed(error) };
  }
})();
port.postMessage([opened], []);
if (runner === null) port.close();
else serve(runner);

function serve({ run, close }: Runner): void {
  port.on("message", (asked: Asked | null) => {
    if (asked === null) {
      void close();
      port.close();
      return;
    }
    port.postMessage(asked.map(([text, parameters]) => told(() => run(text, parameters) as Ran)));
  });
}
