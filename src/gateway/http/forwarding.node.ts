// A request at its upstream: sent, perhaps once more, and its response streamed back. What comes before that is in
// passage.node.ts; it is one object with it, because there is one for each request.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Dispatcher } from "undici";
import type { Micros } from "../../core/units.ts";
import type { RequestOutcome, GatewayRequest } from "../outcome.ts";
import { writeError, writeJson } from "./answer.node.ts";
import { enter, leave, type Placed } from "./at-upstream.ts";
import { breakOff, flush } from "./break-off.node.ts";
import { begin, giveUp, type Trying } from "./circuit.ts";
import { toClient, toUpstream } from "./end-to-end.ts";
import { endConnectionAfter, readOnForAMoment } from "./message-faults.node.ts";
import { onwardPath, queryOf } from "./onward-path.ts";
import { RETRY } from "./rejections.ts";
import { bodyOf, hasBody, isRepeatable, keptBodyOf } from "./request-body.node.ts";
import { addOrigin } from "./trusted.node.ts";
import { kindOf, LEFT, type Headers } from "./upstream-errors.ts";
import { NONE_UP, type Destination, type Upstream } from "./upstreams.node.ts";
import type { Ways } from "./ways.node.ts";
import { whenOver } from "./when-over.node.ts";

/** Streamed: as it comes, which is once. */
type Body = Buffer | "streamed";

export abstract class Forwarding implements Dispatcher.DispatchHandler, Placed, Trying {
  place = -1;
  abstract readonly startUs: Micros;
  protected abstract readonly request: GatewayRequest;
  protected readonly ways: Ways;
  protected readonly from: IncomingMessage;
  protected readonly to: ServerResponse;
  protected outcome: RequestOutcome | null = null;
  protected upstreamUs = -1;
  protected add: readonly string[] = []; // to the answer of the upstream: name, value, name, value
  #isWatched = false;
  // In fields: a closure for each request outlived it, and made the collector copy it (docs/benchmarking.md).
  #upstream: Upstream | null = null; // that it is sent to
  #turn = 0; // of the circuit of that upstream
  #sentUs = -1; // when all of it had been sent to an upstream with a circuit; -1: not yet
  #again: Dispatcher.DispatchOptions | null = null; // what is sent once more; null: it is not
  #controller: Dispatcher.DispatchController | null = null;
  #hasHead = false; // the upstream has responded
  #inOnePiece = -1; // the length of an answer that may come as one; -1: of none

  constructor(ways: Ways, from: IncomingMessage, to: ServerResponse) {
    this.ways = ways;
    this.from = from;
    this.to = to;
  }

  protected abstract closed(): void;

  /** It is admitted. */
  protected goOn(): void {
    const { from } = this;
    if (!hasBody(from)) this.#forward(null);
    else if (!this.ways.retries || !isRepeatable(from)) this.#forward("streamed");
    else {
      this.#waitForUpstream();
      // Its destination is chosen when it is whole: no upstream waits for it, and a reload may come before.
      keptBodyOf(from, (body) => {
        if (this.place >= 0) this.#forward(body);
      });
    }
  }

  /** Null: nothing is sent as its body. */
  #forward(body: Body | null): void {
    const { atUpstream, upstreams, withoutEcho } = this.ways;
    const destination = upstreams.of(this.outcome!.api!);
    if (destination !== null && destination !== NONE_UP) {
      this.#send(destination, body);
      return;
    }
    leave(atUpstream, this);
    if (destination === NONE_UP) this.answerError(503, "No upstream of this API responds", RETRY);
    else if (withoutEcho) this.answerError(502, "This API has no upstream");
    else {
      this.answers(200, -1);
      const { method } = this.request;
      writeJson(this.to, 200, { method, target: this.#targetAt("") }, this.add);
    }
  }

  /** What is asked of an upstream, whose own path stands before it. */
  #targetAt(base: string): string {
    const { api, path } = this.outcome!;
    return (base + onwardPath(api!, path) || "/") + queryOf(this.request.target);
  }

