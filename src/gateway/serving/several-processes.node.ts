// Several gateway processes that are used like one (setting `workers`).
import cluster from "node:cluster";
import type { Budgets } from "../management/budgets.ts";
import type { DryRun, DryRunRequest } from "../dry-run.ts";
import { metricsOf, primaryParts, type MetricParts } from "../http/metrics.node.ts";
import { answerPage, readOnly, type OwnPage } from "../http/own-pages.node.ts";
import type { ReportRecords } from "../management/records/damaged.ts";
import type { Records, RecordsStatus, WrittenChange } from "../management/records/records.ts";
import { helloPage } from "../http/readiness.node.ts";
import { growYoungSpace } from "../http/young.node.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { runWorker } from "./worker.node.ts";
import { startWorkers, type WorkerNews, type Workers } from "./workers.node.ts";
import {
  startGatewayProcess,
  metricsAt,
  type GatewayProcess,
  type OneProcess,
  type Payload,
  type ProcessSurroundings,
} from "./gateway-process.node.ts";
import { startRecordsProcess } from "./records-process.node.ts";
import { createUnsentChanges } from "./unsent-changes.ts";
import { readinessOfWorkers, type WorkerReadiness } from "./readiness-of-workers.node.ts";
import {
  reloadAll,
  createReloads,
  type ReloadRequest,
  type Sendable,
} from "./reload-of-workers.ts";
import type { NoteStore, StoreReport } from "./store-report.ts";

type WorkerRequest =
  | { readonly what: "origin" | "metrics" | "ready" }
  | ReloadRequest
  | { readonly what: "follow"; readonly written: readonly WrittenChange[] }
  | { readonly what: "dry-run"; readonly request: DryRunRequest }
  | { readonly what: "budgets"; readonly key: string }
  | { readonly what: "reset"; readonly key: string; readonly budget: string | null };

/** The most changes of records that are sent to workers. Workers read a larger write, an import, from the records. */
const MOST_WRITTEN = 1_000;

/** What a worker requests from its primary. */
type PrimaryRequest =
  | { readonly what: "metrics" }
  | { readonly what: "payload" }
  | { readonly what: "report"; readonly message: string } // a problem of all workers is reported once
  | { readonly what: "store"; readonly pid: number; readonly isAway: boolean };

export const isWorker = (): boolean => cluster.isWorker;

type SentPayload = Payload & Sendable;

/** Runs a gateway and serves requests of the primary process, until one of its messages ends this process. */
export function runAsWorker(): Promise<never> {
  runWorker<SentPayload>(async (payload, requestPrimary) => {
    const allMetrics = async (): Promise<string> => {
      const text = await requestPrimary({ what: "metrics" } satisfies PrimaryRequest);
      if (typeof text !== "string") throw new Error("the primary process did not respond");
      return text;
    };
    const report = (message: string): void =>
      void requestPrimary({ what: "report", message } satisfies PrimaryRequest);
    const noteStore: NoteStore = (isAway) =>
      void requestPrimary({ what: "store", pid: process.pid, isAway } satisfies PrimaryRequest);
    const gateway = await startProcess(payload, { allMetrics, noteStore }, report);
    if (isFailure(gateway)) throw new Error(gateway.message);
    growYoungSpace();
    const reloads = createReloads<SentPayload>(
      (sent) =>
        gateway.reload(sent).catch((error: unknown) => {
          log(`weir: a worker failed to reload: ${messageOf(error)}`); // the primary may no longer wait for the reply
          throw error;
        }),
      async () =>
        (await requestPrimary({ what: "payload" } satisfies PrimaryRequest)) as SentPayload,
    );
    return {
      reload: reloads.reload,
      respond: async (message) => {
        const request = message as WorkerRequest;
        switch (request.what) {
          case "origin":
            return gateway.origin;
          case "ready":
            return { pid: process.pid, ...(await gateway.ready()) } satisfies WorkerReadiness;
          case "metrics":
            return gateway.metrics();
          case "keys":
          case "reloaded":
            return reloads.respond(request);
          case "follow":
            return gateway.follow(request.written).then(
              () => true,
              (error: unknown) => messageOf(error),
            );
          case "dry-run":
            return gateway.dryRun(request.request);
          case "budgets":
            return gateway.budgets.read(request.key);
          case "reset":
            return gateway.budgets.reset(request.key, request.budget);
        }
      },
      drain: gateway.drain,
      stop: gateway.stop,
    };
  });
  return new Promise(() => {});
}

