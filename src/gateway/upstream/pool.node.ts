// The connections to one upstream. A request is sent after the present turn of the event loop, and a connection is used
// again only after a whole turn. So unexpected bytes of an upstream, or the end of a connection, are read before the
// next request is sent, and are not taken for the response to it.
import { Connection, type UpstreamAddress, type ConnectionOwner } from "./connection.node.ts";
import {
  UpstreamExchange,
  UpstreamFailure,
  type ResponseHandler,
  type UpstreamRequest,
} from "./exchange.node.ts";
import { RequestHeads, type RequestHead } from "./request-head.ts";
import type { SeenLines } from "./response-head.ts";

export interface UpstreamPool {
  dispatch(request: UpstreamRequest, handler: ResponseHandler): unknown;
  /** Accepts no more requests; those that wait or run get their responses. */
  close(): unknown;
  /** Fails all requests that wait or run. */
  destroy(): unknown;
}

export interface PoolOptions {
  readonly connections: number | null; // the most connections at the same time; null: no limit
  readonly connectTimeout: number; // milliseconds, as are the next two fields
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
}

interface Waiting {
  readonly exchange: UpstreamExchange;
  readonly head: RequestHead;
}

const isOver = ({ exchange }: Waiting): boolean => exchange.isAborted;

/** After this time an idle connection is closed, unless a Keep-Alive header of the upstream names another time. */
const IDLE_MS = 4_000;
const LONGEST_IDLE_MS = 600_000;
/** An idle connection is closed this long before the upstream closes it: a request sent at that time would be lost. */
const MARGIN_MS = 2_000;
const [SHORTEST_PERIOD_MS, LONGEST_PERIOD_MS] = [5, 250];
const TICKS_PER_TIMEOUT = 10;

export class ConnectionPool implements UpstreamPool, ConnectionOwner {
  tick = 0;
  readonly ticksOf: ConnectionOwner["ticksOf"];
  readonly seenLines: SeenLines = [];
  readonly #address: UpstreamAddress;
  readonly #heads: RequestHeads;
  readonly #most: number;
  readonly #periodMs: number; // length of a tick
  readonly #all = new Set<Connection>();
  #free: Connection[] = []; // idle connections; the last used one is used next
  #resting: Connection[] = []; // connections that have become idle in this turn of the event loop
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | null = null;
  #isFlushDue = false;
  #isClosed = false;
  #hints: { header: string | null; ticks: number } = { header: null, ticks: 0 }; // the last Keep-Alive header, as ticks

  constructor(origin: string, options: PoolOptions) {
    const { protocol, hostname, port, host } = new URL(origin);
    const isSecure = protocol === "https:";
    this.#address = {
      host: hostname.replaceAll(/[[\]]/g, ""),
      port: port === "" ? (isSecure ? 443 : 80) : Number(port),
      isSecure,
    };
    this.#heads = new RequestHeads(host);
    this.#most = options.connections ?? Infinity;
    const { connectTimeout, headersTimeout, bodyTimeout } = options;
    const shortest = Math.min(connectTimeout, headersTimeout, bodyTimeout);
    const period = Math.ceil(shortest / TICKS_PER_TIMEOUT);
    this.#periodMs = Math.min(LONGEST_PERIOD_MS, Math.max(SHORTEST_PERIOD_MS, period));
    this.ticksOf = {
      connect: this.#ticks(connectTimeout),
      headers: this.#ticks(headersTimeout),
      body: this.#ticks(bodyTimeout),
    };
  }

  /** Converts milliseconds to ticks, and adds one because a part of the present tick has passed. */
  #ticks(ms: number): number {
    return Math.ceil(ms / this.#periodMs) + 1;
  }

  dispatch(request: UpstreamRequest, handler: ResponseHandler): void {
    const exchange = new UpstreamExchange(request, handler);
    const head = this.#heads.write(request);
    if (head === null || this.#isClosed) {
      const why = head === null ? "The request cannot be sent" : "The upstream is closed";
      handler.onResponseError(exchange, new UpstreamFailure("INVALID", why));
      return;
    }
    handler.onRequestStart(exchange);
    if (exchange.isAborted) return;
    this.#waiting.push({ exchange, head });
    this.#flushSoon();
  }

  #flushSoon(): void {
    if (this.#isFlushDue) return;
    this.#isFlushDue = true;
    setImmediate(this.#flush);
  }

  readonly #flush = (): void => {
    this.#isFlushDue = false;
    const waiting = this.#waiting;
    while (waiting.length > 0) {
      const { exchange, head } = waiting[0]!;
      const connection = exchange.isAborted ? null : (this.#free.pop() ?? this.#open());
      if (connection === null && !exchange.isAborted) break;
      waiting.shift();
      connection?.send(exchange, head);
    }
    for (const connection of this.#resting) this.#free.push(connection);
    this.#resting.length = 0;
    if (waiting.length > 0 && this.#free.length > 0) this.#flushSoon();
    if (this.#isClosed && waiting.length === 0) this.#closeIdle();
  };

  /** Opens a connection. Null: enough connections are free in the next turn, or as many as allowed are open. */
  #open(): Connection | null {
    const { size } = this.#all;
    if (this.#waiting.length <= this.#resting.length || size >= this.#most) return null;
    const connection = new Connection(this, this.#address);
    this.#all.add(connection);
    this.#timer ??= setInterval(this.#onTick, this.#periodMs).unref();
    return connection;
  }

  // ---------------------------------------------------------------- called by connections

  onIdle(connection: Connection, keepAlive: string | null): void {
    const ticks = keepAlive === null ? this.#ticks(IDLE_MS) : this.#ticksIn(keepAlive);
    if (ticks <= 0) {
      connection.close();
      return;
    }
    connection.isIdle = true;
    connection.deadline = this.tick + ticks;
    this.#resting.push(connection);
    this.#flushSoon();
  }

  #ticksIn(header: string): number {
    if (header !== this.#hints.header) {
      const seconds = /timeout=([0-9]{1,9})/.exec(header)?.[1];
      const ms = seconds === undefined ? IDLE_MS : Number(seconds) * 1_000 - MARGIN_MS;
      this.#hints = { header, ticks: ms <= 0 ? 0 : this.#ticks(Math.min(ms, LONGEST_IDLE_MS)) };
    }
    return this.#hints.ticks;
  }

  onClose(connection: Connection): void {
    this.#all.delete(connection);
    if (connection.isIdle) {
      this.#free = this.#free.filter((each) => each !== connection);
      this.#resting = this.#resting.filter((each) => each !== connection);
    }
    if (this.#waiting.length > 0) this.#flushSoon();
    if (this.#all.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  readonly #onTick = (): void => {
    this.tick++;
    // Removes aborted requests, because a request's body would stay in memory until a connection is free.
    if (this.#waiting.some(isOver)) this.#waiting = this.#waiting.filter((each) => !isOver(each));
    for (const connection of this.#all) if (connection.deadline <= this.tick) connection.expire();
  };

  // ---------------------------------------------------------------- closing

  close(): void {
    this.#isClosed = true;
    this.#flushSoon();
  }

  #closeIdle(): void {
    for (const connection of [...this.#free, ...this.#resting]) connection.close();
  }

  destroy(): void {
    this.#isClosed = true;
    const error = new UpstreamFailure("DESTROYED", "The gateway has closed the connection");
    for (const { exchange } of this.#waiting.splice(0))
      if (!exchange.isAborted) exchange.handler.onResponseError(exchange, error);
    for (const connection of this.#all) connection.fail(error);
  }
}
