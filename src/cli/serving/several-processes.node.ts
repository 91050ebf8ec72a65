// Several gateway processes that look like one from here (`workers`).
import cluster from "node:cluster";
import type { DryRun, DryRunRequest } from "../../gateway/dry-run.ts";
import { answerPage, readOnly } from "../../servers/own-pages.node.ts";
import { helloPage } from "../../servers/readiness.node.ts";
import { work } from "../../servers/worker.node.ts";
import { startWorkers, type WorkerNews } from "../../servers/workers.node.ts";
import { gatewayProcess, type GatewayProcess, type Payload } from "./gateway-process.node.ts";

type Question =
  | { readonly what: "origin" }
  | { readonly what: "dry-run"; readonly asked: DryRunRequest };

export const isWorker = (): boolean => cluster.isWorker;

/** Does what its primary says, until that says otherwise. */
export function beWorker(): Promise<never> {
  work<Payload>(async (payload) => {
    const gateway = await gatewayProcess(payload);
    if (typeof gateway === "string") throw new Error(gateway);
    return {
      reload: (next) => void gateway.reload(next),
      answer: async (question) => {
        const asked = question as Question;
        return asked.what === "origin" ? gateway.origin : gateway.dryRun(asked.asked);
      },
      drain: gateway.drain,
      stop: gateway.stop,
    };
  });
  return new Promise(() => {});
}

/** A text says why they do not start. */
export async function severalProcesses(
  payload: Payload,
  log: (line: string) => void,
): Promise<GatewayProcess | string> {
  const count = payload.settings.workers;
  const started = await startWorkers<Payload>({
    count,
    payload,
    answer: async () => null,
    told: (news) => told(news, log),
  }).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
  if (typeof started === "string") return started;
  const first = async (question: Question): Promise<unknown> =>
    (await started.askAll(question)).find((answer) => answer !== null) ?? null;
  const ready = readOnly((from, to) => {
    const isReady = started.isReady();
    const body = { status: isReady ? "ready" : "not ready", workers: count };
    answerPage(from, to, isReady ? 200 : 503, JSON.stringify(body));
  });
  return {
    origin: String(await first({ what: "origin" })),
    pages: new Map([
      ["/hello", helloPage],
      ["/ready", ready],
    ]),
    // Messages keep their order: who answers this has heard of the reload.
    reload: async (next) => {
      started.reload(next);
      await started.askAll({ what: "origin" } satisfies Question);
    },
    dryRun: async (asked) => (await first({ what: "dry-run", asked })) as DryRun | null,
    drain: started.drain,
    stop: started.stop,
  };
}

function told(news: WorkerNews, log: (line: string) => void): void {
  if (news.news === "ready") log(`weir: worker ${news.pid} serves`);
  else
    log(
      `weir: worker ${news.pid} has ended (${news.how}); another one starts in ${news.againInMs} ms`,
    );
}
