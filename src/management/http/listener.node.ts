// One port of whoever runs the gateway: the interfaces that are at home there, and on the admin listener its doors
// and pages.
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { toMilliseconds } from "../../core/units.ts";
import { isRepeated } from "../../gateway/credential.ts";
import { INTERFACE } from "../interfaces.ts";
import { Rejection } from "../rejection.ts";
import { BROWSER_HEADERS } from "../../gateway/http/browser-headers.ts";
import { docsPage } from "./docs-page.ts";
import { openDoors, type Doors } from "./doors.node.ts";
import { misdirected, strangeHost } from "../../gateway/http/hosts.node.ts";
import { appOptions, interfacesIn, type ManagementOptions } from "./management.node.ts";
import {
  answerPage,
  readOnly,
  type OwnPage,
  type OwnPages,
} from "../../gateway/http/own-pages.node.ts";
import { inTurn, isNext } from "../../gateway/http/pipeline.node.ts";
import { refusalTold } from "./refused.ts";
import { trusted } from "../../gateway/http/trusted.node.ts";
import { renewCertificate, securedWith, type Certificate } from "../../gateway/http/tls.node.ts";
import type { Wire } from "../../gateway/http/wire.ts";

export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly certificate?: Certificate | null; // null, or left out: plain HTTP
  readonly pages: OwnPages; // open to whoever reaches the listener: nothing secret is told, nothing changes
  readonly doors: Omit<Doors, "hasTheRest" | "management" | "trusted"> | null;
  readonly interfaces: Omit<ManagementOptions, "trusted"> | null;
  readonly wire: Patience & Pick<Wire, "trustedProxies">;
  /** By which it may be addressed, beside its own: asked each time, because a reload may change them. */
  readonly hosts?: () => readonly string[];
}

/** How long a client may take. */
export type Patience = Pick<
  Wire,
  "requestHeadersTimeoutUs" | "requestTimeoutUs" | "keepAliveTimeoutUs" | "drainTimeoutUs"
>;

export interface Listener {
  readonly url: URL;
  /** Takes nothing new, and what is running may end for as long as `drainTimeoutUs`. */
  readonly drain: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** For connections from now on. */
  readonly renew: (certificate: Certificate | null) => void;
}

export async function listener(options: ListenerOptions): Promise<Listener> {
  const { host, pages, doors, interfaces, wire, hosts = () => [] } = options;
  const believed = trusted(wire.trustedProxies);
  if ("wrong" in believed) throw new Error(`${believed.wrong} is neither an address nor a network`);
  const certificate = options.certificate ?? null;
  const http = {
    headersTimeout: toMilliseconds(wire.requestHeadersTimeoutUs),
    connectionsCheckingInterval: LOOK_AGAIN_MS,
  };
  const https = certificate && securedWith(http, certificate);
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
  // What hangs in it below is only asked by a name that is its own.
  app.addHook("onRequest", async ({ raw }) => {
    // Of two one server takes the first, and another one the last.
    const repeated = ["host", ...GUARDING].find((name) => isRepeated(raw.rawHeaders, name));
    if (repeated !== undefined)
      throw new Rejection(400, `The request has more than one ${repeated} header`);
    const strange = strangeHost(raw, { bound: host, further: hosts });
    if (strange !== null) throw new Rejection(421, misdirected(strange));
  });
  app.setErrorHandler((thrown, request, reply) => {
    const { status, message, headers } = refusalTold(thrown, request, doors?.log ?? (() => {}));
    return reply.code(status).headers(headers).send({ error: message });
  });
  for (const [path, page] of pages) openPage(app, path, page);
  const bases = Object.values(interfaces?.bases ?? {});
  if (interfaces !== null && !bases.includes("/")) {
    const page = docsPage(interfaces.bases);
    openPage(
      app,
      "/docs",
      readOnly((from, to) => answerPage(from, to, 200, page, HTML)),
    );
  }
  if (doors !== null)
    await app.register((within) =>
      openDoors(within, {
        ...doors,
        trusted: believed,
        management: interfaces?.management ?? null,
        hasTheRest: !bases.includes("/"),
      }),
    );
  if (interfaces !== null) await interfacesIn(app, { ...interfaces, trusted: believed });
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
      const late = setTimeout(
        () => app.server.closeAllConnections(),
        toMilliseconds(wire.drainTimeoutUs),
      );
      await close();
      clearTimeout(late);
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

/** A page answers by itself, whatever the method and the body are. */
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
