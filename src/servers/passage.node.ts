// One request on its way through the gateway: decided, then refused or sent to its upstream, whose answer is
// streamed back. There is one object for each, because there are many of them.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Dispatcher } from "undici";
import { optionsOf } from "../core/limiter.ts";
import type { Sender } from "../core/client.ts";
import type { Micros } from "../core/units.ts";
import { asksWho, isSessionOpen } from "../gateway/handle.ts";
import { UNDECIDED, type Outcome, type Request } from "../gateway/outcome.ts";
import { REFUSALS } from "../gateway/refusals.ts";
import { limitHeaders } from "../gateway/headers.ts";
import { writeError, writeJson, writeRefusal, writeRejection } from "./answer.node.ts";
import { enter, leave, type Placed } from "./at-upstream.ts";
import { credentialIn, hasTwoCredentials } from "../gateway/credential.ts";
import { breakOff, flush } from "./break-off.node.ts";
import { giveUp } from "./circuit.ts";
import { decide, type Leave } from "./decide.node.ts";
import { toClient, toUpstream } from "./end-to-end.ts";
import { readOnForAMoment } from "./message-faults.node.ts";
import { lookUpInTime } from "./key-lookup.node.ts";
import { onwardPath, queryOf } from "./onward-path.ts";
import { REJECTIONS, RETRY, type ProtectionReason } from "./rejections.ts";
import { bodyOf, hasBody, isRepeatable, keptBodyOf } from "./request-body.node.ts";
import { addOrigin, clientOf } from "./trusted.node.ts";
import type { Minute } from "./minute-counts.ts";
import type { UnknownKeys } from "./unknown-keys.ts";
import { kindOf, LEFT, type Headers } from "./upstream-errors.ts";
import { NONE_UP, type Destination } from "./upstreams.node.ts";
import type { KeySource, Ways } from "./ways.node.ts";
import { whenOver } from "./when-over.node.ts";

export class Passage implements Dispatcher.DispatchHandler, Placed, Sender {
  place = -1;
  readonly startUs: Micros;
  readonly #ways: Ways;
  readonly #from: IncomingMessage;
  readonly #to: ServerResponse;
  readonly #request: Request;
  readonly #sentBefore: number;
  readonly #clientAddress: string; // read now: a closed connection no longer has one
  readonly #isExpecting: boolean; // the client waits for 100 before it sends the body
  #outcome: Outcome | null = null;
  #leave: Leave | null = null;
  #upstreamUs = -1;
  #add: readonly string[] = []; // to the answer of the upstream: name, value, name, value
  #controller: Dispatcher.DispatchController | null = null;
  #isWatched = false;
  // In fields: a closure for each request outlived it, and made the collector copy it (docs/benchmarking.md).
  #destination: Destination | null = null;
  #again: Dispatcher.DispatchOptions | null = null; // what is sent once more; null: it is not
  #hasHead = false; // the upstream has responded
  #rejected: ProtectionReason | null = null;
  #unknown: Minute | null = null; // its key has been counted as unknown in it
  #inOnePiece = -1; // the length of an answer that may come as one; -1: of none

