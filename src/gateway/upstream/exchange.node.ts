// A request to an upstream and its response, as the gateway and a client of its upstreams see them: undici's handlers.
import type { Readable } from "node:stream";
import type { ResponseHeaders } from "./response-head.ts";

export interface UpstreamRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: string[]; // name, value, name, value
  readonly body: Buffer | Readable | null;
}

/** What the receiver of a response may do with its connection. */
export interface ResponseControl {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

export interface ResponseHandler {
  onRequestStart(control: ResponseControl): void;
  onRequestSent(): void;
  onResponseStart(control: ResponseControl, status: number, headers: ResponseHeaders): void;
  onResponseData(control: ResponseControl, chunk: Buffer): void;
  onResponseEnd(): void;
  onResponseError(control: ResponseControl, error: Error): void;
}

type FailureCode =
  | "CLOSED"
  | "DESTROYED"
  | "CONNECT_TIMEOUT"
  | "HEADERS_TIMEOUT"
  | "BODY_TIMEOUT"
  | "INVALID";

/** Why there is no response, or no whole one. Errors of the system are passed on as they are. */
export class UpstreamFailure extends Error {
  readonly code: `UPSTREAM_${FailureCode}`;

  constructor(code: FailureCode, message: string) {
    super(message);
    this.code = `UPSTREAM_${code}`;
  }
}

interface CarryingConnection {
  pause(): void;
  resume(): void;
  close(): void;
}

/**
 * One for each request: connections are used again, so a control that held one could stop the response of another
 * client.
 */
export class UpstreamExchange implements ResponseControl {
  readonly request: UpstreamRequest;
  readonly handler: ResponseHandler;
  connection: CarryingConnection | null = null; // null: it waits for one, or is over
  isAborted = false;

  constructor(request: UpstreamRequest, handler: ResponseHandler) {
    this.request = request;
    this.handler = handler;
  }

  pause(): void {
    this.connection?.pause();
  }

  resume(): void {
    this.connection?.resume();
  }

  /** The handler is not called again. */
  abort(): void {
    this.isAborted = true;
    this.connection?.close();
  }
}
