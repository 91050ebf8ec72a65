// One of several processes that serve together (`--workers`). It does what its primary says and nothing else:
// a signal to the whole group reaches the primary as well, which passes on what follows from it.
import { Rejection } from "../management/rejection.ts";
import { traceOf } from "../management/http/refused.ts";
import { inquiry, type ToPrimary, type ToWorker } from "./worker-messages.ts";

export interface Working<Payload> {
  readonly reload: (payload: Payload) => void;
  readonly answer: (question: unknown) => Promise<unknown>;
  readonly drain: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export type AskPrimary = (question: unknown) => Promise<unknown>;

/** `start` fails with a sentence for the user, and then so does the whole start, or this replacement. */
export function work<Payload>(
  start: (payload: Payload, ask: AskPrimary) => Promise<Working<Payload>>,
): void {
  const { promise: working, resolve: isWorking } = Promise.withResolvers<Working<Payload>>();
  const asked = inquiry();
  const ask: AskPrimary = (question) => asked.ask(question, say);
  let isLeaving = false;

  const leave = async (how: "drain" | "stop"): Promise<void> => {
    if (isLeaving && how === "drain") return;
    isLeaving = true;
    await (await working)[how]();
    process.exit(0);
  };

  const begin = async (payload: Payload): Promise<void> => {
    try {
      isWorking(await start(payload, ask));
      say({ kind: "ready" });
    } catch (error) {
      const sentence = error instanceof Error ? error.message : String(error);
      say({ kind: "failed", sentence }, () => process.exit(1));
    }
  };

  const hear = async (message: ToWorker<Payload>): Promise<void> => {
    switch (message.kind) {
      case "start":
        return begin(message.payload);
      case "reload":
        return (await working).reload(message.payload);
      case "drain":
      case "stop":
        return leave(message.kind);
      case "ask": {
        const { id, question } = message;
        const answer = await (await working).answer(question).catch(withoutAnswer);
        return say({ kind: "answer", id, answer });
      }
      case "answer":
        return asked.hear(message);
    }
  };

  process.on("message", (message: ToWorker<Payload>) => void hear(message));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, leftToPrimary);
}

/** The primary takes null for a worker that has nothing to answer, as it does while its database is away. */
function withoutAnswer(error: unknown): null {
  if (!(error instanceof Rejection)) process.stderr.write(`weir: ${traceOf(error)}\n`);
  return null;
}

const leftToPrimary = (): void => {};

/** A worker whose primary is gone goes with it: Node sees to that. */
function say(message: ToPrimary, sent: () => void = () => {}): void {
  if (process.connected) process.send!(message, sent);
}