  constructor(ways: Ways, from: IncomingMessage, to: ServerResponse, isExpecting: boolean) {
    this.#ways = ways;
    this.#from = from;
    this.#to = to;
    this.#isExpecting = isExpecting;
    this.#sentBefore = ways.observer.exchange === null ? 0 : from.socket.bytesWritten;
    this.#clientAddress = ways.observer.exchange === null ? "" : clientOf(from, ways.trusted);
    this.startUs = ways.gateway.clock();
    const isAmbiguous = hasTwoCredentials(from.rawHeaders);
    this.#request = {
      method: from.method ?? "GET",
      target: from.url ?? "/",
      credential: isAmbiguous ? null : credentialIn(from.headers), // neither is looked up
      hasTwoCredentials: isAmbiguous,
      sender: this,
    };
  }

  get address(): string {
    return clientOf(this.#from, this.#ways.trusted);
  }

  header(name: string): string | null {
    return [this.#from.headers[name] ?? []].flat().join(", ") || null;
  }

  begin(): void {
    const { keys, gateway } = this.#ways;
    const { credential } = this.#request;
    if (
      keys === null ||
      credential === null ||
      isSessionOpen(gateway, credential) || // which the decision looks up again, and finds at once
      keys.isKnown(credential) ||
      !asksWho(gateway, this.#request)
    )
      this.#decide();
    else this.#lookUp(keys, credential);
  }

  #lookUp(keys: KeySource, credential: string): void {
    const { unknownKeys } = this.#ways;
    this.#watch();
    if (unknownKeys !== null) {
      this.#unknown = unknownKeys.count(this.address);
      if (this.#unknown === null) {
        this.#rejectUnknown(unknownKeys, UNDECIDED);
        return;
      }
    }
    lookUpInTime(keys, credential, (failure) => {
      if (failure !== null) this.#isKnown();
      if (this.#to.destroyed) return;
      if (failure === null) {
        this.#decide();
        return;
      }
      if (this.#isExpecting) this.#to.shouldKeepAlive = false; // the body may come or not
      this.#outcome = UNDECIDED;
      this.#answers(503, -1);
      writeError(this.#to, 503, "Keys cannot be looked up", RETRY);
    });
  }

  #decide(): void {
    const { gateway, store, observer } = this.#ways;
    this.#leave = decide(gateway, store, this.#request, (outcome) => this.#decided(outcome));
    if (this.#leave !== null || observer.exchange !== null) this.#watch();
  }

  /** Its key, or that it could not be found out, takes back what was counted. */
  #isKnown(): void {
    if (this.#unknown !== null) this.#unknown.count--;
    this.#unknown = null;
  }

  /** Whether its key is unknown, and its address has shown too many of these. */
  #isOneTooMany({ refused, session }: Outcome, unknownKeys: UnknownKeys): boolean {
    const isUnknown = refused === REFUSALS.noAccess && session === null;
    if (!isUnknown) this.#isKnown();
    return isUnknown && this.#unknown === null && unknownKeys.count(this.address) === null;
  }

  #rejectUnknown(unknownKeys: UnknownKeys, outcome: Outcome): void {
    const { reason, status } = REJECTIONS.unknownKeys;
    const { observer } = this.#ways;
    this.#outcome = outcome;
    this.#rejected = reason;
    observer.rejected?.(reason, this.startUs);
    if (this.#isExpecting) this.#to.shouldKeepAlive = false; // the body may come or not
    this.#answers(status, -1);
    writeRejection(this.#to, REJECTIONS.unknownKeys, unknownKeys.secondsLeft(this.address));
  }

  #watch(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    whenOver(this.#from, this.#to, () => this.#closed());
  }

  /** Ends it where the upstream has not: with an answer where there is none yet. */
  fail(status: number, message: string): void {
    if (this.place < 0) return;
    this.#leaveUpstream();
    if (this.#to.headersSent) {
      breakOff(this.#to);
      return;
    }
    this.#answers(status, -1);
    writeError(this.#to, status, message, this.#add);
  }

  #bodyTooLong(): void {
    if (this.place < 0) return;
    this.fail(413, "Request body too large");
    readOnForAMoment(this.#from);
  }

  #answers(status: number, upstreamUs: number): void {
    if (this.#outcome !== null) this.#ways.observer.answered?.(this.#outcome, status, upstreamUs);
  }

  #closed(): void {
    if (this.#outcome === null) this.#leave?.();
    if (this.place >= 0) this.#leaveUpstream();
    const to = this.#to;
    const { socket, headers } = this.#from;
    const { observer, gateway } = this.#ways;
    observer.exchange?.({
      request: this.#request,
      outcome: this.#outcome,
      status: to.headersSent ? to.statusCode : 0,
      startUs: this.startUs,
      endUs: gateway.clock(),
      upstreamUs: this.#upstreamUs,
      bytesSent: socket.bytesWritten - this.#sentBefore,
      clientAddress: this.#clientAddress,
      requestId: [headers["x-request-id"] ?? null].flat()[0] ?? null,
      rejected: this.#rejected,
      isWhole: to.writableFinished,
    });
  }

  // -------------------------------------------------------------- decided

  #decided(outcome: Outcome): void {
    const { gateway, observer, upstreams, unknownKeys } = this.#ways;
    const to = this.#to;
    this.#outcome = outcome;
    observer.decided?.(outcome, this.#from.headers, this.startUs);
    if (to.destroyed) return;
    if (this.#ways.isDraining()) to.shouldKeepAlive = false;
    if (unknownKeys !== null && this.#isOneTooMany(outcome, unknownKeys)) {
      this.#rejectUnknown(unknownKeys, outcome);
      return;
    }
    const { api, decision, refused, path } = outcome;
    if (decision !== null) {
      const style = optionsOf(gateway.limiter).rateLimitHeaders;
      const add: string[] = [];
      for (const [name, value] of limitHeaders(decision, style, gateway.clock()))
        add.push(name, value);
      this.#add = add;
    }
    if (refused !== null) {
      if (this.#isExpecting) to.shouldKeepAlive = false; // the body may come or not
      this.#answers(refused.status, -1);
      writeRefusal(to, refused, this.#add);
      return;
    }
    if (this.#isExpecting) to.writeContinue();
    if (api === null) throw new Error(`${path} was admitted to no API`);
    const destination = upstreams.of(api);
    if (destination === NONE_UP) {
      this.#answers(503, -1);
      writeError(to, 503, "No upstream of this API responds", [...this.#add, ...RETRY]);
      return;
    }
    if (destination === null && this.#ways.withoutEcho) {
      this.#answers(502, -1);
      writeError(to, 502, "This API has no upstream", this.#add);
      return;
    }
    const target = (destination === null ? "" : destination.path) + onwardPath(api, path) || "/";
    const whole = target + queryOf(this.#request.target);
    if (destination === null) {
      this.#answers(200, -1);
      writeJson(to, 200, { method: this.#from.method, target: whole }, this.#add);
    } else this.#send(destination, whole, api.keyless);
  }

  #send(destination: Destination, path: string, isKeyless: boolean): void {
    const from = this.#from;
    const { atUpstream, maxBodyBytes, trusted, names, retries } = this.#ways;
    const headers = toUpstream(from.rawHeaders, from.headers.connection, isKeyless, names);
    addOrigin(headers, from, trusted);
    enter(atUpstream, this);
    this.#watch();
    this.#destination = destination;
    const { method } = this.#request;
    const mayRepeat = retries && isRepeatable(from);
    if (!hasBody(from)) this.#dispatch({ method, path, headers, body: null }, mayRepeat);
    else if (mayRepeat)
      keptBodyOf(from, (body) => this.#dispatch({ method, path, headers, body }, true));
    else {
      const body = bodyOf(from, maxBodyBytes, () => this.#bodyTooLong());
      this.#dispatch({ method, path, headers, body }, false);
    }
  }

  #dispatch(sent: Dispatcher.DispatchOptions, mayRepeat: boolean): void {
    if (this.place < 0) return; // it is over already
    if (mayRepeat) this.#again = sent;
    this.#destination!.pool.dispatch(sent, this);
  }

  /** At most once, and to another upstream where there is one. */
  #sendAgain(sent: Dispatcher.DispatchOptions, failed: Destination, isUnsent: boolean): boolean {
    const { upstreams, observer } = this.#ways;
    const next = upstreams.of(this.#outcome!.api!, failed);
    if (next === null || next === NONE_UP || (isUnsent && next === failed)) return false;
    const path = next.path + sent.path.slice(failed.path.length);
    this.#destination = next;
    observer.retried?.();
    next.pool.dispatch({ ...sent, path }, this);
    return true;
  }

  #leaveUpstream(): void {
    const circuit = this.#destination?.circuit ?? null;
    if (circuit !== null && !this.#hasHead) giveUp(circuit);
    leave(this.#ways.atUpstream, this);
    this.#controller?.abort(LEFT);
  }

  // -------------------------------------------------------------- called by the upstream's connection

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.place >= 0) this.#controller = controller;
    else controller.abort(LEFT);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status < 200 || this.place < 0) return; // what is only preliminary is not passed on
    this.#hasHead = true;
    const circuit = this.#destination!.circuit;
    if (circuit !== null) this.#ways.upstreams.responded(circuit);
    this.#upstreamUs = this.#ways.gateway.clock() - this.startUs;
    this.#answers(status, this.#upstreamUs);
    if (this.#ways.isDraining()) this.#to.shouldKeepAlive = false;
    const kept = toClient(status, headers);
    for (const each of this.#add) kept.push(each);
    this.#to.writeHead(status, kept);
    // The body of an answer whose length is open may take its time, unless it is already here.
    const length = headers["content-length"];
    if (length === undefined) process.nextTick(flush, this.#to);
    else if (Number(length) <= SMALL) this.#inOnePiece = Number(length);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (chunk.length === this.#inOnePiece && this.place >= 0) {
      // As text it goes out in one write with its headers, for half the price of two.
      leave(this.#ways.atUpstream, this);
      this.#to.end(chunk.toString("latin1"), "latin1");
      return;
    }
    this.#inOnePiece = -1;
    if (this.place < 0 || this.#to.write(chunk)) return;
    controller.pause();
    this.#to.once("drain", () => controller.resume());
  }

  onResponseEnd(): void {
    if (this.place < 0) return;
    leave(this.#ways.atUpstream, this);
    this.#to.end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const { isUnsent, isClosed, isLate } = kindOf(error);
    const [failed, sent] = [this.#destination!, this.#again];
    this.#again = null;
    if (this.place >= 0 && !this.#hasHead) {
      if (failed.circuit !== null) this.#ways.upstreams.failed(failed.circuit);
      if (sent !== null && (isUnsent || isClosed) && this.#sendAgain(sent, failed, isUnsent))
        return;
    }
    if (isLate) this.fail(504, "The upstream does not answer in time");
    else this.fail(502, "The upstream does not answer");
  }
}

const SMALL = 16_384;
