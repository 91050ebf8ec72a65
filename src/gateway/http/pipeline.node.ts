// Requests that a client sends before it has the responses to earlier ones (pipelining). Node emits all of them at
// once, and each would take a connection to an upstream, so that one client could use all connections. So only a few
// start at a time, and the others wait.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { endConnectionAfter } from "./message-faults.node.ts";

/** How many requests of one connection start early, in addition to the one whose response is being sent. */
export const MOST_AT_ONCE = 16;

/** The most waiting requests of a connection. With more, the connection ends after the last accepted request. */
export const MOST_WAITING = 4_000;

interface Pipeline {
  running: number;
  isAboutToGoOn: boolean;
  isOver: boolean;
  readonly waiting: (() => void)[];
}

const pipelines = new WeakMap<Socket, Pipeline>();

/** Whether this response is the next one to be sent on its connection. */
export const isNext = ({ socket }: ServerResponse): boolean => socket !== null;

/** Delays a request that is not next: calls `begin` in the order of requests, or never if the client leaves first. */
export function inTurn(from: IncomingMessage, to: ServerResponse, begin: () => void): void {
  const { socket } = from;
  const pipeline = pipelines.get(socket) ?? newPipeline(socket);
  const over = (): void => {
    pipeline.running--;
    if (pipeline.isAboutToGoOn || pipeline.waiting.length === 0) return;
    pipeline.isAboutToGoOn = true;
    setImmediate(goOn, pipeline); // requests of other connections start before these
  };
  const start = (): void => {
    pipeline.running++;
    to.once("close", over);
    begin();
  };
  if (pipeline.running < MOST_AT_ONCE && pipeline.waiting.length === 0) {
    start();
    return;
  }
  if (pipeline.waiting.push(start) <= MOST_WAITING) return;
  pipeline.isOver = true;
  endConnectionAfter(from, to);
  socket.pause();
}

function goOn(pipeline: Pipeline): void {
  pipeline.isAboutToGoOn = false;
  while (pipeline.running < MOST_AT_ONCE && pipeline.waiting.length > 0)
    pipeline.waiting.shift()!();
}

function newPipeline(socket: Socket): Pipeline {
  const pipeline: Pipeline = { running: 0, isAboutToGoOn: false, isOver: false, waiting: [] };
  pipelines.set(socket, pipeline);
  // Node reads on after each response, but a connection that is ending must stay paused.
  socket.on("resume", () => {
    if (pipeline.isOver) socket.pause();
  });
  socket.once("close", () => {
    pipeline.waiting.length = 0;
  });
  return pipeline;
}
