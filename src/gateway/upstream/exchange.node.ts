// A request to an upstream and its response, for the gateway and an HTTP client. The methods are named as undici's.
import type { Readable } from "node:stream";
import type { ResponseHeaders } from "./response-head.ts";

export interface UpstreamRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: string[]; // name, value, name, value
  readonly body: Buffer | Readable | null;
}

/** How the receiver of a response controls it. */
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

/** Why a response is missing or incomplete. Errors of the system are passed on unchanged. */
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
 * Each request has its own control. If the control were the connection, which is used again, a late `abort` could stop
 * another client's response.
 */
export class UpstreamExchange implements ResponseControl {
  readonly request: UpstreamRequest;
  readonly handler: ResponseHandler;
  connection: CarryingConnection | null = null; // null: the exchange waits for a connection, or has ended
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

  /** Ends the exchange; its handler is not called again. */
  abort(): void {
    this.isAborted = true;
    this.connection?.close();
  }
}
