// A worker in a thread of its own, so that it goes on while the thread of the test is held up. Ends with the first message.
import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { isFailure } from "#src/kit/reading/failure.ts";
import { connectQueue } from "#src/studies/queue/connection.node.ts";
import { workOn } from "#src/studies/queue/work.node.ts";
import { CODE, DOUBLES } from "./doubles.ts";

const connection = await connectQueue(workerData as string);
if (isFailure(connection) || connection === "unreachable") throw new Error("no Redis");
const computed = await workOn({
  connection,
  code: CODE,
  threads: 2,
  sweeps: [DOUBLES],
  report: () => {},
  onDone: () => {},
  stop: once(parentPort!, "message").then(() => "stop"),
});
connection.disconnect();
parentPort!.postMessage(computed, []);
parentPort!.close();
