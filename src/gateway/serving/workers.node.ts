// Worker processes that serve one address; each is one gateway of the fleet. The primary process replaces a worker that
// ends unexpectedly, and decides for all workers what a signal means.
import cluster, { type Worker } from "node:cluster";
import {
  createPendingRequests,
  type PendingRequests,
  type ToPrimary,
  type ToWorker,
} from "./worker-messages.ts";

interface WorkersOptions<Payload> {
  readonly count: number;
  readonly payload: Payload; // any value that structured clone can copy
  readonly respond: (question: unknown) => Promise<unknown>; // returns the response to a worker's request
  readonly onNews: (news: WorkerNews) => void;
}

export type WorkerNews =
  | { readonly news: "ready"; readonly pid: number }
  | {
      readonly news: "died";
      readonly pid: number;
      readonly how: string; // exit code, signal, or the reason why the worker did not start
      readonly againInMs: number;
    };

export interface Workers<Payload> {
  readonly isReady: () => boolean; // whether all workers are ready
  readonly pids: () => readonly number[]; // in the order of the replies of `requestAll`
  /** Changes the payload of running workers and of their replacements. The caller has checked the payload. */
  readonly reload: (payload: Payload, brief?: Payload) => void; // running workers get `brief`, later ones `payload`
  /** One reply for each worker. Null: the worker ended, did not reply in time, or is in `without`. */
  readonly requestAll: (
    question: unknown,
    without?: ReadonlySet<number>,
  ) => Promise<readonly unknown[]>;
  readonly drain: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const LONGEST_ANSWER_MS = 2_000;
const LONGEST_STOP_MS = 1_000;
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
const IS_WELL_AFTER_MS = 10_000; // the pause before a restart is the shortest if the worker ran longer than this

interface WorkerSlot {
  worker: Worker;
  pending: PendingRequests;
  isReady: boolean;
  readySinceMs: number;
  deaths: number; // number of ends since the last run longer than IS_WELL_AFTER_MS
  sentence: string | null; // why the worker did not start; null: no reason is known
  pause: NodeJS.Timeout | null; // timer that starts a replacement
}

/** Starts all workers. If one cannot start, rejects with its message and stops the others. */
export async function startWorkers<Payload>(
  options: WorkersOptions<Payload>,
): Promise<Workers<Payload>> {
  cluster.setupPrimary({ serialization: "advanced" });
  const { promise: started, resolve, reject } = Promise.withResolvers<void>();
  let { payload } = options;
  let phase: "starting" | "serving" | "leaving" = "starting";
  const slots: WorkerSlot[] = [];
  const isReady = (): boolean => slots.every((place) => place.isReady);

  const enter = (slot: WorkerSlot): void => {
    const { worker } = slot;
    slot.pending = createPendingRequests();
    worker.on("message", (message: ToPrimary) => void receive(slot, message));
    worker.once("exit", (code: number, signal: string | null) => onExit(slot, signal ?? `${code}`));
    send(worker, { kind: "start", payload });
  };

  const receive = async (slot: WorkerSlot, message: ToPrimary): Promise<void> => {
    const { worker } = slot;
    switch (message.kind) {
      case "ready":
        slot.isReady = true;
        slot.readySinceMs = performance.now();
        options.onNews({ news: "ready", pid: worker.process.pid! });
        if (phase === "starting" && isReady()) {
          phase = "serving";
          resolve();
        }
        return;
      case "failed":
        slot.sentence = message.sentence;
        return;
      case "request": {
        const { id, request } = message;
        return send(worker, { kind: "response", id, response: await options.respond(request) });
      }
      case "response":
        return slot.pending.receive(message);
    }
  };

  const onExit = (slot: WorkerSlot, code: string): void => {
    const wasWell = slot.isReady && performance.now() - slot.readySinceMs > IS_WELL_AFTER_MS;
    const how = slot.sentence ?? code;
    slot.deaths = wasWell ? 1 : slot.deaths + 1;
    slot.isReady = false;
    slot.sentence = null;
    slot.pending.giveUp();
    if (phase === "leaving") return;
    if (phase === "starting") {
      reject(new Error(how));
      void stop();
      return;
    }
    const againInMs = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** (slot.deaths - 1));
    options.onNews({ news: "died", pid: slot.worker.process.pid!, how, againInMs });
    slot.pause = setTimeout(() => {
      slot.pause = null;
      slot.worker = cluster.fork();
      enter(slot);
    }, againInMs);
  };

  const leave = async (how: "drain" | "stop"): Promise<void> => {
    phase = "leaving";
    for (const { pause } of slots) if (pause !== null) clearTimeout(pause);
    const running = slots.filter(({ worker }) => !worker.isDead());
    const exits = running.map(({ worker }) => waitForExit(worker));
    for (const { worker } of running) send(worker, { kind: how });
    const killTimer =
      how === "drain"
        ? null
        : setTimeout(() => {
            for (const { worker } of running) worker.process.kill("SIGKILL");
          }, LONGEST_STOP_MS);
    await Promise.all(exits);
    if (killTimer !== null) clearTimeout(killTimer);
  };
  const stop = (): Promise<void> => leave("stop");

  for (let index = 0; index < options.count; index++) {
    const slot: WorkerSlot = {
      worker: cluster.fork(),
      pending: createPendingRequests(),
      isReady: false,
      readySinceMs: 0,
      deaths: 0,
      sentence: null,
      pause: null,
    };
    slots.push(slot);
    enter(slot);
  }
  await started;

  return {
    isReady,
    pids: () => slots.map(({ worker }) => worker.process.pid!),
    reload: (next, brief = next) => {
      payload = next;
      for (const { worker } of slots) send(worker, { kind: "reload", payload: brief });
    },
    requestAll: (question, without) =>
      Promise.all(
        slots.map(async ({ worker, pending, isReady }, index) =>
          isReady && without?.has(index) !== true
            ? nullIfLate(pending.send(question, (message) => send(worker, message)))
            : null,
        ),
      ),
    drain: () => leave("drain"),
    stop,
  };
}

/** Codes of the errors of sending to a worker that has ended, before its `exit` event. */
const GONE: readonly (string | undefined)[] = ["EPIPE", "ECONNRESET", "ERR_IPC_CHANNEL_CLOSED"];

/** Sends a message. Drops the error if the worker has just ended: `onExit` handles the end of a worker. */
function send(worker: Worker, message: ToWorker<unknown>): void {
  if (!worker.isConnected()) return;
  worker.send(message, (error: NodeJS.ErrnoException | null) => {
    if (error !== null && !GONE.includes(error.code)) throw error;
  });
}

const waitForExit = (worker: Worker): Promise<void> =>
  new Promise((resolve) => worker.once("exit", () => resolve()));

function nullIfLate(answer: Promise<unknown>): Promise<unknown> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), LONGEST_ANSWER_MS);
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
