// The thread that `sqlite-thread.node.ts` starts: it opens the file, and does what it is asked in that order.
import { parentPort, workerData } from "node:worker_threads";
import { SqliteError } from "./sqlite-faults.ts";
import { statementsIn, type Opening, type Statements } from "./sqlite-statements.node.ts";
import type { Asked, Failed, Told } from "./sqlite-thread.node.ts";

const port = parentPort!;

const failed = (error: unknown): Failed =>
  error instanceof SqliteError
    ? { failed: error.message, errcode: error.errcode }
    : { failed: String(error), errcode: null };

function told(work: () => Told): Told {
  try {
    return work();
  } catch (error) {
    return failed(error);
  }
}

const { statements, opened } = ((): { statements: Statements | null; opened: Told } => {
  try {
    const statements = statementsIn(workerData as Opening);
    return { statements, opened: { rows: [], changes: 0 } };
  } catch (error) {
    return { statements: null, opened: failed(error) };
  }
})();
port.postMessage([opened], []);
if (statements === null) port.close();
else serve(statements);

function serve({ run, apply, close }: Statements): void {
  const answer = (asked: Asked): Told =>
    told(() => ("text" in asked ? run(asked.text, asked.parameters) : apply(asked)));
  port.on("message", (asked: readonly Asked[] | null) => {
    if (asked === null) {
      close();
      port.close();
    } else port.postMessage(asked.map(answer), []);
  });
}
