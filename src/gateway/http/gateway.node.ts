// The gateway as a server: reads a request, calls `begin`, and writes the outcome. Decisions are made elsewhere.
import type { IncomingMessage, ServerResponse, Server } from "node:http";
import type { Socket } from "node:net";
import type { Configuration } from "../../limiter/core/config.ts";
import { limiter } from "../../limiter/core/limiter.ts";
import { resolver } from "../../limiter/core/resolve/resolver.ts";
import { toMilliseconds, type Micros } from "../../kit/units.ts";
import { requireValue } from "../../kit/reading/failure.ts";
import { forgetKeys, gateway, reconfigure, type Gateway } from "../gateway.ts";
import { localStore, memoryStore, sizeOf } from "../../limiter/store/memory.ts";
import { traitsOf, type RemoteStore } from "../../limiter/store/remote.ts";
import {
  endConnectionAfter,
  EXPECTATION,
  is100Continue,
  isAfterRefused,
  isLastOnConnection,
  messageFault,
  refuseMessage,
} from "./message-faults.node.ts";
import { furtherSockets, listenWith } from "./accepting.node.ts";
import { admission } from "./admission.node.ts";
import { headerNames } from "./end-to-end.ts";
import type { Circuit } from "./circuit.ts";
import { endingOf } from "./ending.node.ts";
import type { AtUpstream } from "./at-upstream.ts";
import type { Observer } from "./observer.ts";
import { ownPageAt, type OwnPages } from "./own-pages.node.ts";
import { Passage } from "./passage.node.ts";
import { inTurn, isNext } from "./pipeline.node.ts";
import type { DecideRequest, KeySource, GatewayContext } from "./ways.node.ts";
import { answerProtocolFaults, closeWith } from "./protocol-faults.node.ts";
import { helloPage, readinessIn, readyPage, type Readiness } from "./readiness.node.ts";
import { renewCertificate, webServer, type Certificate } from "./tls.node.ts";
import { parseTrusted, addressOf, isTrusted, type TrustedProxies } from "./trusted.node.ts";
import { unknownKeys } from "./unknown-keys.ts";
import { upstreams } from "./upstreams.node.ts";
import { wallClock, turnClock } from "./wall-clock.node.ts";
import { DEFAULT_WIRE, type Wire } from "./wire.ts";
import { hasFailed } from "../../limiter/core/store.ts";
import { Server as TlsServer } from "node:tls";
import { addressCounts } from "./address-counts.ts";
import { REJECTIONS } from "./rejections.ts";

export interface ServeOptions {
  readonly configuration: Configuration;
  /** The upstream of APIs without a target; null: an echo responds. */
  readonly upstream: URL | null;
  /** The echo responds for every API, even one with a target: upstreams of a scenario do not exist. */
  readonly isEcho?: boolean;
  /** An API without an upstream gets a 502 instead of the echo's response, because its target may be set later. */
  readonly withoutEcho?: boolean;
  readonly host: string;
  readonly port: number; // 0: any free port
  readonly store: RemoteStore | null; // null: all budgets are in the memory of this process
  readonly observer: Observer;
  /** Additional pages; every gateway has /hello and /ready. */
  readonly pages?: OwnPages;
  readonly clock?: () => Micros;
  /** The sockets that accept connections; unset: 1. With more, connections are accepted in another order than opened. */
  readonly sockets?: number;
  readonly wire?: Partial<Wire>;
  readonly certificate?: Certificate | null; // null, or left out: plain HTTP
  readonly keys?: KeySource;
  /** Decides each request instead of the configuration. The server then has no pages of its own. */
  readonly decide?: DecideRequest;
}

