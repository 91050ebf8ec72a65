// A connection to an upstream. It carries one request at a time, and is closed after any unexpected byte.
import { connect, isIP, type OnReadOpts, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { UpstreamFailure, type UpstreamExchange } from "./exchange.node.ts";
import { withFraming, type RequestHead } from "./request-head.ts";
import { ResponseReader, type ResponseParts } from "./response-reader.node.ts";
import type { ResponseHead, SeenLines } from "./response-head.ts";
import { Upload } from "./upload.node.ts";

export interface ConnectionOwner {
  /** The number of the present tick. A deadline is the number of a tick. */
  readonly tick: number;
  readonly ticksOf: { readonly connect: number; readonly headers: number; readonly body: number };
  readonly seenLines: SeenLines;
  readonly onIdle: (connection: Connection, keepAlive: string | null) => void;
  readonly onClose: (connection: Connection) => void;
}

export interface UpstreamAddress {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean; // uses TLS
}

/** Size of a connection's read buffer. In a buffer that connections shared, their bytes could mix. */
const READ_BYTES = 65_536;
const KEEP_ALIVE_MS = 60_000;
const NEVER = Infinity;

export class Connection implements ResponseParts {
  /** The tick of the owner at which the connection expires. */
  deadline: number;
  isIdle = false; // the owner has it in a list of idle connections
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #reader: ResponseReader;
  #exchange: UpstreamExchange | null = null;
  #request: RequestHead | null = null; // the head of the present request, or of the last one
  #response: ResponseHead | null = null; // the head of the response to `#request`; null: it has not arrived
  #upload: Upload | null = null;
  #isConnected = false;
  #isPaused = false;
  #isClosed = false;

  constructor(owner: ConnectionOwner, address: UpstreamAddress) {
    this.#owner = owner;
    this.#reader = new ResponseReader(this, owner.seenLines);
    this.deadline = owner.tick + owner.ticksOf.connect;
    const onread: OnReadOpts = {
      buffer: Buffer.allocUnsafeSlow(READ_BYTES),
      callback: (count, bytes) => this.#onRead(count, bytes as Buffer),
    };
    this.#socket = open(address, onread)
      .setNoDelay(true)
      .setKeepAlive(true, KEEP_ALIVE_MS)
      .on(address.isSecure ? "secureConnect" : "connect", () => this.#onConnect())
      .on("drain", () => this.#upload?.resume())
      .on("end", () => this.#onEnd())
      .on("error", (error) => this.fail(error))
      .on("close", () => this.fail(new UpstreamFailure("CLOSED", "The upstream has closed")));
  }

  // ---------------------------------------------------------------- a request

  send(exchange: UpstreamExchange, head: RequestHead): void {
    this.isIdle = false;
    this.#exchange = exchange;
    exchange.connection = this;
    this.#request = head;
    this.#response = null;
    this.#isPaused = false;
    this.#reader.begin(exchange.request.method === "HEAD");
    if (this.#isConnected) this.#begin(exchange, head);
  }

  /** Sends the request that waits for the connection: over TLS, after the upstream's certificate was accepted. */
  #onConnect(): void {
    this.#isConnected = true;
    if (this.#exchange !== null) this.#begin(this.#exchange, this.#request!);
  }

  #begin(exchange: UpstreamExchange, head: RequestHead): void {
    const { body } = exchange.request;
    this.#awaitHead();
    if (body === null || body instanceof Uint8Array) this.#sendWhole(exchange, head, body);
    else
      this.#upload = new Upload({
        socket: this.#socket,
        body,
        head,
        onSent: () => this.#onSent(exchange),
        onFailure: (error) => this.fail(error),
      });
  }

  #sendWhole(exchange: UpstreamExchange, head: RequestHead, body: Buffer | null): void {
    const length = body === null ? 0 : body.length;
    if (head.declared !== null && head.declared !== length) {
      this.fail(new UpstreamFailure("INVALID", "The body of the request has another length"));
      return;
    }
    const socket = this.#socket;
    if (length > 0) socket.cork();
    socket.write(withFraming(head, length), "latin1");
    if (length > 0) {
      socket.write(body!);
      socket.uncork();
    }
    this.#notifySent(exchange);
  }

  #onSent(exchange: UpstreamExchange): void {
    this.#upload = null;
    this.#awaitMore();
    this.#notifySent(exchange);
  }

  #notifySent(exchange: UpstreamExchange): void {
    try {
      exchange.handler.onRequestSent();
    } catch (error) {
      this.#onThrown(exchange, error);
    }
  }

  #awaitHead(): void {
    this.deadline = this.#owner.tick + this.#owner.ticksOf.headers;
  }

  #awaitMore(): void {
    if (this.#response === null) this.#awaitHead();
    else this.#awaitBody();
  }

  // ---------------------------------------------------------------- the response

  /** Returns false to stop reading until `resume` is called. */
  #onRead(count: number, bytes: Buffer): boolean {
    const exchange = this.#exchange;
    if (exchange === null) {
      this.close(); // bytes arrived without a request
      return false;
    }
    try {
      const problem = this.#reader.read(bytes, count);
      if (problem !== null)
        this.fail(new UpstreamFailure("INVALID", `The response is malformed: ${problem}`));
    } catch (error) {
      this.#onThrown(exchange, error);
    }
    return !this.#isPaused && !this.#isClosed;
  }

  onHead(head: ResponseHead): void {
    const exchange = this.#exchange;
    if (exchange === null) return;
    this.#response = head;
    this.#awaitBody();
    exchange.handler.onResponseStart(exchange, head.status, head.headers);
  }

  #awaitBody(): void {
    this.deadline = this.#isPaused ? NEVER : this.#owner.tick + this.#owner.ticksOf.body;
  }

  /** Passes a copy to the handler: the next read overwrites the buffer, and a client may read slowly. */
  onBody(bytes: Buffer, from: number, to: number): void {
    const exchange = this.#exchange;
    if (exchange === null) return;
    this.#awaitBody();
    exchange.handler.onResponseData(exchange, Buffer.from(bytes.subarray(from, to)));
  }

  onEnd(hasSurplus: boolean): void {
    const exchange = this.#exchange;
    if (exchange === null) return;
    const { isLast, keepAlive } = this.#response!;
    // Until this request is sent completely, the upstream would read another request as the rest of its body.
    const isSent = this.#upload === null && this.#socket.writableLength === 0;
    if (hasSurplus || isLast || this.#request!.isLast || !isSent) this.close();
    else {
      this.resume(); // reading continues, so that unexpected bytes are noticed
      this.#detach();
      this.#owner.onIdle(this, keepAlive);
    }
    exchange.handler.onResponseEnd();
  }

  #onEnd(): void {
    const exchange = this.#exchange;
    if (exchange === null || !this.#reader.isUntilClose) {
      this.fail(new UpstreamFailure("CLOSED", "The upstream has closed"));
      return;
    }
    try {
      this.onEnd(true);
    } catch (error) {
      this.#onThrown(exchange, error);
    }
  }

  /** A handler has thrown, so the connection is not used again. */
  #onThrown(exchange: UpstreamExchange, error: unknown): void {
    this.close();
    process.nextTick(reportFailure, exchange, error);
  }

  // ---------------------------------------------------------------- control

  pause(): void {
    this.#isPaused = true;
    this.deadline = NEVER;
    this.#socket.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#awaitBody();
    this.#socket.resume();
  }

  /** Called when the deadline has passed. */
  expire(): void {
    if (this.#exchange === null) this.close();
    else if (!this.#isConnected)
      this.fail(new UpstreamFailure("CONNECT_TIMEOUT", "The upstream accepts no connection"));
    else if (this.#upload !== null && !this.#socket.writableNeedDrain) this.#awaitMore(); // the client sends slowly
    else if (this.#response !== null)
      this.fail(new UpstreamFailure("BODY_TIMEOUT", "The response stopped before its end"));
    else this.fail(new UpstreamFailure("HEADERS_TIMEOUT", "The upstream does not respond"));
  }

  /** Closes without calling the handler of the exchange. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#detach();
    this.#owner.onClose(this);
    this.#socket.destroy();
  }

  fail(error: Error): void {
    const exchange = this.#exchange;
    this.close();
    if (exchange !== null) process.nextTick(reportFailure, exchange, error);
  }

  #detach(): void {
    if (this.#exchange !== null) this.#exchange.connection = null;
    this.#exchange = null;
    this.#upload?.stop();
    this.#upload = null;
    this.#reader.stop();
  }
}

/** Opens a socket. With TLS, the certificate must be for the host, from an authority of Node or NODE_EXTRA_CA_CERTS. */
function open({ host, port, isSecure }: UpstreamAddress, onread: OnReadOpts): Socket {
  const options = { host, port, onread };
  if (!isSecure) return connect(options);
  const servername = isIP(host) === 0 ? host : ""; // SNI must not contain addresses
  return connectTls({ ...options, servername, ALPNProtocols: ["http/1.1"] });
}

/** Called by `process.nextTick`: the failure must follow earlier data, which the gateway passes on in a next tick. */
function reportFailure(exchange: UpstreamExchange, error: Error): void {
  if (!exchange.isAborted) exchange.handler.onResponseError(exchange, error);
}
