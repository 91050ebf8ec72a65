// The way of one request through the gateway: it is decided, and then refused or sent to its upstream. The base class
// in forwarding.node.ts sends it, so that each request needs only one object.
import type { IncomingMessage, ServerResponse } from "node:http";
import { optionsOf } from "../../limiter/core/limiter.ts";
import type { Sender } from "../../limiter/core/client.ts";
import { micros, type Micros } from "../../kit/units.ts";
import type { RequestTarget } from "../gateway.ts";
import { findTarget, needsKeyLookup } from "../route.ts";
import { UNDECIDED, type RequestOutcome, type GatewayRequest } from "../outcome.ts";
import { CLOSES, REFUSALS } from "../refusals.ts";
import { limitHeaders, limitValues } from "../headers.ts";
import { writeRefusal, writeRejection } from "./answer.node.ts";
import { credentialIn, hasTwoCredentials } from "../credential.ts";
import { decide, type Leave } from "./decide.node.ts";
import { Forwarding } from "./forwarding.node.ts";
import { REJECTIONS, RETRY, type ProtectionReason } from "./rejections.ts";
import { clientOf } from "./trusted.node.ts";
import type { Minute } from "./minute-counts.ts";
import type { UnknownKeys } from "./unknown-keys.ts";
import type { KeySource, GatewayContext } from "./ways.node.ts";

export class Passage extends Forwarding implements Sender {
  readonly startUs: Micros;
  protected readonly request: GatewayRequest;
  readonly #sentBefore: number;
  readonly #clientAddress: string; // read at the beginning, because a closed connection has none
  readonly #isExpecting: boolean; // the client waits for status 100 before it sends the body
  #leave: Leave | null = null;
  #turn: NodeJS.Timeout | null = null; // timer until the request's turn (ALG-C10)
  #rejected: ProtectionReason | null = null;
  #unknown: Minute | null = null; // the minute whose count of unknown keys includes this request

  constructor(
    context: GatewayContext,
    from: IncomingMessage,
    to: ServerResponse,
    isExpecting: boolean,
  ) {
    super(context, from, to);
    this.#isExpecting = isExpecting;
    this.#sentBefore = context.observer.onExchange === null ? 0 : from.socket.bytesWritten;
    this.#clientAddress =
      context.observer.onExchange === null ? "" : clientOf(from, context.trusted);
    this.startUs = context.gateway.clock();
    const isAmbiguous = hasTwoCredentials(from.rawHeaders);
    this.request = {
      method: from.method ?? "GET",
      target: from.url ?? "/",
      credential: isAmbiguous ? null : credentialIn(from.headers), // if ambiguous, no credential is looked up
      hasTwoCredentials: isAmbiguous,
      sender: this,
    };
  }

  get address(): string {
    return clientOf(this.from, this.context.trusted);
  }

  /** When the request may go to its upstream: time in a queue (ALG-C10) is not part of the exchange. */
  get turnUs(): Micros {
    return micros(this.startUs + (this.outcome?.decision?.delayUs ?? 0));
  }

  header(name: string): string | null {
    return [this.from.headers[name] ?? []].flat().join(", ") || null;
  }

  begin(): void {
    const { keys, gateway, decide: decideOtherwise, observer } = this.context;
    if (decideOtherwise !== null) {
      if (observer.onExchange !== null) this.watch();
      this.#respond(decideOtherwise(this.request));
      return;
    }
    const { credential, target } = this.request;
    const requestTarget = findTarget(gateway, target);
    if (
      keys === null ||
      credential === null ||
      !needsKeyLookup(gateway, this.request, requestTarget) ||
      keys.isKnown(credential)
    )
      this.#decide(requestTarget);
    else this.#lookUp(keys, credential);
  }

  #lookUp(keys: KeySource, credential: string): void {
    const { unknownKeys } = this.context;
    this.watch();
    if (unknownKeys !== null) {
      this.#unknown = unknownKeys.count(this.address);
      if (this.#unknown === null) {
        this.#rejectUnknown(unknownKeys, UNDECIDED);
        return;
      }
    }
    lookUpInTime(keys, credential, (failure) => {
      if (failure !== null) this.#isKnown();
      if (this.to.destroyed) return;
      if (failure === null) {
        this.#decide(null); // not the target found before: the configuration may have changed
        return;
      }
      if (this.#isExpecting) this.to.shouldKeepAlive = false; // the client may or may not send the body
      this.outcome = UNDECIDED;
      this.answerError(503, "Keys cannot be looked up", RETRY);
    });
  }

  #decide(target: RequestTarget | null): void {
    const { gateway, store, observer } = this.context;
    this.#leave = decide(gateway, store, this.request, target, (outcome) => this.#respond(outcome));
    if (this.#leave !== null || observer.onExchange !== null) this.watch();
  }

