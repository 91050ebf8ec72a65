// A client of upstreams and upstreams that do not behave, on sockets of this machine, over TCP and TLS.
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates, type TlsOptions } from "node:tls";
import { onTestFinished } from "vitest";
import type { ResponseControl, UpstreamRequest } from "#src/gateway/upstream/exchange.node.ts";
import { ConnectionPool, type PoolOptions } from "#src/gateway/upstream/pool.node.ts";
import { selfSigned } from "../../redis/self-signed.ts";
import { message, rawUpstream, type RawUpstream } from "../http/wire.ts";

export interface Response {
  readonly status: number;
  readonly body: string;
  readonly failure: string | null;
}

export const GET: UpstreamRequest = { method: "GET", path: "/", headers: [], body: null };

/** Longer than the timeouts of a pool, so that only a request without any timeout reaches it. */
const PATIENCE_MS = 10_000;

/** Rejects with the name of what never happens, long before the test would time out. */
export function inTime<T>(awaited: Promise<T>, name: string): Promise<T> {
  const late = new Error(`${name}: neither a response nor an error in ${PATIENCE_MS / 1_000} s`);
  const { promise, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(reject, PATIENCE_MS, late);
  onTestFinished(() => clearTimeout(timer));
  return Promise.race([awaited, promise]);
}

export function request(
  pool: ConnectionPool,
  request: Partial<UpstreamRequest> = {},
  onControl: (control: ResponseControl) => void = () => {},
): Promise<Response> {
  const sent = { ...GET, ...request };
  const response = new Promise<Response>((resolve) => {
    let [status, body] = [0, ""];
    pool.dispatch(sent, {
      onRequestStart: onControl,
      onRequestSent: () => {},
      onResponseStart: (_, got) => (status = got),
      onResponseData: (_, chunk) => (body += chunk.toString("latin1")),
      onResponseEnd: () => resolve({ status, body, failure: null }),
      onResponseError: (_, error) =>
        resolve({ status, body, failure: "code" in error ? String(error.code) : error.message }),
    });
  });
  return inTime(response, `${sent.method} ${sent.path}`);
}

export function poolTo(
  { url }: Pick<RawUpstream, "url">,
  options: Partial<PoolOptions> = {},
): ConnectionPool {
  const pool = new ConnectionPool(url.origin, {
    connections: 1,
    connectTimeout: 5_000,
    headersTimeout: 5_000,
    bodyTimeout: 5_000,
    ...options,
  });
  onTestFinished(() => pool.destroy());
  return pool;
}

export const OK = "HTTP/1.1 200 OK";
export const answer = (body: string): string =>
  message(OK, `Content-Length: ${body.length}`) + body;
export const whole = (body: string): Response => ({ status: 200, body, failure: null });

/** Responds to the first request as `first` does, and to each further one with the number of its connection. */
export async function upstreamThat(
  first: (socket: Socket) => void,
  certificate: TlsOptions | null = null,
): Promise<RawUpstream> {
  let requests = 0;
  const upstream: RawUpstream = await rawUpstream((socket) => {
    if (requests++ === 0) first(socket);
    else socket.write(answer(`connection ${upstream.sockets.indexOf(socket) + 1}`));
  }, certificate);
  return upstream;
}

/** A certificate of this machine, which this process trusts until the tests of the file are over. */
export async function trustCertificate(): Promise<
  TlsOptions & { readonly remove: () => Promise<void> }
> {
  const { certificate, key, remove } = await selfSigned();
  const cert = readFileSync(certificate, "utf8");
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, cert]);
  return {
    cert,
    key: readFileSync(key, "utf8"),
    remove: () => {
      setDefaultCACertificates(before);
      return remove();
    },
  };
}
