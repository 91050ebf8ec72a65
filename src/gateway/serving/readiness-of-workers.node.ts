// The common readiness of several processes: the worst of each value, and each process' own readiness.
import type { RecordsStatus } from "../management/records/records.ts";
import type { Readiness } from "../http/readiness.node.ts";

export interface WorkerReadiness extends Readiness {
  readonly pid: number;
}

type Store = Readiness["store"];

interface CommonReadiness {
  readonly status: "ready" | "not ready";
  readonly reason: string | null;
  readonly store: Store | null; // null: no worker responds
  readonly gateways: number | null;
  readonly records?: RecordsStatus;
  readonly workers: readonly object[];
}

const STORE_WORST_FIRST: readonly Store[] = ["away", "answers", "memory"];
const RECORDS_WORST_FIRST: readonly RecordsStatus[] = ["away", "reads only", "answers"];

/** Ready if all workers are. `own` is the status of the records in the primary process; null: there are no records. */
export function readinessOfWorkers(
  all: readonly (WorkerReadiness | null)[], // null: the worker has not responded in time
  own: RecordsStatus | null,
): CommonReadiness {
  const present = all.filter((worker) => worker !== null);
  const silent = all.length - present.length;
  const statuses = [...present.map(({ records }) => records), own];
  const records = RECORDS_WORST_FIRST.find((each) => statuses.includes(each));
  const reason =
    silent > 0
      ? `${silent} of ${all.length} do not respond`
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
  if (one === null) return { status: "does not respond" };
  const { pid, isReady, ...rest } = one;
  return { pid, status: isReady ? "ready" : "not ready", ...rest };
}
