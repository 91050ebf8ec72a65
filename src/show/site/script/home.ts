// The first page: each handle runs its experiment again in the worker, and a run is shown from its start to its end.
import { html } from "../../html/html.ts";
import type { ImageType } from "../../page/script/save-image.ts";
import { replaceContents } from "../../page/script/insert.ts";
import { playgroundWith } from "../address.ts";
import { columnsOf, dashesOf, highestIn, type Columns } from "../home/columns.ts";
import { countSoFar, lookOf, streamPath, type RunExperiment } from "../home/experiment-html.ts";
import { EXPERIMENT_FILE, EXPERIMENTS, type SiteExperiment } from "../home/experiments.ts";
import { followConfiguration } from "./configuration.ts";
import { followLogs } from "./logs.ts";
import { createRunner } from "./runner.ts";
import type { RunReply } from "./worker.ts";

/** How long a run is shown: below the 5 s after which what moves by itself needs a button that stops it. */
const SHOW_MS = 4_000;

const root = document.body.dataset["root"]!;
const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

interface ExperimentView {
  readonly experiment: SiteExperiment;
  readonly value: () => number;
  readonly show: (run: RunExperiment) => void;
  readonly showState: (words: string) => void;
}

/** The experiment that runs, with the limiters whose requests have arrived; and the one that runs next. */
let running: {
  readonly view: ExperimentView;
  readonly value: number;
  readonly lanes: Columns[];
} | null = null;
let next: ExperimentView | null = null;

const runner = createRunner(`${root}assets/worker.js`, onMessage);

function run(view: ExperimentView): void {
  if (running !== null) {
    next = view;
    return;
  }
  const value = view.value();
  running = { view, value, lanes: [] };
  runner.run({ file: EXPERIMENT_FILE, text: view.experiment.text(value), seed: 1 });
}

function onMessage(message: RunReply["message"]): void {
  if (running === null) return;
  const { view, value, lanes } = running;
  if (message.kind === "done") {
    for (const variant of view.experiment.lanes.keys()) runner.want({ want: "marks", variant });
  } else if (message.kind === "marks" && message.marks !== null) {
    lanes.push(columnsOf(message.marks, view.experiment.shown));
    if (lanes.length === view.experiment.lanes.length) {
      view.show({ value, lanes });
      end();
    }
  } else if (message.kind === "stopped") {
    view.showState(message.why ?? "This position cannot be run.");
    end();
  }
}

function end(): void {
  const waiting = next;
  running = null;
  next = null;
  document.documentElement.dataset["ready"] = "";
  if (waiting !== null) run(waiting);
}

function follow(section: HTMLElement, experiment: SiteExperiment): ExperimentView {
  const part = (selector: string, of: Element = section): HTMLElement =>
    of.querySelector<HTMLElement>(selector)!;
  const handle = part("input") as HTMLInputElement;
  const lanes = [...section.querySelectorAll(".lane")];
  const again = part("[data-part=again]");
  let shown = JSON.parse(section.dataset["run"]!) as RunExperiment;
  let frame = 0;

  function showCounts(columns: number): void {
    for (const [index, lane] of lanes.entries()) {
      const { count, isBad } = countSoFar(experiment, shown.lanes[index]!, columns);
      part("[data-part=count]", lane).textContent = count;
      part(".amount", lane).classList.toggle("bad", isBad);
    }
  }

  function showUntil(share: number): void {
    section.style.setProperty("--shown", `${100 * share}%`);
    showCounts(Math.floor(share * experiment.shown.columns));
  }

  function stop(): void {
    cancelAnimationFrame(frame);
    section.classList.remove("moving");
    showUntil(1);
  }

  function start(): void {
    cancelAnimationFrame(frame);
    section.classList.add("moving");
    let startedMs: number | null = null;
    const move = (nowMs: number): void => {
      startedMs ??= nowMs;
      const share = (nowMs - startedMs) / SHOW_MS;
      if (share >= 1) {
        stop();
        return;
      }
      showUntil(share);
      frame = requestAnimationFrame(move);
    };
    frame = requestAnimationFrame(move);
  }

  function show(run: RunExperiment): void {
    if (run.value === shown.value) return; // the same run
    shown = run;
    const dashes = dashesOf(highestIn(run.lanes));
    for (const svg of section.querySelectorAll("svg")) svg.setAttribute("stroke-dasharray", dashes);
    for (const [index, lane] of lanes.entries()) {
      const look = lookOf(experiment, experiment.lanes[index]!, run.lanes[index]!, run);
      part("path.admitted", lane).setAttribute("d", look.admitted);
      part("path.refused", lane).setAttribute("d", look.refused);
      part("[data-part=name]", lane).textContent = look.name;
      part("[data-part=why]", lane).textContent = look.why;
    }
    section.querySelector("path.offered")?.setAttribute("d", streamPath(run));
    stop();
    void link(run.value);
  }

  async function link(value: number): Promise<void> {
    const address = await playgroundWith(EXPERIMENT_FILE, experiment.text(value));
    if (value === shown.value) part("a").setAttribute("href", `${root}${address}`);
  }

  /** What it needs is loaded on the first use: most readers only drag. */
  async function save(type: ImageType): Promise<void> {
    const [{ renderRunSvg }, { colourOf, saveImage }] = await Promise.all([
      import("../home/saved-run.ts"),
      import("../../page/script/save-image.ts"),
    ]);
    const address = `${location.href.replace(/#.*/, "")}#${experiment.id}`;
    await saveImage(renderRunSvg(experiment, shown, address, colourOf), experiment.question, type);
  }

  const showState = (words: string): void =>
    replaceContents(part("[data-part=state]"), html`${words}`);

  const view: ExperimentView = { experiment, value: () => handle.valueAsNumber, show, showState };
  handle.addEventListener("input", () => {
    const words = experiment.handle.words(handle.valueAsNumber);
    part("output").textContent = words;
    handle.setAttribute("aria-valuetext", words);
    showState("");
    stop();
    run(view);
  });
  again.addEventListener("click", start);
  for (const button of section.querySelectorAll<HTMLElement>("[data-save]"))
    button.addEventListener("click", () => {
      save(button.dataset["save"] as ImageType).catch((error: Error) =>
        showState(`It cannot be saved: ${error.message}.`),
      );
    });
  // After a reload, a browser restores the dragged value, but not its run.
  handle.value = handle.defaultValue;
  if (!isCalm.matches) startInView(section, start);
  return view;
}

/** Shows the run when the reader first sees most of it. */
function startInView(section: HTMLElement, start: () => void): void {
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (entry?.isIntersecting !== true) return;
      observer.disconnect();
      start();
    },
    { threshold: 0.6 },
  );
  observer.observe(section.querySelector(".lanes")!);
}

const views = EXPERIMENTS.map((experiment) =>
  follow(document.getElementById(experiment.id)!, experiment),
);

/** The worker starts before the first handle moves, so that its first run takes no longer than the others. */
setTimeout(() => run(views[0]!));

followConfiguration(
  document.getElementById("configuration")!,
  `${root}assets/configuration-worker.js`,
);
followLogs(
  document.getElementById("logs") as HTMLDetailsElement,
  `${root}assets/log-worker.js`,
  async () => (await fetch(`${root}assets/templates.json`)).json(),
);
