// A request at its upstream: it is sent, perhaps a second time, and its response is streamed back. The class in
// passage.node.ts extends this one with the earlier steps, so that each request needs only one object.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Micros } from "../../kit/units.ts";
import type { RequestOutcome, GatewayRequest } from "../outcome.ts";
import type {
  ResponseControl,
  ResponseHandler,
  UpstreamRequest,
} from "../upstream/exchange.node.ts";
import type { ResponseHeaders } from "../upstream/response-head.ts";
import { writeError, writeJson } from "./answer.node.ts";
import { enter, leave, type ListEntry } from "./at-upstream.ts";
import { begin, giveUp, type Trying } from "./circuit.ts";
import { contentLengthOf, toClient, toUpstream } from "./end-to-end.ts";
import { endConnectionAfter, readOnForAMoment } from "./message-faults.node.ts";
import { RETRY } from "./rejections.ts";
import { bodyOf, hasBody, isRepeatable, bufferBody } from "./request-body.node.ts";
import { addOrigin } from "./trusted.node.ts";
import { kindOf, CLIENT_LEFT } from "./upstream-errors.ts";
import { NONE_UP, type Destination, type Upstream } from "./upstreams.node.ts";
import type { GatewayContext } from "./ways.node.ts";
import { whenOver } from "./when-over.node.ts";
import { resetConnection } from "./tls.node.ts";
import type { ApiDefinition } from "../../limiter/core/config.ts";

/** A streamed body is sent as it is received, so it cannot be sent again. */
type Body = Buffer | "streamed";

export abstract class Forwarding implements ResponseHandler, ListEntry, Trying {
  place = -1;
  abstract readonly turnUs: Micros;
  protected abstract readonly request: GatewayRequest;
  protected readonly context: GatewayContext;
  protected readonly from: IncomingMessage;
  protected readonly to: ServerResponse;
  protected outcome: RequestOutcome | null = null;
  protected upstreamUs = -1;
  protected add: readonly string[] = []; // headers added to the upstream's response: name, value, name, value
  #isWatched = false;
  // Not closures: they outlived their request, so garbage collection took longer (docs/inside/performance.md).
  #upstream: Upstream | null = null; // the upstream that the request was sent to
  #turn = 0; // turn of the request in that upstream's circuit
  #sentUs = -1; // when the whole request was sent to an upstream with a circuit; -1: not yet
  #again: UpstreamRequest | null = null; // the request to send again if the first try fails; null: it is not repeated
  #controller: ResponseControl | null = null;
  #hasHead = false; // the upstream has responded
  #isFull = false; // the client has to read before more is written
  #inOnePiece = -1; // length of a response body that may arrive as one chunk; -1: none may

  constructor(context: GatewayContext, from: IncomingMessage, to: ServerResponse) {
    this.context = context;
    this.from = from;
    this.to = to;
  }

  protected abstract onClose(): void;

  /** Forwards an admitted request. */
  protected goOn(): void {
    const { from } = this;
    if (!hasBody(from)) this.#forward(null);
    else if (!this.context.retries || !isRepeatable(from)) this.#forward("streamed");
    else {
      this.#waitForUpstream();
      // The destination is chosen when the body is complete, because a reload may change it while the body arrives.
      bufferBody(from, (body) => {
        if (this.place >= 0) this.#forward(body);
      });
    }
  }

  /** Forwards the request. `body` is null if the request has none. */
  #forward(body: Body | null): void {
    const { atUpstream, upstreams, withoutEcho } = this.context;
    const destination = upstreams.of(this.outcome!.api!);
    if (destination !== null && destination !== NONE_UP) {
      this.#send(destination, body);
      return;
    }
    leave(atUpstream, this);
    if (destination === NONE_UP) this.answerError(503, "No upstream of this API responds", RETRY);
    else if (withoutEcho) this.answerError(502, "This API has no upstream");
    else {
      this.reportResponse(200, -1);
      const { method } = this.request;
      writeJson(this.to, 200, { method, target: this.#targetAt("") }, this.add);
    }
  }

  /** The request target at an upstream; `base` is the upstream's own path. */
  #targetAt(base: string): string {
    const { api, path } = this.outcome!;
    return (base + onwardPath(api!, path) || "/") + queryOf(this.request.target);
  }