export interface GatewayServer {
  readonly url: URL;
  readonly gateway: Gateway;
  readonly memorySize: () => MemorySize;
  readonly pages: OwnPages;
  readonly circuits: () => readonly Circuit[]; // of upstreams with a circuit or health checks
  readonly ready: () => Promise<Readiness>;
  /** Stops accepting connections, and ends when running requests are finished, or after the time-out. */
  readonly drain: () => Promise<void>;
  /** Ends at once and breaks off running requests. */
  readonly stop: () => Promise<void>;
  /** Applies a configuration to the next request. Counters and running requests stay. */
  readonly reload: (configuration: Configuration) => void;
  /** Sets the certificate of new connections. */
  readonly renew: (certificate: Certificate | null) => void;
  /** Forgets the keys of these credentials, because they have changed: the next request reads them again. */
  readonly forget: (credentials: readonly string[]) => void;
}

/** The size of the budgets in this process. */
export interface MemorySize {
  readonly budgets: number;
  readonly entries: number; // timestamps of logs, and 1 for each other budget
}

export async function serveGateway(options: ServeOptions): Promise<GatewayServer> {
  const { configuration, observer, host } = options;
  const wire: Wire = { ...DEFAULT_WIRE, ...options.wire };
  const proxies = requireValue(parseTrusted(wire.trustedProxies));
  const clock = options.clock ?? turnClock(wallClock);
  const store = timeStore(options.store, observer.onStoreReply, clock);
  const stores = [memoryStore(), memoryStore()] as const;
  const here = localStore(...stores);
  const served = gateway(
    limiter(resolver(configuration), here, traitsOf(store), observer.onEvent),
    clock,
    observer.onShadowDecision ?? null,
  );
  const { upstream: otherwise, isEcho = false } = options;
  const onward = upstreams({ otherwise, isEcho, wire, observer, clock }, configuration);
  const atUpstream: AtUpstream[] = [];
  const certificate = options.certificate ?? null;
  const settings = {
    maxHeaderSize: wire.maxHeaderBytes,
    headersTimeout: toMilliseconds(wire.requestHeadersTimeoutUs),
    requestTimeout: toMilliseconds(wire.requestTimeoutUs),
    keepAliveTimeout: toMilliseconds(wire.keepAliveTimeoutUs),
    connectionsCheckingInterval: LOOK_AGAIN_MS,
    optimizeEmptyRequests: true,
    requireHostHeader: false, // `messageFault` requires a host, with a response of the gateway
  };
  const server = webServer(settings, certificate);
  const { connectionsPerAddress: most } = wire;
  if (most !== null) limitConnections(server, { most, trusted: proxies, observer, clock });
  const further = furtherSockets(server, options.sockets ?? 1);
  const ending = endingOf(server, further, wire.drainTimeoutUs);
  const { isDraining } = ending;
  const context: GatewayContext = {
    gateway: served,
    store,
    observer,
    upstreams: onward,
    trusted: proxies,
    names: headerNames(wire.underscores),
    retries: wire.retries,
    maxBodyBytes: wire.maxBodyBytes,
    atUpstream,
    isDraining,
    withoutEcho: options.withoutEcho ?? false,
    keys: options.keys ?? null,
    unknownKeys: wire.unknownKeys === null ? null : unknownKeys(wire.unknownKeys, clock),
    decide: options.decide ?? null,
  };
  const admit = admission({ wire, trusted: proxies, observer, clock });
  const ready = readinessIn({ gateway: served, store, isDraining, keys: options.keys ?? null });
  const pages: OwnPages = new Map(
    options.decide === undefined
      ? [["/hello", helloPage], ["/ready", readyPage(ready)], ...(options.pages ?? [])]
      : [],
  );
  const begin = (from: IncomingMessage, to: ServerResponse, isExpecting: boolean): void => {
    const page = ownPageAt(pages, from.url ?? "");
    if (page !== null) page(from, to);
    else if (admit === null || admit(from, to, isExpecting))
      new Passage(context, from, to, isExpecting).begin();
  };
  const serve = (from: IncomingMessage, to: ServerResponse, isExpecting: boolean): void => {
    if (isDraining()) to.shouldKeepAlive = false; // makes Node send Connection: close
    if (isAfterRefused(from, to)) return;
    const fault = messageFault(from, wire);
    if (fault !== null) {
      refuseMessage(from, to, fault);
      return;
    }
    if (isLastOnConnection(from)) endConnectionAfter(from, to);
    if (from.url === "*") {
      to.writeHead(204).end(); // OPTIONS * is about the gateway itself, which has no options
      return;
    }
    if (isNext(to)) begin(from, to, isExpecting);
    else inTurn(from, to, () => begin(from, to, isExpecting));
  };
  server.on("request", (from, to) => serve(from, to, false));
  server.maxHeadersCount = 0; // Node would drop headers above a maximum; the gateway counts them instead
  server.on("checkContinue", (from, to) => {
    // Node also emits this event if 100-continue is only one of several words in `Expect`.
    if (is100Continue(from)) serve(from, to, true);
    else refuseMessage(from, to, EXPECTATION);
  });
  server.on("checkExpectation", (from, to) => refuseMessage(from, to, EXPECTATION));
  answerProtocolFaults(server);
  const { port } = await listenWith(server, further, { host, port: options.port });
  const lookAfter = (): void => {
    const latestUs = clock() - wire.exchangeTimeoutUs;
    for (const passage of atUpstream.slice()) if (passage.turnUs <= latestUs) passage.timeOut();
  };
  const watch = setInterval(lookAfter, LOOK_AGAIN_MS).unref();
  const endWithServer = async (): Promise<void> => {
    await ending.ended;
    clearInterval(watch);
    onward.destroy();
  };
  void endWithServer();
  return {
    url: new URL(
      `${certificate === null ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`,
    ),
    gateway: served,
    memorySize: () => {
      const [shared, own] = stores.map(sizeOf);
      return {
        budgets: shared!.budgets + own!.budgets,
        entries: shared!.entries + own!.entries,
      };
    },
    pages,
    circuits: onward.circuits,
    ready: () => new Promise(ready),
    drain: ending.drain,
    stop: ending.stop,
    reload: (next) => {
      reconfigure(served, resolver(next));
      onward.configure(next);
    },
    renew: (next) => renewCertificate(server, next),
    forget: (credentials) => forgetKeys(served, credentials),
  };
}

