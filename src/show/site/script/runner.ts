// Runs scenarios in a worker, the newest only. A run that gives no sign of life is ended with its worker.
import type { ScenarioText } from "../run-scenario.ts";
import type { RunQuestion, RunReply, RunWork, WorkerWork } from "./worker.ts";

/** A variant of the largest run that a page accepts takes about half of it. */
const PATIENCE_MS = 20_000;

/** A new worker needs longer than this for its first run. */
const SOON_MS = 1_000;

export interface ScenarioRunner {
  /** Ends the run before it. */
  readonly run: (scenario: ScenarioText) => void;
  /** About the last run, once it is done. */
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
  let wanted = 0; // questions without a response
  let slow = 0;
  let isSlow = false;

  function forgetQuestions(): void {
    clearTimeout(slow);
    wanted = 0;
    isSlow = false;
  }

  /** Its memory is free again: nothing of it is in the page. */
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
