// One of several processes that serve together (`--workers`). It ignores signals and acts only on messages of its
// primary: a signal to all processes also reaches the primary, which then sends messages to its workers.
import { Rejection } from "../management/rejection.ts";
import { traceOf } from "../management/http/rejections.ts";
import { createPendingRequests, type ToPrimary, type ToWorker } from "./worker-messages.ts";

interface RunningWorker<Payload> {
  readonly reload: (payload: Payload) => void;
  readonly respond: (question: unknown) => Promise<unknown>;
  readonly drain: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

type RequestPrimary = (question: unknown) => Promise<unknown>;

/** Runs this process as a worker. If `start` throws, the primary gets the error's message, which is for the user. */
export function runWorker<Payload>(
  start: (payload: Payload, requestPrimary: RequestPrimary) => Promise<RunningWorker<Payload>>,
): void {
  const { promise: working, resolve: isWorking } = Promise.withResolvers<RunningWorker<Payload>>();
  const pending = createPendingRequests();
  const requestPrimary: RequestPrimary = (question) => pending.send(question, send);
  let isLeaving = false;

  const leave = async (how: "drain" | "stop"): Promise<void> => {
    if (isLeaving && how === "drain") return;
    isLeaving = true;
    await (await working)[how]();
    process.exit(0);
  };

  const begin = async (payload: Payload): Promise<void> => {
    try {
      isWorking(await start(payload, requestPrimary));
      send({ kind: "ready" });
    } catch (error) {
      const sentence = error instanceof Error ? error.message : String(error);
      send({ kind: "failed", sentence }, () => process.exit(1));
    }
  };

  const receive = async (message: ToWorker<Payload>): Promise<void> => {
    switch (message.kind) {
      case "start":
        return begin(message.payload);
      case "reload":
        return (await working).reload(message.payload);
      case "drain":
      case "stop":
        return leave(message.kind);
      case "request": {
        const { id, request } = message;
        const response = await (await working).respond(request).catch(nullFor);
        return send({ kind: "response", id, response });
      }
      case "response":
        return pending.receive(message);
    }
  };

  process.on("message", (message: ToWorker<Payload>) => void receive(message));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, ignoreSignal);
}

/** Returns null, which the primary treats as no response. Prints the error unless it is expected (`Rejection`). */
function nullFor(error: unknown): null {
  if (!(error instanceof Rejection)) process.stderr.write(`weir: ${traceOf(error)}\n`);
  return null;
}

const ignoreSignal = (): void => {};

/** Sends nothing if the primary has ended: Node then ends this worker too. */
function send(message: ToPrimary, onSent: () => void = () => {}): void {
  if (process.connected) process.send!(message, onSent);
}