const LOOK_AGAIN_MS = 500;

function timeStore(
  store: RemoteStore | null,
  onStoreReply: Observer["onStoreReply"],
  clock: () => Micros,
): RemoteStore | null {
  if (store === null || onStoreReply === undefined) return store;
  return {
    ...store,
    send: (op, timeoutUs, receive) => {
      const sentUs = clock();
      store.send(op, timeoutUs, (answer) => {
        onStoreReply(clock() - sentUs, hasFailed(answer) ? answer.failed : null);
        receive(answer);
      });
    },
  };
}

interface ConnectionsOptions {
  readonly most: number;
  readonly trusted: TrustedProxies; // not counted: a proxy has connections of many clients
  readonly observer: Observer;
  readonly clock: () => Micros;
}

/** Maximum number of rejections in progress: a client that does not read its response keeps a connection open. */
const MOST_ANSWERED = 256;

/** Rejects connections above the limit. Must be called before another listener for connections is added. */
function limitConnections(server: Server, options: ConnectionsOptions): void {
  const { trusted, observer, clock } = options;
  const counts = addressCounts(options.most);
  let answering = 0;
  const serve = server.listeners("connection");
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    const address = addressOf(socket);
    const isCounted = !isTrusted(trusted, address);
    if (!isCounted || counts.enter(address)) {
      if (isCounted) socket.once("close", () => counts.leave(address));
      for (const each of serve) each.call(server, socket);
      return;
    }
    observer.onRejection?.("connections", clock(), address);
    // Over TLS a response would cost more than the limit saves.
    if (server instanceof TlsServer || answering >= MOST_ANSWERED) {
      socket.destroy();
      return;
    }
    answering++;
    socket.once("close", () => answering--);
    const { status, text } = REJECTIONS.connections;
    closeWith(socket, status, text, ["Retry-After: 1"]);
    socket.resume(); // closing a connection with unread bytes resets it, so the client might miss the response
  });
}
