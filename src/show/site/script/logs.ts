// Logs on the playground: dropped or chosen, and replayed in a thread of this browser. Nothing is sent.
import { announce } from "../../page/script/notices.ts";
import type { Templates } from "../../figures/templates.ts";
import type { MeasuredPart } from "../../../lab/report/measured.ts";
import type { ShowLogCharts } from "./log-charts.ts";
import type { LogReply, LogWork } from "./log-worker.ts";

const PATIENCE_MS = 60_000;

/** `address` is the address of the worker's script; `templates` loads the templates of charts. */
export function followLogs(
  details: HTMLDetailsElement,
  address: string,
  templates: () => Promise<Templates>,
): void {
  const form = details.querySelector("form")!;
  const output = details.querySelector("pre")!;
  const field = (name: string): HTMLInputElement =>
    form.elements.namedItem(name) as HTMLInputElement;
  let worker: Worker | null = null;
  let timer = 0;
  let file: File | null = null;
  let charts: Promise<ShowLogCharts> | undefined;
  /** Loads the charts on demand, because most readers drop no log. */
  const loadCharts = (): Promise<ShowLogCharts> =>
    (charts ??= Promise.all([import("./log-charts.ts"), templates()]).then(
      ([{ createLogCharts }, loaded]) =>
        createLogCharts(details.querySelector<HTMLElement>("[data-charts]")!, loaded),
    ));

  function end(words: string, part: MeasuredPart | null = null): void {
    clearTimeout(timer);
    worker?.terminate();
    worker = null;
    output.textContent = words;
    announce("the log was replayed");
    if (part !== null || charts !== undefined) void drawCharts(part);
  }

  async function drawCharts(part: MeasuredPart | null): Promise<void> {
    const of = file;
    try {
      const show = await loadCharts();
      if (worker === null && file === of) show(part);
    } catch (error) {
      output.textContent += `\nThe charts cannot be drawn: ${(error as Error).message}.`;
    }
  }

  function replay(): void {
    if (file === null) return;
    details.open = true;
    clearTimeout(timer);
    worker?.terminate();
    output.textContent = `${file.name} is replayed.`;
    const started = new Worker(address, { type: "module" });
    worker = started;
    started.addEventListener("message", ({ data }: MessageEvent<LogReply>) => {
      if (started === worker) end(data.lines.join("\n"), data.part);
    });
    started.addEventListener("error", (event) => {
      event.preventDefault();
      if (started === worker)
        end("The log needs more memory than this browser gives to a page; weir replay reads it.");
    });
    timer = setTimeout(
      end,
      PATIENCE_MS,
      `The replay was stopped: it takes longer than ${PATIENCE_MS / 1_000} s. weir replay has no such limit.`,
    );
    started.postMessage(
      {
        file,
        rate: field("rate").valueAsNumber,
        perSeconds: field("per").valueAsNumber,
        key: field("key").value.trim(),
      } satisfies LogWork,
      [],
    );
  }

  const take = (files: FileList | null | undefined): void => {
    file = files?.[0] ?? file;
    replay();
  };
  field("log").addEventListener("change", () => take(field("log").files));
  for (const name of ["rate", "per", "key"]) field(name).addEventListener("change", replay);
  form.addEventListener("submit", (event) => event.preventDefault());
  const hasFiles = (event: DragEvent): boolean =>
    event.dataTransfer?.types.includes("Files") === true;
  addEventListener("dragover", (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    take(event.dataTransfer?.files);
  });
}
