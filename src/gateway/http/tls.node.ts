// The certificate and key of a listener with TLS, in PEM.
import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import { createServer as createHttpServer, type Server, type ServerOptions } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createSecureContext, Server as TlsServer, TLSSocket } from "node:tls";
import type { Socket } from "node:net";
import { Failure, isFailure } from "../../kit/reading/failure.ts";

export interface Certificate {
  readonly cert: string; // including its chain
  readonly key: string;
}

/** HTTP/2 is not offered, so the handshake of a client that requires HTTP/2 fails. */
const tlsOptions = ({ cert, key }: Certificate) => ({
  cert,
  key,
  minVersion: "TLSv1.2" as const,
  ALPNProtocols: ["http/1.1", "http/1.0"],
});

/** Adds TLS to the options of a server. A handshake may take as long as the headers of a request. */
export const withTls = <Options extends Pick<ServerOptions, "headersTimeout">>(
  options: Options,
  certificate: Certificate,
) => {
  const { headersTimeout } = options;
  return {
    ...options,
    ...tlsOptions(certificate),
    ...(headersTimeout === undefined ? {} : { handshakeTimeout: headersTimeout }),
  };
};

/** Creates a server with TLS, or with plain HTTP if `certificate` is null. */
export function webServer(options: ServerOptions, certificate: Certificate | null): Server {
  if (certificate === null) return createHttpServer(options);
  const server = createHttpsServer(withTls(options, certificate));
  const open = new Map<string, Socket>();
  server.on("connection", (socket: Socket) => {
    const ends = endsOf(socket);
    open.set(ends, socket);
    socket.once("close", () => open.delete(ends));
  });
  server.on("secureConnection", (socket) => {
    const below = open.get(endsOf(socket));
    if (below !== undefined) carriers.set(socket, below);
  });
  return server;
}

/** The TCP connections under TLS connections. */
const carriers = new WeakMap<Socket, Socket>();
const endsOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** Resets the TCP connection. Over TLS, `destroy` would end it regularly, as if the response were complete. */
export const resetConnection = (socket: Socket): Socket =>
  (isSecure(socket) ? (carriers.get(socket) ?? socket.destroy()) : socket).resetAndDestroy();

/** Changes the certificate of new connections. A server without TLS stays without it. */
export function renewCertificate(server: Server, certificate: Certificate | null): void {
  if (certificate !== null && server instanceof TlsServer)
    server.setSecureContext(tlsOptions(certificate));
}

export const isSecure = (socket: Socket): boolean => socket instanceof TLSSocket;

interface CertificateProblem {
  readonly of: keyof Certificate;
  readonly message: string;
  readonly fix: string;
}

/** Returns why a listener cannot use the pair, or null if it can. */
export function problemOf({ cert, key }: Certificate): CertificateProblem | null {
  const certificate = certificateIn(cert);
  if (certificate === null)
    return { of: "cert", message: "holds no certificate in PEM", fix: PEM_CERTIFICATE };
  const privateKey = keyIn(key);
  if (isFailure(privateKey)) return { of: "key", message: privateKey.message, fix: PEM_KEY };
  if (!certificate.checkPrivateKey(privateKey)) {
    const message = `is not the key of the certificate of ${certificate.subject.replaceAll("\n", ", ")}`;
    return {
      of: "key",
      message,
      fix: "the key has to match the first certificate of the other file",
    };
  }
  // OpenSSL reads the complete chain, and rejects short keys.
  try {
    createSecureContext(tlsOptions({ cert, key }));
    return null;
  } catch (error) {
    const reason = error instanceof Error && "reason" in error ? error.reason : error;
    const message = `cannot be served with its chain and key: ${String(reason)}`;
    return { of: "cert", message, fix: "RSA keys have at least 2,048 bits" };
  }
}

const PEM_CERTIFICATE = "it begins with -----BEGIN CERTIFICATE-----";
const PEM_KEY =
  "it begins with -----BEGIN PRIVATE KEY-----, and openssl pkey takes a passphrase off";

/** Returns why clients will reject the certificate by its dates, or null if the dates are valid. */
export function datesProblem({ cert }: Certificate, nowMs: number): string | null {
  const certificate = certificateIn(cert);
  if (certificate === null) return null;
  const { validFromDate: from, validToDate: to } = certificate;
  if (to.getTime() <= nowMs) return `has expired on ${to.toISOString()}`;
  return from.getTime() > nowMs ? `is valid from ${from.toISOString()} on, and not before` : null;
}

function certificateIn(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}

function keyIn(pem: string): KeyObject | Failure {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    return new Failure(
      code === "ERR_MISSING_PASSPHRASE"
        ? "is encrypted, and no passphrase can be entered"
        : "holds no private key in PEM",
    );
  }
}
