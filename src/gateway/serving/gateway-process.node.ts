// Starts the gateway of one process: the only process of `weir serve`, or one of several workers.
import type { Configuration } from "../../limiter/core/config.ts";
import { toMilliseconds } from "../../kit/units.ts";
import type { DryRun, DryRunRequest } from "../dry-run.ts";
import { runDry } from "../http/dry-run.node.ts";
import { keyBudgets } from "../management/http/key-budgets.ts";
import type { KeySource } from "../http/ways.node.ts";
import { serveGateway, type GatewayServer } from "../http/gateway.node.ts";
import { NO_BUDGETS, type Budgets } from "../management/budgets.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import type { Certificates } from "./certificates.node.ts";
import type { WrittenChange } from "../management/records/records.ts";
import { openLog } from "./log.node.ts";
import { combineObservers } from "../http/observer.ts";
import type { OwnHosts } from "../http/hosts.node.ts";
import { metricsPage } from "../http/metrics-page.node.ts";
import { metrics, type MetricParts } from "../http/metrics.node.ts";
import type { OwnPages } from "../http/own-pages.node.ts";
import type { Readiness } from "../http/readiness.node.ts";
import type { Settings } from "../settings/table.ts";
import type { RedisTls } from "../../limiter/store/redis-connection.node.ts";
import { observeStore, type NoteStore } from "./store-report.ts";
import { awaitStore, joinOthers, openStore } from "./store.node.ts";
import { listenFailure } from "./listen-failure.node.ts";
import type { Webhooks } from "./webhooks.node.ts";
import type { ReloadProgress } from "./reload-of-workers.ts";
import { wireOf } from "./wire.ts";

/** The data that a process starts with. It reads no file itself, so that all processes have the same data. */
export interface Payload {
  readonly settings: Settings;
  readonly configuration: Configuration;
  readonly tls: RedisTls; // for connections to the store
  readonly certificates: Certificates;
  /** The secrets of the management APIs. Logs mask them, as they mask credentials. */
  readonly hidden: readonly string[];
  readonly keys?: KeySource;
  readonly webhooks?: Webhooks;
}

export interface GatewayProcess {
  readonly origin: string; // http://HOST:PORT
  readonly pages: OwnPages; // the gateway's pages that need no secret
  /** Applies a reload. Returns the progress of workers; null: this process is the only one, and has applied it. */
  readonly reload: (payload: Payload) => Promise<ReloadProgress | null>;
  /** Resolves when the process has applied all earlier writes, if it follows records. */
  readonly follow: (written?: readonly WrittenChange[]) => Promise<void>;
  readonly dryRun: (request: DryRunRequest) => Promise<DryRun | null>;
  readonly budgets: Budgets;
  readonly drain: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** The gateway of this process alone, as opposed to the gateways of several workers. */
export interface OneProcess extends GatewayProcess {
  readonly apply: (configuration: Configuration) => void;
  readonly forget: (credentials: readonly string[]) => void;
  readonly ready: () => Promise<Readiness>;
  readonly metrics: () => Promise<MetricParts>;
}

const LONGEST_SUBSCRIBE_MS = 500;
const SOCKETS = 256; // p99 of 500 connections at once is up to 2.8 times nginx's (decision 060)

/** What a process needs from its parent. */
export interface ProcessSurroundings {
  readonly noteStore: NoteStore;
  /** The metrics of all processes; unset: there is only one. */
  readonly allMetrics?: () => Promise<string>;
}

export async function startGatewayProcess(
  { settings, configuration, tls, certificates, hidden, keys, webhooks }: Payload,
  { noteStore, allMetrics }: ProcessSurroundings,
): Promise<OneProcess | Failure> {
  const store = await openStore(settings, tls);
  await awaitStore(store, settings);
  let current = configuration;
  let masked = new Set(hidden);
  const log = openLog(settings, (text) => current.keys.has(text) || masked.has(text));
  if (isFailure(log)) {
    await store?.close();
    return log;
  }
  const measured = metrics();
  const text = allMetrics ?? measured.text;
  let further = settings["admin.hosts"];
  const hosts: OwnHosts = { bound: settings["listen.host"], further: () => further };
  let server: GatewayServer;
  try {
    server = await serveGateway({
      configuration,
      upstream: upstreamOf(settings),
      withoutEcho: settings.upstream === null,
      host: settings["listen.host"],
      port: settings["listen.port"],
      store,
      observer: combineObservers([
        measured.observer,
        ...(store === null ? [] : [observeStore(noteStore)]),
        ...(log === null ? [] : [log.observer]),
        ...(webhooks === undefined ? [] : [webhooks.observer]),
      ]),
      pages: settings.metrics === "off" ? new Map() : metricsAt(text, settings.metrics, hosts),
      sockets: SOCKETS,
      wire: wireOf(settings),
      certificate: certificates.listen,
      ...(keys === undefined ? {} : { keys }),
    });
  } catch (error) {
    await store?.close();
    await log?.close();
    return listenFailure(error, settings, "listen.port");
  }
  measured.watch(server.gateway, server.memorySize, server.circuits);
  if (keys !== undefined) measured.watchRecords(keys.status);
  if (webhooks !== undefined) measured.watchWebhooks(webhooks.counts);
  const member = store === null ? null : await joinOthers(server.gateway, store, settings);
  const end = async (how: "drain" | "stop"): Promise<void> => {
    await server[how]();
    await webhooks?.stop(how === "drain" ? toMilliseconds(settings.drain) : 0);
    await member?.leave();
    await store?.close();
    await log?.close();
  };
  // Without heartbeats a gateway would count only itself, and take the complete limit as its share.
  const heartbeatProblem =
    member === null
      ? null
      : await Promise.race([member.listening, nullAfter(LONGEST_SUBSCRIBE_MS)]);
  if (heartbeatProblem !== null) {
    await end("stop");
    return new Failure(`the store rejects heartbeats: ${heartbeatProblem}`);
  }
  const apply = (next: Configuration): void => {
    current = next;
    server.reload(next);
  };
  return {
    origin: server.url.origin,
    pages: new Map([...server.pages, ...metricsAt(text, "everyone")]),
    ready: server.ready,
    metrics: measured.parts,
    reload: async (next) => {
      apply(next.configuration);
      server.renew(next.certificates.listen);
      masked = new Set(next.hidden);
      further = next.settings["admin.hosts"];
      log?.reopen();
      return null;
    },
    apply,
    follow: () => Promise.resolve(),
    forget: server.forget,
    dryRun: (request) => runDry(server.gateway, store, request, keys),
    budgets: keys === undefined ? NO_BUDGETS : keyBudgets(server.gateway, store, keys),
    drain: () => end("drain"),
    stop: () => end("stop"),
  };
}

/** Resolves to null after `ms`. The start waits no longer, because an unreachable store rejects no heartbeats. */
const nullAfter = (ms: number): Promise<null> =>
  new Promise((resolve) => setTimeout(resolve, ms, null).unref());

export const metricsAt = (
  text: () => Promise<string>,
  access: "loopback" | "everyone",
  hosts: OwnHosts | null = null,
): OwnPages => new Map([["/metrics", metricsPage(text, access, hosts)]]);

/** The URL of the upstream; null: the gateway echoes requests. */
const upstreamOf = ({ upstream }: Settings): URL | null =>
  upstream === null || upstream === "echo" ? null : new URL(upstream);
