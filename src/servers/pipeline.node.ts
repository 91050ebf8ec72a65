// Requests that a client sends before it has the answers to earlier ones. Node hands over all of them as soon as they are
// read, and each would take a connection to its upstream: one client could take all that the process may open. So only
// some go on at a time, and the others wait.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Of one connection, behind the request that is being answered. */
export const MOST_AT_ONCE = 16;

/** So many may wait, and what one read of the connection holds: then it is not read, and nobody hears that its client leaves. */
const MOST_WAITING = 1_000;

interface Pipeline {
  running: number;
  readonly waiting: (() => void)[];
}

const pipelines = new WeakMap<Socket, Pipeline>();

/** Whether no request of its connection is answered before it. */
export const isNext = ({ socket }: ServerResponse): boolean => socket !== null;

/** For requests that are not next: calls `begin` in their order, and never if the client leaves before that. */
export function inTurn(from: IncomingMessage, to: ServerResponse, begin: () => void): void {
  const { socket } = from;
  const pipeline = pipelines.get(socket) ?? newPipeline(socket);
  const start = (): void => {
    pipeline.running++;
    to.once("close", over);
    begin();
  };
  const over = (): void => {
    pipeline.running--;
    const isFull = pipeline.waiting.length >= MOST_WAITING;
    pipeline.waiting.shift()?.();
    if (isFull && pipeline.waiting.length < MOST_WAITING) socket.resume();
  };
  if (pipeline.running < MOST_AT_ONCE) start();
  else {
    pipeline.waiting.push(start);
    if (pipeline.waiting.length >= MOST_WAITING) socket.pause();
  }
}

function newPipeline(socket: Socket): Pipeline {
  const pipeline: Pipeline = { running: 0, waiting: [] };
  pipelines.set(socket, pipeline);
  // Node reads on with each answer that has been sent.
  socket.on("resume", () => {
    if (pipeline.waiting.length >= MOST_WAITING) socket.pause();
  });
  socket.once("close", () => {
    pipeline.waiting.length = 0;
  });
  return pipeline;
}
