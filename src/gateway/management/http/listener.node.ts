// Listens on one port for operators and serves its management APIs. The admin listener also has routes and pages.
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { toMilliseconds } from "../../../kit/units.ts";
import { isRepeated } from "../../credential.ts";
import { requireValue } from "../../../kit/reading/failure.ts";
import { INTERFACE } from "../interfaces.ts";
import { Rejection } from "../rejection.ts";
import { registerAdminRoutes, type AdminRoutes } from "./admin-routes.node.ts";
import { hostMessage, strangeHost } from "../../http/hosts.node.ts";
import { appOptions, registerInterfaces, type ManagementAppOptions } from "./management.node.ts";
import { answerPage, readOnly, type OwnPage, type OwnPages } from "../../http/own-pages.node.ts";
import { BROWSER_HEADERS } from "../../http/browser-headers.ts";
import { inTurn, isNext } from "../../http/pipeline.node.ts";
import { reportRejection } from "./rejections.ts";
import { parseTrusted } from "../../http/trusted.node.ts";
import { renewCertificate, withTls, type Certificate } from "../../http/tls.node.ts";
import type { Wire } from "../../http/wire.ts";
import { INTERFACES, type InterfaceName } from "../interface-name.ts";

export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly certificate?: Certificate | null; // null or unset: plain HTTP
  readonly pages: OwnPages; // need no credential: they contain no secret and change nothing
  readonly adminRoutes: Omit<AdminRoutes, "hasUnknownPaths" | "management" | "trusted"> | null;
  readonly interfaces: Omit<ManagementAppOptions, "trusted"> | null;
  readonly wire: Patience & Pick<Wire, "trustedProxies">;
  /** More names that a Host header may have. Read each time, because a reload may change them. */
  readonly hosts?: () => readonly string[];
}

/** Time limits for clients. */
type Patience = Pick<
  Wire,
  "requestHeadersTimeoutUs" | "requestTimeoutUs" | "keepAliveTimeoutUs" | "drainTimeoutUs"
>;

export interface Listener {
  readonly url: URL;
  /** Stops accepting connections, and ends when running requests are finished, or after `drainTimeoutUs`. */
  readonly drain: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Sets the certificate of new connections. */
  readonly renew: (certificate: Certificate | null) => void;
}

export async function listener(options: ListenerOptions): Promise<Listener> {
  const { host, pages, adminRoutes, interfaces, wire, hosts = () => [] } = options;
  const trustedProxies = requireValue(parseTrusted(wire.trustedProxies));
  const certificate = options.certificate ?? null;
  const http = {
    headersTimeout: toMilliseconds(wire.requestHeadersTimeoutUs),
    connectionsCheckingInterval: LOOK_AGAIN_MS,
  };
  const https = certificate && withTls(http, certificate);
  const app = Fastify({
    ...appOptions(interfaces?.bases ?? {}),
    requestTimeout: toMilliseconds(wire.requestTimeoutUs),
    keepAliveTimeout: toMilliseconds(wire.keepAliveTimeoutUs),
    http,
    ...(https === null ? {} : { https }),
  });
  app.server.prependListener("request", (_, to: ServerResponse) => {
    for (const [name, value] of Object.entries(BROWSER_HEADERS)) to.setHeader(name, value);
  });
  // Requests whose Host header does not name this listener reach no route.
  app.addHook("onRequest", async ({ raw }) => {
    // A repeated header is rejected, because some servers use its first value and others its last.
    const repeated = ["host", ...GUARDING].find((name) => isRepeated(raw.rawHeaders, name));
    if (repeated !== undefined)
      throw new Rejection(400, `The request has more than one ${repeated} header`);
    const strange = strangeHost(raw, { bound: host, further: hosts });
    if (strange !== null) throw new Rejection(421, hostMessage(strange));
  });
  app.setErrorHandler((thrown, request, reply) => {
    const { status, message, headers } = reportRejection(
      thrown,
      request,
      adminRoutes?.log ?? (() => {}),
    );
    return reply.code(status).headers(headers).send({ error: message });
  });
  for (const [path, page] of pages) openPage(app, path, page);
  const bases = Object.values(interfaces?.bases ?? {});
  if (interfaces !== null && !bases.includes("/")) {
    const page = docsPage(interfaces.bases);
    // `weir serve` prints the listener's address, so `/` serves the documentation too.
    for (const path of ["/", "/docs"])
      openPage(
        app,
        path,
        readOnly((from, to) => answerPage(from, to, 200, page, HTML)),
      );
  }
  if (adminRoutes !== null)
    await app.register((within) =>
      registerAdminRoutes(within, {
        ...adminRoutes,
        trusted: trustedProxies,
        management: interfaces?.management ?? null,
        hasUnknownPaths: !bases.includes("/"),
      }),
    );
  if (interfaces !== null)
    await registerInterfaces(app, { ...interfaces, trusted: trustedProxies });
  await app.listen({ host, port: options.port });
  const { port } = app.server.address() as AddressInfo;
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => (closed ??= app.close());
  return {
    url: new URL(
      `${https === null ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`,
    ),
    renew: (next) => renewCertificate(app.server, next),
    drain: async () => {
      const deadline = setTimeout(
        () => app.server.closeAllConnections(),
        toMilliseconds(wire.drainTimeoutUs),
      );
      await close();
      clearTimeout(deadline);
    },
    stop: () => {
      const ended = close();
      app.server.closeAllConnections();
      return ended;
    },
  };
}

const GUARDING = new Set(Object.values(INTERFACE).map(({ scheme }) => scheme.header.toLowerCase()));
const LOOK_AGAIN_MS = 100;
const HTML = "text/html; charset=utf-8";

/** Serves a page at a path. The page itself writes the response, for any method and body. */
function openPage(app: FastifyInstance, path: string, page: OwnPage): void {
  app.all(
    path,
    {
      onRequest: (request, reply) => {
        reply.hijack();
        if (isNext(reply.raw)) page(request.raw, reply.raw);
        else inTurn(request.raw, reply.raw, () => page(request.raw, reply.raw));
      },
    },
    () => {
      throw new Error(`${path} has answered before`);
    },
  );
}

/** HTML with a link to each API's documentation. A base has no characters that need escaping. */
function docsPage(bases: Readonly<Partial<Record<InterfaceName, string>>>): string {
  const items = INTERFACES.flatMap((name) => {
    const base = bases[name];
    if (base === undefined) return [];
    return [`<li><a href="${base}/docs">${INTERFACE[name].title}</a>: ${base}/docs</li>`];
  });
  const lines = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    "<title>Weir: the interfaces of this listener</title></head><body>",
    "<h1>The interfaces of this listener</h1>",
    items.length === 0 ? "<p>There is none.</p>" : `<ul>${items.join("\n")}</ul>`,
    "<p>An interface with a port of its own has its document there.</p></body></html>",
  ];
  return `${lines.join("\n")}\n`;
}
