// Several gateway processes that look like one from here (`workers`).
import cluster from "node:cluster";
import type { Budgets } from "../management/budgets.ts";
import type { DryRun, DryRunRequest } from "../gateway/dry-run.ts";
import { metricsOf, primaryParts, type MetricParts } from "../gateway/http/metrics.node.ts";
import { answerPage, readOnly, type OwnPage } from "../gateway/http/own-pages.node.ts";
import type { ReportRecords } from "../management/records/damaged.ts";
import type { Records, RecordsStatus, WrittenChange } from "../management/records/records.ts";
import { helloPage } from "../gateway/http/readiness.node.ts";
import { work } from "./worker.node.ts";
import { startWorkers, type WorkerNews, type Workers } from "./workers.node.ts";
import {
  gatewayProcess,
  metricsAt,
  type GatewayProcess,
  type OneProcess,
  type Payload,
  type Surroundings,
} from "./gateway-process.node.ts";
import { governedProcess } from "./governed-process.node.ts";
import { notFollowed } from "./not-followed.ts";
import { readinessOfWorkers, type WorkerReadiness } from "./readiness-of-workers.node.ts";
import { reloadAll, reloadsBy, type OfReload, type Sendable } from "./reload-of-workers.ts";
import type { NoteStore, StoreReport } from "./store-report.ts";

type Question =
  | { readonly what: "origin" | "metrics" | "ready" }
  | OfReload
  | { readonly what: "follow"; readonly written: readonly WrittenChange[] }
  | { readonly what: "dry-run"; readonly asked: DryRunRequest }
  | { readonly what: "budgets"; readonly key: string }
  | { readonly what: "reset"; readonly key: string; readonly budget: string | null };

/** A longer write is an import, which is looked up again. */
const MOST_WRITTEN = 1_000;

/** What a worker asks of its primary. */
type OfWorker =
  | { readonly what: "metrics" }
  | { readonly what: "payload" }
  | { readonly what: "tell"; readonly said: string } // what all of them may meet: told once
  | { readonly what: "store"; readonly pid: number; readonly isAway: boolean };

export const isWorker = (): boolean => cluster.isWorker;

type Sent = Payload & Sendable;

