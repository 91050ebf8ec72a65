// An admitted request on its way to the upstream and back, streamed both ways.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Dispatcher } from "undici";
import type { Micros } from "../core/units.ts";
import { writeError } from "./answer.node.ts";
import { toClient, toUpstream } from "./end-to-end.ts";
import { bodyOf, hasBody } from "./request-body.node.ts";
import { addOrigin, type Trusted } from "./trusted.node.ts";
import type { Destination } from "./upstreams.node.ts";

export interface Forwarding {
  readonly destination: Destination;
  readonly target: string; // path and query as they go on
  readonly isKeyless: boolean;
  readonly trusted: Trusted;
  readonly maxBodyBytes: number;
  readonly add: readonly string[]; // headers to the answer: name, value, name, value
  readonly startUs: Micros;
  readonly running: Set<Passage>;
  readonly heard: () => void; // the upstream has begun to answer
}

/** One request at its upstream. */
export class Passage implements Dispatcher.DispatchHandler {
  readonly startUs: Micros;
  readonly #to: ServerResponse;
  readonly #forwarding: Forwarding;
  #controller: Dispatcher.DispatchController | null = null;
  #isOver = false;

  constructor(to: ServerResponse, forwarding: Forwarding) {
    this.#to = to;
    this.#forwarding = forwarding;
    this.startUs = forwarding.startUs;
    forwarding.running.add(this);
  }

  /** Ends it where the upstream has not: with an answer where there is none yet. */
  fail(status: number, message: string): void {
    if (this.#isOver) return;
    this.leave();
    if (!this.#to.headersSent) writeError(this.#to, status, message, this.#forwarding.add);
    else breakOff(this.#to);
  }

  /** An answer that waits for its turn on a connection is not told when that is closed. */
  tellIfGone(): void {
    if (this.#to.socket === null && this.#to.req.socket.destroyed) this.#to.emit("close");
  }

  /** The client has gone, or has been answered. */
  leave(): void {
    if (this.#isOver) return;
    this.#over();
    this.#controller?.abort(LEFT);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isOver) controller.abort(LEFT);
    else this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200 || this.#isOver) return; // what is only preliminary is not passed on
    this.#forwarding.heard();
    this.#to.writeHead(status, [...toClient(status, headers), ...this.#forwarding.add]);
    // The body of an answer whose length is open may take its time, unless it is already here.
    if (headers["content-length"] === undefined) process.nextTick(flush, this.#to);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver || this.#to.write(chunk)) return;
    controller.pause();
    this.#to.once("drain", () => controller.resume());
  }

  onResponseEnd(): void {
    if (this.#isOver) return;
    this.#over();
    this.#to.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if ("code" in error && LATE.has(error.code))
      this.fail(504, "The upstream does not answer in time");
    else this.fail(502, "The upstream does not answer");
  }

  #over(): void {
    this.#isOver = true;
    this.#forwarding.running.delete(this);
  }
}

const flush = (to: ServerResponse): void => {
  if (!to.destroyed) to.flushHeaders();
};

const LEFT = new Error("nobody waits for the answer");
const LATE: ReadonlySet<unknown> = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
  "ETIMEDOUT",
]);

/** An answer without a length ends with its connection, so only a reset tells that it was not the end. */
function breakOff(to: ServerResponse): void {
  if (to.req.httpVersionMinor === 0) to.socket?.resetAndDestroy();
  to.destroy();
}

export function forward(from: IncomingMessage, to: ServerResponse, forwarding: Forwarding): void {
  const { destination, target, isKeyless, trusted, maxBodyBytes } = forwarding;
  const passage = new Passage(to, forwarding);
  const { headers } = from;
  const onward = toUpstream(from.rawHeaders, headers.connection, isKeyless);
  addOrigin(onward, from, trusted);
  const body = hasBody(from)
    ? bodyOf(from, maxBodyBytes, () => passage.fail(413, "Request body too large"))
    : null;
  to.on("close", () => passage.leave());
  destination.pool.dispatch(
    { method: from.method ?? "GET", path: target, headers: onward, body },
    passage,
  );
}