  /** The key is known or could not be looked up, so it is no longer counted as unknown. */
  #isKnown(): void {
    if (this.#unknown !== null) this.#unknown.count--;
    this.#unknown = null;
  }

  /** Whether the request's key is unknown, and the client's address has sent too many unknown keys. */
  #isOneTooMany({ refused, session }: RequestOutcome, unknownKeys: UnknownKeys): boolean {
    const isUnknown = refused === REFUSALS.noAccess && session === null;
    if (!isUnknown) this.#isKnown();
    return isUnknown && this.#unknown === null && unknownKeys.count(this.address) === null;
  }

  #rejectUnknown(unknownKeys: UnknownKeys, outcome: RequestOutcome): void {
    const { reason, status } = REJECTIONS.unknownKeys;
    const { observer } = this.context;
    this.outcome = outcome;
    this.#rejected = reason;
    observer.onRejection?.(reason, this.startUs);
    if (this.#isExpecting) this.to.shouldKeepAlive = false; // the client may or may not send the body
    this.reportResponse(status, -1);
    writeRejection(this.to, REJECTIONS.unknownKeys, unknownKeys.secondsLeft(this.address));
  }

  protected onClose(): void {
    if (this.outcome === null) this.#leave?.();
    if (this.#turn !== null) {
      clearTimeout(this.#turn);
      this.context.gateway.delayed--;
    }
    if (this.place >= 0) this.leaveUpstream();
    const to = this.to;
    const { socket, headers } = this.from;
    const { observer, gateway } = this.context;
    observer.onExchange?.({
      request: this.request,
      outcome: this.outcome,
      status: to.headersSent ? to.statusCode : 0,
      startUs: this.startUs,
      endUs: gateway.clock(),
      upstream: this.upstreamOrigin,
      upstreamUs: this.upstreamUs,
      bytesSent: socket.bytesWritten - this.#sentBefore,
      clientAddress: this.#clientAddress,
      requestId: [headers["x-request-id"] ?? null].flat()[0] ?? null,
      rejected: this.#rejected,
      isWhole: to.writableFinished,
    });
  }

  // -------------------------------------------------------------- after the decision

  #respond(outcome: RequestOutcome): void {
    this.outcome = outcome;
    this.context.observer.onDecision?.(outcome, this.from.headers, this.startUs);
    const delayUs = outcome.decision?.delayUs ?? 0;
    if (delayUs === 0) this.#proceed(outcome);
    else {
      this.watch();
      this.context.gateway.delayed++;
      this.#waitUntil(performance.now() + delayUs / 1_000, outcome);
    }
  }

  /** Waits for the request's turn. If the client disconnects, the turn stays spent: no other request gets the turn. */
  #waitUntil(dueMs: number, outcome: RequestOutcome): void {
    const leftMs = dueMs - performance.now();
    this.#turn =
      leftMs <= 0
        ? null
        : setTimeout(
            () => this.#waitUntil(dueMs, outcome),
            Math.min(Math.ceil(leftMs), LONGEST_TIMER_MS),
          );
    if (this.#turn !== null) return;
    this.context.gateway.delayed--;
    this.#proceed(outcome);
  }

  #proceed(outcome: RequestOutcome): void {
    const { gateway, unknownKeys } = this.context;
    const to = this.to;
    if (to.destroyed) return;
    if (this.context.isDraining()) to.shouldKeepAlive = false;
    if (unknownKeys !== null && this.#isOneTooMany(outcome, unknownKeys)) {
      this.#rejectUnknown(unknownKeys, outcome);
      return;
    }
    const { decision, refused } = outcome;
    if (decision !== null) {
      const style = optionsOf(gateway.limiter).rateLimitHeaders;
      const add: string[] = [];
      const values = limitValues(decision, style, gateway.clock());
      for (const [name, value] of limitHeaders(values)) add.push(name, value);
      for (const [name, value] of outcome.headers ?? []) add.push(name, value);
      this.add = add;
    }
    if (refused !== null) {
      if (this.#isExpecting) to.shouldKeepAlive = false; // the client may or may not send the body
      this.reportResponse(refused.status, -1);
      if (refused.status === CLOSES) to.destroy();
      else writeRefusal(to, refused, this.add);
      return;
    }
    if (this.#isExpecting) to.writeContinue();
    this.goOn();
  }
}

/** The longest time of a timer in Node. */
const LONGEST_TIMER_MS = 2_147_483_647;

const LONGEST_MS = 2_000;

/** Calls `done` once, within a time limit. If `failure` is null, the key is known and the caller decides at once. */
function lookUpInTime(
  keys: KeySource,
  credential: string,
  done: (failure: Error | null) => void,
): void {
  let isOver = false;
  const over = (failure: Error | null): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    done(failure);
  };
  const timer = setTimeout(over, LONGEST_MS, new Error("it takes too long"));
  keys.lookUp(credential, over);
}