const log = (line: string): void => void process.stderr.write(`${line}\n`);

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Starts a worker's gateway, over records if they are used. Sends damage to the primary, which reports outages. */
async function startProcess(
  payload: Payload,
  surroundings: ProcessSurroundings,
  reportToPrimary: (message: string) => void,
): Promise<OneProcess | Failure> {
  if (payload.settings.records === "off") return startGatewayProcess(payload, surroundings);
  let current = payload.settings;
  const settings = () => current;
  const report: ReportRecords = (message, about) => {
    if (about === "a record") reportToPrimary(message);
  };
  const { openServedRecords } = await import("./records.node.ts");
  const served = await openServedRecords({
    settings,
    world: () => null,
    report,
    findRefusal: () => null,
  });
  if (isFailure(served)) return served;
  const gateway = await startRecordsProcess(payload, { served, settings, log }, surroundings);
  if (isFailure(gateway)) return gateway;
  const closeAfter = async (ended: Promise<void>): Promise<void> => {
    await ended;
    await served.records.close();
  };
  return {
    ...gateway,
    reload: (next) => {
      current = next.settings;
      return gateway.reload(next);
    },
    drain: () => closeAfter(gateway.drain()),
    stop: () => closeAfter(gateway.stop()),
  };
}

interface Primary {
  readonly log: (line: string) => void;
  readonly reportRecords: (line: string) => void; // reports once for all processes
  readonly store: StoreReport;
  readonly records: Pick<Records, "status" | "onWrite"> | null; // null: this process manages no records
}

export async function severalProcesses(
  payload: Payload,
  { log, reportRecords, store, records }: Primary,
): Promise<GatewayProcess | Failure> {
  const count = payload.settings.workers;
  const unsent = createUnsentChanges(MOST_WRITTEN);
  records?.onWrite(unsent.note);
  let serving: Workers<SentPayload> | null = null;
  const allMetrics = async (): Promise<string> => {
    const responses =
      (await serving?.requestAll({ what: "metrics" } satisfies WorkerRequest)) ?? [];
    const all = responses.flatMap((one) => (one === null ? [] : [one as MetricParts]));
    const primaryMetrics = await primaryParts({ count, up: all.length }, records && records.status);
    return metricsOf([...all, primaryMetrics]);
  };
  let sent = payloadToSend(payload);
  const started = await startWorkers<SentPayload>({
    count,
    payload: sent,
    respond: async (message) => {
      const request = message as PrimaryRequest;
      if (request.what === "metrics") return allMetrics();
      if (request.what === "payload") return sent;
      if (request.what === "report") reportRecords(request.message);
      else store.note(request.pid, request.isAway);
      return null;
    },
    onNews: (news) => {
      if (news.news === "died") store.forget(news.pid);
      logNews(news, log);
    },
  }).catch((error: unknown) => new Failure(messageOf(error)));
  if (isFailure(started)) return started;
  serving = started;
  const first = async (request: WorkerRequest): Promise<unknown> =>
    (await started.requestAll(request)).find((response) => response !== null) ?? null;
  const ready = readOnly(
    (from, to) => void answerReady(started, records?.status() ?? null, from, to),
  );
  return {
    origin: String(await first({ what: "origin" })),
    pages: new Map([
      ["/hello", helloPage],
      ["/ready", ready],
      ...metricsAt(allMetrics, "everyone"),
    ]),
    reload: (next) => {
      sent = payloadToSend(next);
      return reloadAll(started, sent);
    },
    follow: async () => {
      const request = { what: "follow", written: unsent.take() } satisfies WorkerRequest;
      const failure = (await started.requestAll(request)).find(
        (response) => typeof response === "string",
      );
      if (failure !== undefined) throw new Error(failure);
    },
    dryRun: async (request) => (await first({ what: "dry-run", request })) as DryRun | null,
    budgets: {
      read: async (key) =>
        (await first({ what: "budgets", key })) as Awaited<ReturnType<Budgets["read"]>>,
      // Resets in every worker, because each may have its own counters.
      reset: async (key, budget) => {
        const all = await started.requestAll({
          what: "reset",
          key,
          budget,
        } satisfies WorkerRequest);
        const reset = all as readonly Awaited<ReturnType<Budgets["reset"]>>[];
        return reset.includes(null) ? null : (reset[0] ?? null);
      },
    },
    drain: started.drain,
    stop: started.stop,
  };
}

/** Leaves out APIs, policies and keys if there are records: a worker reads them from the records. */
const payloadToSend = ({
  settings,
  configuration,
  tls,
  certificates,
  hidden,
}: Payload): SentPayload => ({
  ahead: null,
  settings,
  tls,
  certificates,
  hidden,
  configuration:
    settings.records === "off"
      ? configuration
      : { ...configuration, apis: new Map(), policies: new Map(), keys: new Map(), shadow: null },
});

async function answerReady(
  workers: Workers<SentPayload>,
  recordsStatus: RecordsStatus | null,
  ...[from, to]: Parameters<OwnPage>
): Promise<void> {
  const all = await workers.requestAll({ what: "ready" } satisfies WorkerRequest);
  const common = readinessOfWorkers(all as readonly (WorkerReadiness | null)[], recordsStatus);
  const status = common.status === "ready" ? 200 : 503;
  if (!to.destroyed) answerPage(from, to, status, JSON.stringify(common));
}

function logNews(news: WorkerNews, log: (line: string) => void): void {
  if (news.news === "ready") log(`weir: worker ${news.pid} serves`);
  else
    log(
      `weir: worker ${news.pid} has ended (${news.how}); a replacement starts in ${news.againInMs} ms`,
    );
}
