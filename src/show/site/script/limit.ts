// A limit to drag on the page of an algorithm. Its chart is loaded on the first use: most readers only read.
import { html } from "../../html/html.ts";
import { replaceContents } from "../../page/script/insert.ts";
import { LIVE_FILE, LIVE_LIMITS, valueText, type LiveRun } from "../algorithms/live-limit.ts";
import { playgroundWith } from "../address.ts";
import type { RunReply } from "./worker.ts";
import type { LimitChart } from "./limit-chart.ts";
import { createRunner } from "./runner.ts";

const root = document.body.dataset["root"]!;
const section = document.getElementById("limit")!;
const form = document.getElementById("limit-form") as HTMLFormElement;
const place = document.getElementById("limit-result")!;
const state = document.getElementById("limit-state")!;
const link = document.getElementById("limit-address") as HTMLAnchorElement;
const limit = LIVE_LIMITS[section.dataset["limit"]!]!;

const field = (name: string): HTMLInputElement | HTMLSelectElement =>
  form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;

let chart: Promise<LimitChart> | undefined;
const loadChart = (): Promise<LimitChart> =>
  (chart ??= Promise.all([import("./limit-chart.ts"), fetch(`${root}assets/templates.json`)]).then(
    async ([{ createLimitChart }, templates]) => createLimitChart(place, await templates.json()),
  ));

/** True during a run. When the run ends, `next` runs: the newest scenario that waits. */
let isBusy = false;
let next: string | null = null;
let warnings: readonly string[] = [];

const runner = createRunner(`${root}assets/worker.js`, onMessage);

function onMessage(message: RunReply["message"]): void {
  if (message.kind === "read") warnings = message.problems.map(({ sentence }) => sentence);
  else if (message.kind === "done") {
    const run = { report: message.report, warnings };
    end();
    void show(run);
  } else if (message.kind === "stopped") {
    end();
    replaceContents(state, html`${message.why ?? "These numbers are no valid limit."}`);
  }
}

async function show(run: LiveRun): Promise<void> {
  try {
    (await loadChart()).show(run);
    document.documentElement.dataset["ready"] = "";
  } catch (error) {
    showProblem(error);
  }
}

function end(): void {
  isBusy = false;
  replaceContents(state, html``);
  if (next !== null) run(next);
}

function showProblem(error: unknown): void {
  chart = undefined;
  replaceContents(state, html`The chart cannot be drawn: ${(error as Error).message}.`);
}

function run(text: string): void {
  next = null;
  isBusy = true;
  runner.run({ file: LIVE_FILE, text, seed: 1 });
}

function follow(): void {
  label();
  const text = limit.text(
    Object.fromEntries(limit.numbers.map(({ name }) => [name, Number(field(name).value)])),
    Object.fromEntries(limit.choices.map(({ name }) => [name, field(name).value])),
  );
  void linkTo(text);
  if (isBusy) next = text;
  else run(text);
}

async function linkTo(text: string): Promise<void> {
  link.href = `${root}${await playgroundWith(LIVE_FILE, text)}`;
}

function label(): void {
  for (const { name, unit } of limit.numbers)
    form.querySelector(`output[for="limit-${name}"]`)!.textContent = valueText(
      field(name).value,
      unit,
    );
}

form.addEventListener("input", follow);
form.addEventListener("focusin", () => void loadChart().catch(showProblem), { once: true });
form.addEventListener("submit", (event) => event.preventDefault());
// After a reload, a browser restores the dragged values, but not their chart.
form.reset();

/** The build has drawn the first chart, but its numbers are only in its run. */
place.addEventListener(
  "toggle",
  () => {
    if (document.documentElement.dataset["ready"] === undefined && !isBusy) follow();
  },
  true,
);

/** The chart of the build is too wide for a phone, so it is drawn again. */
if (matchMedia("(max-width: 40rem)").matches) follow();
