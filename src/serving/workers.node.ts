// Several processes that serve one address together: each worker is a gateway of its own, and of one fleet.
// A worker that dies is replaced; what follows from a signal is decided here, for all of them.
import cluster, { type Worker } from "node:cluster";
import { inquiry, type Inquiry, type ToPrimary, type ToWorker } from "./worker-messages.ts";

export interface WorkersOptions<Payload> {
  readonly count: number;
  readonly payload: Payload; // whatever structured clone carries
  readonly answer: (question: unknown) => Promise<unknown>; // to what workers ask
  readonly told: (news: WorkerNews) => void;
}

export type WorkerNews =
  | { readonly news: "ready"; readonly pid: number }
  | {
      readonly news: "died";
      readonly pid: number;
      readonly how: string; // code, signal, or why it did not start
      readonly againInMs: number;
    };

export interface Workers<Payload> {
  readonly isReady: () => boolean; // all of them
  readonly pids: () => readonly number[]; // in the order of the answers of `askAll`
  /** For those that are there and for those that will replace them. The caller has checked it. */
  readonly reload: (payload: Payload, brief?: Payload) => void; // `brief` for those that are there
  /** One answer for each worker; null from one that died or said nothing in time, and for those that are not asked. */
  readonly askAll: (
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
const IS_WELL_AFTER_MS = 10_000; // the next death is the first again

interface Place {
  worker: Worker;
  asked: Inquiry;
  isReady: boolean;
  readySinceMs: number;
  deaths: number; // in a row
  sentence: string | null; // why it did not start
  pause: NodeJS.Timeout | null; // until it is replaced
}

/** Fails with the sentence of the first worker that cannot start; then there are none. */
export async function startWorkers<Payload>(
  options: WorkersOptions<Payload>,
): Promise<Workers<Payload>> {
  cluster.setupPrimary({ serialization: "advanced" });
  const { promise: started, resolve, reject } = Promise.withResolvers<void>();
  let { payload } = options;
  let phase: "starting" | "serving" | "leaving" = "starting";
  const places: Place[] = [];
  const isReady = (): boolean => places.every((place) => place.isReady);

  const enter = (place: Place): void => {
    const { worker } = place;
    place.asked = inquiry();
    worker.on("message", (message: ToPrimary) => void hear(place, message));
    worker.once("exit", (code: number, signal: string | null) => left(place, signal ?? `${code}`));
    say(worker, { kind: "start", payload });
  };

  const hear = async (place: Place, message: ToPrimary): Promise<void> => {
    const { worker } = place;
    switch (message.kind) {
      case "ready":
        place.isReady = true;
        place.readySinceMs = performance.now();
        options.told({ news: "ready", pid: worker.process.pid! });
        if (phase === "starting" && isReady()) {
          phase = "serving";
          resolve();
        }
        return;
      case "failed":
        place.sentence = message.sentence;
        return;
      case "ask": {
        const { id, question } = message;
        return say(worker, { kind: "answer", id, answer: await options.answer(question) });
      }
      case "answer":
        return place.asked.hear(message);
    }
  };

  const left = (place: Place, code: string): void => {
    const wasWell = place.isReady && performance.now() - place.readySinceMs > IS_WELL_AFTER_MS;
    const how = place.sentence ?? code;
    place.deaths = wasWell ? 1 : place.deaths + 1;
    place.isReady = false;
    place.sentence = null;
    place.asked.giveUp();
    if (phase === "leaving") return;
    if (phase === "starting") {
      reject(new Error(how));
      void stop();
      return;
    }
    const againInMs = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** (place.deaths - 1));
    options.told({ news: "died", pid: place.worker.process.pid!, how, againInMs });
    place.pause = setTimeout(() => {
      place.pause = null;
      place.worker = cluster.fork();
      enter(place);
    }, againInMs);
  };

  const leave = async (how: "drain" | "stop"): Promise<void> => {
    phase = "leaving";
    for (const { pause } of places) if (pause !== null) clearTimeout(pause);
    const there = places.filter(({ worker }) => !worker.isDead());
    const gone = there.map(({ worker }) => exited(worker));
    for (const { worker } of there) say(worker, { kind: how });
    const impatience =
      how === "drain"
        ? null
        : setTimeout(() => {
            for (const { worker } of there) worker.process.kill("SIGKILL");
          }, LONGEST_STOP_MS);
    await Promise.all(gone);
    if (impatience !== null) clearTimeout(impatience);
  };
  const stop = (): Promise<void> => leave("stop");

  for (let index = 0; index < options.count; index++) {
    const place: Place = {
      worker: cluster.fork(),
      asked: inquiry(),
      isReady: false,
      readySinceMs: 0,
      deaths: 0,
      sentence: null,
      pause: null,
    };
    places.push(place);
    enter(place);
  }
  await started;

  return {
    isReady,
    pids: () => places.map(({ worker }) => worker.process.pid!),
    reload: (next, brief = next) => {
      payload = next;
      for (const { worker } of places) say(worker, { kind: "reload", payload: brief });
    },
    askAll: (question, without) =>
      Promise.all(
        places.map(async ({ worker, asked, isReady }, index) =>
          isReady && without?.has(index) !== true
            ? inTime(asked.ask(question, (message) => say(worker, message)))
            : null,
        ),
      ),
    drain: () => leave("drain"),
    stop,
  };
}

/** A worker that has just died is noticed by its exit. */
function say(worker: Worker, message: ToWorker<unknown>): void {
  if (worker.isConnected()) worker.send(message);
}

const exited = (worker: Worker): Promise<void> =>
  new Promise((resolve) => worker.once("exit", () => resolve()));

function inTime(answer: Promise<unknown>): Promise<unknown> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), LONGEST_ANSWER_MS);
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