  #waitForUpstream(): void {
    if (this.place >= 0) return;
    enter(this.context.atUpstream, this);
    this.watch();
  }

  #send(destination: Destination, asIs: Body | null): void {
    const { from } = this;
    const { maxBodyBytes, trusted, names, retries } = this.context;
    const { keyless } = this.outcome!.api!;
    const headers = toUpstream(from.rawHeaders, from.headers.connection, keyless, names);
    addOrigin(headers, from, trusted);
    this.#waitForUpstream();
    const { method } = this.request;
    const path = this.#targetAt(destination.path);
    const isStreamed = asIs === "streamed";
    const body = isStreamed ? bodyOf(from, maxBodyBytes, () => this.#rejectBody()) : asIs;
    const sent = { method, path, headers, body };
    if (retries && !isStreamed && isRepeatable(from)) this.#again = sent;
    this.#dispatch(destination, sent);
  }

  #dispatch({ upstream }: Destination, sent: UpstreamRequest): void {
    const { pool, circuit } = upstream;
    this.#upstream = upstream;
    this.#sentUs = -1;
    if (circuit !== null) this.#turn = begin(circuit, this);
    pool.dispatch(sent, this);
  }

  /** Sends the request a second time, to another upstream if possible. False: there is no better upstream. */
  #sendAgain(sent: UpstreamRequest, isUnsent: boolean): boolean {
    const { upstreams, observer } = this.context;
    const failed = this.#upstream;
    const next = upstreams.of(this.outcome!.api!, failed);
    if (next === null || next === NONE_UP || (isUnsent && next.upstream === failed)) return false;
    observer.onRetry?.();
    this.#dispatch(next, { ...sent, path: this.#targetAt(next.path) });
    return true;
  }

  /** The upstream of the last try; null: the request was not sent. */
  protected get upstreamOrigin(): string | null {
    return this.#upstream?.origin ?? null;
  }

  get isHeldUp(): boolean {
    return !this.from.complete && !this.from.isPaused(); // if paused, the upstream causes the delay: it does not read
  }

  #recordUpstreamFailure(): void {
    const circuit = this.#upstream?.circuit ?? null;
    if (circuit !== null && !this.#hasHead) this.context.upstreams.onFailure(circuit, this.#turn);
  }

  protected leaveUpstream(): void {
    const circuit = this.#upstream?.circuit ?? null;
    if (circuit !== null && !this.#hasHead) giveUp(circuit, this.#turn);
    leave(this.context.atUpstream, this);
    this.#controller?.abort(CLIENT_LEFT);
  }

  /** Ends the request with an error response, or by breaking off a response that has begun. */
  fail(status: number, message: string): void {
    if (this.place < 0) return;
    this.leaveUpstream();
    if (this.to.headersSent) breakOff(this.to);
    else this.answerError(status, message);
  }

  protected answerError(status: number, message: string, add: readonly string[] = []): void {
    this.reportResponse(status, -1);
    writeError(this.to, status, message, [...this.add, ...add]);
  }

  /** Ends an exchange that took too long. If the upstream had the request for half of that time, it has failed. */
  timeOut(): void {
    if (this.place < 0) return;
    if (this.isHeldUp) {
      endConnectionAfter(this.from, this.to); // the rest of the body may still arrive, but is not read
      this.fail(408, "The body of the request took too long");
      return;
    }
    const sinceSentUs = this.context.gateway.clock() - this.#sentUs;
    if (this.#sentUs >= 0 && sinceSentUs >= this.#sentUs - this.turnUs)
      this.#recordUpstreamFailure();
    this.fail(504, "The answer took too long");
  }

  #rejectBody(): void {
    if (this.place < 0) return;
    this.fail(413, "Request body too large");
    readOnForAMoment(this.from);
  }

  protected reportResponse(status: number, upstreamUs: number): void {
    if (this.outcome !== null) this.context.observer.onResponse?.(this.outcome, status, upstreamUs);
  }

  protected watch(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    whenOver(this.from, this.to, () => this.onClose());
  }

  // -------------------------------------------------------------- called by the upstream's connection

  onRequestStart(controller: ResponseControl): void {
    if (this.place >= 0) this.#controller = controller;
    else controller.abort(CLIENT_LEFT);
  }

  onRequestSent(): void {
    if (this.#upstream!.circuit !== null) this.#sentUs = this.context.gateway.clock();
  }

  onResponseStart(_: ResponseControl, status: number, headers: ResponseHeaders): void {
    if (status < 200 || this.place < 0) return; // responses with a status of 1xx are not forwarded
    this.#hasHead = true;
    const { circuit } = this.#upstream!;
    if (circuit !== null) this.context.upstreams.onResponse(circuit, this.#turn);
    this.upstreamUs = this.context.gateway.clock() - this.turnUs;
    this.reportResponse(status, this.upstreamUs);
    if (this.context.isDraining()) this.to.shouldKeepAlive = false;
    const forwarded = toClient(status, headers);
    for (const each of this.add) forwarded.push(each);
    this.to.writeHead(status, forwarded);
    // A body without a length may arrive much later, so the headers are sent now unless the body has arrived too.
    const length = contentLengthOf(headers);
    if (length === null) process.nextTick(flush, this.to);
    else if (length <= SMALL) this.#inOnePiece = length;
  }

  onResponseData(controller: ResponseControl, chunk: Buffer): void {
    if (chunk.length === this.#inOnePiece && this.place >= 0) {
      // Node writes a string together with the headers, which halves the cost of writing.
      leave(this.context.atUpstream, this);
      this.to.end(chunk.toString("latin1"), "latin1");
      return;
    }
    this.#inOnePiece = -1;
    if (this.place < 0 || this.to.write(chunk) || this.#isFull) return;
    // Thousands of chunks that were read with this one may still arrive; `#isFull` stops them from adding listeners.
    this.#isFull = true;
    controller.pause();
    this.to.once("drain", () => {
      this.#isFull = false;
      controller.resume();
    });
  }

  onResponseEnd(): void {
    if (this.place < 0) return;
    leave(this.context.atUpstream, this);
    this.to.end();
  }

  onResponseError(_: ResponseControl, error: Error): void {
    const { isUnsent, isClosed, isLate } = kindOf(error);
    const sent = this.#again;
    this.#again = null;
    if (this.place >= 0 && !this.#hasHead) {
      // If the upstream closed because a slow client did not send the body, the upstream did not fail.
      if (!isClosed || !this.isHeldUp) this.#recordUpstreamFailure();
      if (sent !== null && (isUnsent || isClosed) && this.#sendAgain(sent, isUnsent)) return;
    }
    if (isLate) this.fail(504, "The upstream does not answer in time");
    else this.fail(502, "The upstream does not answer");
  }
}

const SMALL = 16_384;

/** Sends the headers at once, before the body. */
const flush = (to: ServerResponse): void => {
  if (!to.destroyed) to.flushHeaders();
};

/** Ends an incomplete response. In HTTP/1.0 it may look complete unless the connection is reset. */
function breakOff(to: ServerResponse): void {
  if (to.req.httpVersionMinor === 0 && to.socket !== null) resetConnection(to.socket);
  to.destroy();
}

/** The path for the upstream; empty for the listen path itself if that is stripped. */
const onwardPath = ({ stripListenPath, listenPath }: ApiDefinition, path: string): string =>
  !stripListenPath || listenPath === "/" ? path : path.slice(listenPath.length);

/** The query with its question mark. A fragment is cut off, because servers must not receive it. */
function queryOf(target: string): string {
  const start = target.indexOf("?");
  if (start < 0) return "";
  const end = target.indexOf("#");
  if (end < 0) return target.slice(start);
  return end < start ? "" : target.slice(start, end);
}