/** Does what its primary says, until that says otherwise. */
export function beWorker(): Promise<never> {
  work<Sent>(async (payload, ask) => {
    const allMetrics = async (): Promise<string> => {
      const text = await ask({ what: "metrics" } satisfies OfWorker);
      if (typeof text !== "string") throw new Error("the primary process has not answered");
      return text;
    };
    const tell = (said: string): void => void ask({ what: "tell", said } satisfies OfWorker);
    const noteStore: NoteStore = (isAway) =>
      void ask({ what: "store", pid: process.pid, isAway } satisfies OfWorker);
    const gateway = await processFor(payload, { allMetrics, noteStore }, tell);
    if (typeof gateway === "string") throw new Error(gateway);
    const reloads = reloadsBy<Sent>(
      (sent) =>
        gateway.reload(sent).catch((error: unknown) => {
          log(`weir: a worker has not reloaded: ${messageOf(error)}`); // the primary may not wait that long
          throw error;
        }),
      async () => (await ask({ what: "payload" } satisfies OfWorker)) as Sent,
    );
    return {
      reload: reloads.reload,
      answer: async (question) => {
        const asked = question as Question;
        switch (asked.what) {
          case "origin":
            return gateway.origin;
          case "ready":
            return { pid: process.pid, ...(await gateway.ready()) } satisfies WorkerReadiness;
          case "metrics":
            return gateway.metrics();
          case "keys":
          case "reloaded":
            return reloads.answer(asked);
          case "follow":
            return gateway.follow(asked.written).then(
              () => true,
              (error: unknown) => messageOf(error),
            );
          case "dry-run":
            return gateway.dryRun(asked.asked);
          case "budgets":
            return gateway.budgets.read(asked.key);
          case "reset":
            return gateway.budgets.reset(asked.key, asked.budget);
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

/** Each opens the records by itself; an outage is told by the primary process, a record by whoever meets it. */
async function processFor(
  payload: Payload,
  surroundings: Surroundings,
  tellPrimary: (said: string) => void,
): Promise<OneProcess | string> {
  if (payload.settings.records === "off") return gatewayProcess(payload, surroundings);
  let current = payload.settings;
  const settings = () => current;
  const tell: ReportRecords = (said, about) => {
    if (about === "a record") tellPrimary(said);
  };
  const { holdRecords } = await import("./records.node.ts");
  const held = await holdRecords({
    settings,
    world: () => null,
    tell,
    found: () => null,
  });
  if ("faults" in held) return held.faults.join("\n");
  const gateway = await governedProcess(payload, { held, settings, log }, surroundings);
  if (typeof gateway === "string") return gateway;
  const closed = async (ended: Promise<void>): Promise<void> => {
    await ended;
    await held.records.close();
  };
  return {
    ...gateway,
    reload: (next) => {
      current = next.settings;
      return gateway.reload(next);
    },
    drain: () => closed(gateway.drain()),
    stop: () => closed(gateway.stop()),
  };
}

export interface Primary {
  readonly log: (line: string) => void;
  readonly tellOfRecords: (line: string) => void; // once, whoever says it
  readonly store: StoreReport;
  readonly records: Pick<Records, "status" | "onWrite"> | null; // that are managed here; null: there are none
}

/** A text says why they do not start. */
export async function severalProcesses(
  payload: Payload,
  { log, tellOfRecords, store, records }: Primary,
): Promise<GatewayProcess | string> {
  const count = payload.settings.workers;
  const written = notFollowed(MOST_WRITTEN);
  records?.onWrite(written.note);
  let serving: Workers<Sent> | null = null;
  const allMetrics = async (): Promise<string> => {
    const answers = (await serving?.askAll({ what: "metrics" } satisfies Question)) ?? [];
    const all = answers.flatMap((one) => (one === null ? [] : [one as MetricParts]));
    const own = await primaryParts({ count, up: all.length }, records && records.status);
    return metricsOf([...all, own]);
  };
  let sent = sentOf(payload);
  const started = await startWorkers<Sent>({
    count,
    payload: sent,
    answer: async (question) => {
      const asked = question as OfWorker;
      if (asked.what === "metrics") return allMetrics();
      if (asked.what === "payload") return sent;
      if (asked.what === "tell") tellOfRecords(asked.said);
      else store.note(asked.pid, asked.isAway);
      return null;
    },
    told: (news) => {
      if (news.news === "died") store.forget(news.pid);
      told(news, log);
    },
  }).catch(messageOf);
  if (typeof started === "string") return started;
  serving = started;
  const first = async (question: Question): Promise<unknown> =>
    (await started.askAll(question)).find((answer) => answer !== null) ?? null;
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
      sent = sentOf(next);
      return reloadAll(started, sent);
    },
    follow: async () => {
      const asked = { what: "follow", written: written.take() } satisfies Question;
      const failure = (await started.askAll(asked)).find((answer) => typeof answer === "string");
      if (failure !== undefined) throw new Error(failure);
    },
    dryRun: async (asked) => (await first({ what: "dry-run", asked })) as DryRun | null,
    budgets: {
      read: async (key) =>
        (await first({ what: "budgets", key })) as Awaited<ReturnType<Budgets["read"]>>,
      // Each of them may count some by itself.
      reset: async (key, budget) => {
        const all = await started.askAll({ what: "reset", key, budget } satisfies Question);
        const reset = all as readonly Awaited<ReturnType<Budgets["reset"]>>[];
        return reset.includes(null) ? null : (reset[0] ?? null);
      },
    },
    drain: started.drain,
    stop: started.stop,
  };
}

/** Over records each finds by itself what is true when it starts. */
const sentOf = ({ settings, configuration, tls, certificates, hidden }: Payload): Sent => ({
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
  workers: Workers<Sent>,
  standing: RecordsStatus | null,
  ...[from, to]: Parameters<OwnPage>
): Promise<void> {
  const all = await workers.askAll({ what: "ready" } satisfies Question);
  const common = readinessOfWorkers(all as readonly (WorkerReadiness | null)[], standing);
  const status = common.status === "ready" ? 200 : 503;
  if (!to.destroyed) answerPage(from, to, status, JSON.stringify(common));
}

function told(news: WorkerNews, log: (line: string) => void): void {
  if (news.news === "ready") log(`weir: worker ${news.pid} serves`);
  else
    log(
      `weir: worker ${news.pid} has ended (${news.how}); another one starts in ${news.againInMs} ms`,
    );
}
