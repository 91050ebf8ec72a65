// Runs scenarios in a worker: a new run ends the previous one. A run without a message for too long is ended too.
import type { ScenarioText } from "../run-scenario.ts";
import type { RunQuestion, RunReply, RunWork, WorkerWork } from "./worker.ts";

/** The longest time without a message: twice the run time of the longest variant that a page accepts. */
const PATIENCE_MS = 20_000;

/** If a question takes longer, the next run starts a new worker. For a shorter question, waiting is faster. */
const SOON_MS = 1_000;

export interface ScenarioRunner {
  /** Ends the previous run. */
  readonly run: (scenario: ScenarioText) => void;
  /** Sends a question about the last run. Ignored while a run is going on. */
  readonly want: (question: RunQuestion) => void;
  readonly stop: () => void;
}

export function createRunner(
  address: string,
  report: (message: RunReply["message"]) => void,
  patienceMs = PATIENCE_MS,
): ScenarioRunner {
  let worker: Worker | null = null;
  let id = 0;
  let isBusy = false;
  let timer = 0;
  let wanted = 0; // number of questions without a response
  let slow = 0;
  let isSlow = false;

  function forgetQuestions(): void {
    clearTimeout(slow);
    wanted = 0;
    isSlow = false;
  }

  /** Ends the worker, which frees all of its memory. */
  function end(why: string): void {
    clearTimeout(timer);
    worker?.terminate();
    worker = null;
    isBusy = false;
    forgetQuestions();
    report({ kind: "stopped", why });
  }

  const watch = (): void => {
    clearTimeout(timer);
    timer = setTimeout(
      end,
      patienceMs,
      `The run was stopped: one of its variants takes longer than ${patienceMs / 1000} s. Send less, or run it with weir run.`,
    );
  };

  function start(): Worker {
    const created = new Worker(address, { type: "module" });
    created.addEventListener("message", ({ data }: MessageEvent<RunReply>) => {
      if (created !== worker || data.id !== id) return;
      const { kind } = data.message;
      if (kind === "read" || kind === "ran") watch();
      else {
        if (kind !== "done" && --wanted <= 0) forgetQuestions();
        isBusy = false;
        clearTimeout(timer);
      }
      report(data.message);
    });
    created.addEventListener("error", (event) => {
      event.preventDefault();
      if (created === worker)
        end(
          "The run was stopped: it needs more memory than this browser gives to a page. Send less, or run it with weir run.",
        );
    });
    return created;
  }

  return {
    run: (scenario) => {
      if (isBusy || isSlow) {
        worker?.terminate();
        worker = null;
      }
      forgetQuestions();
      worker ??= start();
      id += 1;
      isBusy = true;
      watch();
      worker.postMessage({ ...scenario, id } satisfies RunWork, []);
    },
    want: (question) => {
      if (isBusy || worker === null) return;
      wanted += 1;
      if (wanted === 1) slow = setTimeout(() => (isSlow = true), SOON_MS);
      worker.postMessage({ ...question, id } satisfies WorkerWork, []);
    },
    stop: () => {
      if (isBusy) end("The run was stopped.");
    },
  };
}
