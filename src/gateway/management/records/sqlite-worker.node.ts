// The program of the thread in `sqlite-thread.node.ts`: opens the file, and runs requests in order.
import { parentPort, workerData } from "node:worker_threads";
import { SqliteError } from "./sqlite-failures.ts";
import { statementsIn, type SqliteOpening, type Statements } from "./sqlite-statements.node.ts";
import type { ThreadRequest, Failed, ThreadReply } from "./sqlite-thread.node.ts";

const port = parentPort!;

const encodeFailure = (error: unknown): Failed =>
  error instanceof SqliteError
    ? { failed: error.message, errcode: error.errcode }
    : { failed: String(error), errcode: null };

function attempt(work: () => ThreadReply): ThreadReply {
  try {
    return work();
  } catch (error) {
    return encodeFailure(error);
  }
}

const { statements, opened } = ((): { statements: Statements | null; opened: ThreadReply } => {
  try {
    const statements = statementsIn(workerData as SqliteOpening);
    return { statements, opened: { rows: [], changes: 0 } };
  } catch (error) {
    return { statements: null, opened: encodeFailure(error) };
  }
})();
port.postMessage([opened], []);
if (statements === null) port.close();
else serve(statements);

function serve({ run, apply, close }: Statements): void {
  const answer = (message: ThreadRequest): ThreadReply =>
    attempt(() => ("text" in message ? run(message.text, message.parameters) : apply(message)));
  port.on("message", (messages: readonly ThreadRequest[] | null) => {
    if (messages === null) {
      close();
      port.close();
    } else port.postMessage(messages.map(answer), []);
  });
}
