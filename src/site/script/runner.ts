// Runs scenarios in a worker, the newest only. A run that gives no sign of life is ended with its worker.
import type { RunMessage, ScenarioText } from "../run-scenario.ts";
import type { RunReply, RunWork } from "./worker.ts";

/** A variant of the largest run that a page accepts takes about half of it. */
const PATIENCE_MS = 20_000;

export interface ScenarioRunner {
  /** Ends the run before it. */
  readonly run: (scenario: ScenarioText) => void;
  readonly stop: () => void;
}

export function createRunner(
  address: string,
  report: (message: RunMessage) => void,
  patienceMs = PATIENCE_MS,
): ScenarioRunner {
  let worker: Worker | null = null;
  let id = 0;
  let isBusy = false;
  let timer = 0;

  /** Its memory is free again: nothing of it is in the page. */
  function end(why: string): void {
    clearTimeout(timer);
    worker?.terminate();
    worker = null;
    isBusy = false;
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
      const isOver = data.message.kind === "done" || data.message.kind === "stopped";
      isBusy = !isOver;
      if (isOver) clearTimeout(timer);
      else watch();
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
      if (isBusy) {
        worker?.terminate();
        worker = null;
      }
      worker ??= start();
      id += 1;
      isBusy = true;
      watch();
      worker.postMessage({ ...scenario, id } satisfies RunWork, []);
    },
    stop: () => {
      if (isBusy) end("The run was stopped.");
    },
  };
}
