// What several processes report of themselves as one: the worst of each, and what every one of them reports.
import type { RecordsStatus } from "../management/records/records.ts";
import type { Readiness } from "../gateway/http/readiness.node.ts";

export interface WorkerReadiness extends Readiness {
  readonly pid: number;
}

type Store = Readiness["store"];

export interface CommonReadiness {
  readonly status: "ready" | "not ready";
  readonly reason: string | null;
  readonly store: Store | null; // null: no worker responds
  readonly gateways: number | null;
  readonly records?: RecordsStatus;
  readonly workers: readonly object[];
}

const STORE_WORST_FIRST: readonly Store[] = ["away", "answers", "memory"];
const RECORDS_WORST_FIRST: readonly RecordsStatus[] = ["away", "reads only", "answers"];

/** Ready if all are. `own` is the standing of the records in the process that manages them; null: there are none. */
export function readinessOfWorkers(
  all: readonly (WorkerReadiness | null)[], // null: no response in time
  own: RecordsStatus | null,
): CommonReadiness {
  const present = all.filter((one) => one !== null);
  const silent = all.length - present.length;
  const standings = [...present.map(({ records }) => records), own];
  const records = RECORDS_WORST_FIRST.find((each) => standings.includes(each));
  const reason =
    silent > 0
      ? `${silent} of ${all.length} do not answer`
      : (present.map((one) => one.reason).find((each) => each !== null) ?? null);
  const counts = present.map(({ gateways }) => gateways);
  return {
    status: reason === null ? "ready" : "not ready",
    reason,
    store: STORE_WORST_FIRST.find((each) => present.some(({ store }) => store === each)) ?? null,
    gateways: counts.length === 0 ? null : Math.min(...counts),
    ...(records === undefined ? {} : { records }),
    workers: all.map(showWorker),
  };
}

function showWorker(one: WorkerReadiness | null): object {
  if (one === null) return { status: "does not answer" };
  const { pid, isReady, ...rest } = one;
  return { pid, status: isReady ? "ready" : "not ready", ...rest };
}