  #waitForUpstream(): void {
    if (this.place >= 0) return;
    enter(this.ways.atUpstream, this);
    this.watch();
  }

  #send(destination: Destination, asIs: Body | null): void {
    const { from } = this;
    const { maxBodyBytes, trusted, names, retries } = this.ways;
    const { keyless } = this.outcome!.api!;
    const headers = toUpstream(from.rawHeaders, from.headers.connection, keyless, names);
    addOrigin(headers, from, trusted);
    this.#waitForUpstream();
    const { method } = this.request;
    const path = this.#targetAt(destination.path);
    const isStreamed = asIs === "streamed";
    const body = isStreamed ? bodyOf(from, maxBodyBytes, () => this.#bodyTooLong()) : asIs;
    const sent = { method, path, headers, body };
    if (retries && !isStreamed && isRepeatable(from)) this.#again = sent;
    this.#dispatch(destination, sent);
  }

  #dispatch({ upstream }: Destination, sent: Dispatcher.DispatchOptions): void {
    const { pool, circuit } = upstream;
    this.#upstream = upstream;
    this.#sentUs = -1;
    if (circuit !== null) this.#turn = begin(circuit, this);
    pool.dispatch(sent, this);
  }

  /** At most once, and to another upstream where there is one. False: there is none that could do better. */
  #sendAgain(sent: Dispatcher.DispatchOptions, isUnsent: boolean): boolean {
    const { upstreams, observer } = this.ways;
    const failed = this.#upstream;
    const next = upstreams.of(this.outcome!.api!, failed);
    if (next === null || next === NONE_UP || (isUnsent && next.upstream === failed)) return false;
    observer.retried?.();
    this.#dispatch(next, { ...sent, path: this.#targetAt(next.path) });
    return true;
  }

  /** That it was sent to, and sent to last; null: to none. */
  protected get upstreamOrigin(): string | null {
    return this.#upstream?.origin ?? null;
  }

  get isHeldUp(): boolean {
    return !this.from.complete && !this.from.isPaused(); // paused by an upstream that does not read
  }

  #upstreamFailed(): void {
    const circuit = this.#upstream?.circuit ?? null;
    if (circuit !== null && !this.#hasHead) this.ways.upstreams.failed(circuit, this.#turn);
  }

  protected leaveUpstream(): void {
    const circuit = this.#upstream?.circuit ?? null;
    if (circuit !== null && !this.#hasHead) giveUp(circuit, this.#turn);
    leave(this.ways.atUpstream, this);
    this.#controller?.abort(LEFT);
  }

  /** Ends it where the upstream has not: with an answer where there is none yet. */
  fail(status: number, message: string): void {
    if (this.place < 0) return;
    this.leaveUpstream();
    if (this.to.headersSent) breakOff(this.to);
    else this.answerError(status, message);
  }

  protected answerError(status: number, message: string, add: readonly string[] = []): void {
    this.answers(status, -1);
    writeError(this.to, status, message, [...this.add, ...add]);
  }

  /** The time for all of it is over: a failure of the upstream if most of it was spent with nothing missing but its response. */
  tooLate(): void {
    if (this.place < 0) return;
    if (this.isHeldUp) {
      endConnectionAfter(this.from, this.to); // the rest of the body may still come, and nobody waits for it
      this.fail(408, "The body of the request took too long");
      return;
    }
    const sinceSentUs = this.ways.gateway.clock() - this.#sentUs;
    if (this.#sentUs >= 0 && sinceSentUs >= this.#sentUs - this.startUs) this.#upstreamFailed();
    this.fail(504, "The answer took too long");
  }

  #bodyTooLong(): void {
    if (this.place < 0) return;
    this.fail(413, "Request body too large");
    readOnForAMoment(this.from);
  }

  protected answers(status: number, upstreamUs: number): void {
    if (this.outcome !== null) this.ways.observer.answered?.(this.outcome, status, upstreamUs);
  }

  protected watch(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    whenOver(this.from, this.to, () => this.closed());
  }

  // -------------------------------------------------------------- called by the upstream's connection

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.place >= 0) this.#controller = controller;
    else controller.abort(LEFT);
  }

  onRequestSent(): void {
    if (this.#upstream!.circuit !== null) this.#sentUs = this.ways.gateway.clock();
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200 || this.place < 0) return; // what is only preliminary is not passed on
    this.#hasHead = true;
    const { circuit } = this.#upstream!;
    if (circuit !== null) this.ways.upstreams.responded(circuit, this.#turn);
    this.upstreamUs = this.ways.gateway.clock() - this.startUs;
    this.answers(status, this.upstreamUs);
    if (this.ways.isDraining()) this.to.shouldKeepAlive = false;
    const kept = toClient(status, headers);
    for (const each of this.add) kept.push(each);
    this.to.writeHead(status, kept);
    // The body of an answer whose length is open may take its time, unless it is already here.
    const length = headers["content-length"];
    if (length === undefined) process.nextTick(flush, this.to);
    else if (Number(length) <= SMALL) this.#inOnePiece = Number(length);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (chunk.length === this.#inOnePiece && this.place >= 0) {
      // As text it goes out in one write with its headers, for half the price of two.
      leave(this.ways.atUpstream, this);
      this.to.end(chunk.toString("latin1"), "latin1");
      return;
    }
    this.#inOnePiece = -1;
    if (this.place < 0 || this.to.write(chunk)) return;
    controller.pause();
    this.to.once("drain", () => controller.resume());
  }

  onResponseEnd(): void {
    if (this.place < 0) return;
    leave(this.ways.atUpstream, this);
    this.to.end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const { isUnsent, isClosed, isLate } = kindOf(error);
    const sent = this.#again;
    this.#again = null;
    if (this.place >= 0 && !this.#hasHead) {
      // Also an upstream has a time for bodies, and what a slow client has let pass says nothing of it.
      if (!isClosed || !this.isHeldUp) this.#upstreamFailed();
      if (sent !== null && (isUnsent || isClosed) && this.#sendAgain(sent, isUnsent)) return;
    }
    if (isLate) this.fail(504, "The upstream does not answer in time");
    else this.fail(502, "The upstream does not answer");
  }
}

const SMALL = 16_384;
