// The playground: a scenario as a form and as text, its run on a timeline, and all of it in the address.
import { html, type Html } from "../../html/html.ts";
import { many } from "../../html/parts.ts";
import type { ScenarioReport } from "../../../lab/report/model.ts";
import type { RefusalsReport } from "../../../lab/report/model-refusals.ts";
import { replaceContents } from "../../page/script/insert.ts";
import { isFailure, type Failure } from "../../../kit/reading/failure.ts";
import { withLimit } from "../change-limit.ts";
import type { SchemaPart } from "../completions.ts";
import { FORM_FILE } from "../examples.ts";
import { formScenario, type FormState } from "../form.ts";
import type { PlacedProblem, ScenarioText } from "../run-scenario.ts";
import { withFault, type TextChange } from "../with-fault.ts";
import { followComparison } from "./compare.ts";
import { followFaults } from "./faults.ts";
import { createFlags } from "./flags.ts";
import { followForm } from "./form.ts";
import { digestsHtml, problemsHtml } from "./lists.ts";
import type { ResultView } from "./result.ts";
import { followLogs } from "./logs.ts";
import { exampleCalled, scenarioIn, type OpenedScenario } from "./opening.ts";
import { createRunner } from "./runner.ts";
import { createScenarioText } from "./scenario-text.ts";
import { followTabs } from "./tabs.ts";
import { copy, createSharing } from "./sharing.ts";
import { createTimeline } from "./timeline.ts";
import type { RunReply } from "./worker.ts";

const byId = (id: string): HTMLElement => document.getElementById(id)!;

const root = document.body.dataset["root"]!;
const state = byId("state");
const problemList = byId("problems");
const stopButton = byId("stop") as HTMLButtonElement;
const seedField = byId("seed") as HTMLInputElement;
const examples = document.querySelectorAll<HTMLElement>("[data-example]");
const reportDetails = byId("report") as HTMLDetailsElement;
const digestList = byId("digests");
const digestDetails = digestList.closest("details")!;

/** A text runs this long after the last key press, so that no half word is run. */
const PAUSE_MS = 250;
/** Explanations are computed this long after the charts, so that dragging does not wait for them. */
const CHARTS_MS = 150;

let file = FORM_FILE;
let variants = 0;
let last: ScenarioReport | null = null;
let refusals: readonly RefusalsReport[] | null = null; // of the last run
let lanes: readonly string[] = [];
let ranText = ""; // the text that runs, or ran last
let readText = ""; // the text of which the last message of its reader was
let changed: FormState | null = null; // a change of the form, until the text before it has been read
let isOpening = true; // whether a reader has just opened this scenario
let pause = 0;
let later = 0;
let isInjecting = false; // whether a button or a flag changes the text
let hasNext = false; // whether a scenario of the form waits for the current run

async function load(name: string): Promise<Response> {
  const response = await fetch(`${root}assets/${name}`);
  if (!response.ok) throw new Error(`${name} cannot be loaded (${response.status})`);
  return response;
}

let schema: Promise<SchemaPart | null> | undefined;
/** Loads the schema. Without it (null), only the completion of names is missing. */
const loadSchema = (): Promise<SchemaPart | null> =>
  (schema ??= load("scenario.schema.json")
    .then((response) => response.json() as Promise<SchemaPart>)
    .catch(() => null));

const editor = createScenarioText(byId("editor"), loadSchema, () => {
  showExample(null);
  if (!isInjecting) timeline.forgetAxis();
  clearTimeout(pause);
  pause = setTimeout(runAgain, PAUSE_MS);
});

/** Lets something happen in the run, which keeps its axis. */
function inject(change: TextChange): void {
  isInjecting = true;
  editor.change(change);
  isInjecting = false;
}

const runner = createRunner(`${root}assets/worker.js`, onMessage);

const flags = createFlags(document.querySelector<HTMLElement>('[data-part="flags"]')!, {
  text: editor.text,
  change: inject,
});

const timeline = createTimeline(
  byId("timeline"),
  (question) => runner.want(question),
  (endUs) => flags.place(endUs),
);

const tabs = followTabs(document.querySelector<HTMLElement>("[role=tablist]")!, (name) => {
  if (name === "yaml") void editor.load();
});

let result: Promise<ResultView> | undefined;
/** Charts are loaded when a reader opens the report, because they are larger than the rest of the page. */
const loadResult = (): Promise<ResultView> =>
  (result ??= Promise.all([import("./result.ts"), load("templates.json")]).then(
    async ([{ createResult }, templates]) =>
      createResult(byId("result"), await templates.json(), goToLine),
  ));

function goToLine(line: number, column = 1): void {
  tabs.show("yaml");
  editor.goTo(line, column);
}

const current = (): ScenarioText => ({
  file,
  text: editor.text(),
  seed: Number(seedField.value),
});

const sharing = createSharing(current);

function showState(contents: Html, isBusy: boolean): void {
  replaceContents(state, contents);
  stopButton.hidden = !isBusy;
}

function runAgain(): void {
  clearTimeout(pause);
  clearTimeout(later);
  digestList.replaceChildren();
  timeline.fade();
  hasNext = false;
  const { seed } = current();
  if (!Number.isSafeInteger(seed) || seed < 0 || seedField.value === "") {
    runner.stop();
    showState(html`The seed must be an integer of at least 0.`, false);
    return;
  }
  sharing.write();
  showState(html`Running.`, true);
  ranText = editor.text();
  runner.run(current());
}

/** While a reader drags, a started run is finished, and the newest scenario runs next. */
function runNext(state: FormState): void {
  // What happens during the run is in the text, and has to be read before the form writes another one.
  if (readText !== editor.text()) {
    changed = state;
    return;
  }
  changed = null;
  showExample(null);
  timeline.forgetAxis();
  file = FORM_FILE;
  editor.open(formScenario(state));
  readText = editor.text();
  if (stopButton.hidden) runAgain();
  else hasNext = true;
}

function onMessage(message: RunReply["message"]): void {
  switch (message.kind) {
    case "read":
      variants = message.variants;
      showRead(message);
      return;
    case "ran":
      if (variants > 1)
        showState(html`${message.variants} of ${many(variants, "variant")} ran.`, true);
      return;
    case "done":
      showRun(message.report);
      return;
    case "refusals":
      refusals = message.refusals;
      if (reportDetails.open) void loadResult().then(({ explain }) => explain(message.refusals));
      return;
    case "digests":
      replaceContents(digestList, digestsHtml(message.digests));
      return;
    case "marks":
      timeline.showMarks(message.variant, message.marks);
      return;
    case "reason":
      timeline.showReason(message.row, message.reason);
      return;
    case "stopped":
      void result?.then(({ fade }) => fade());
      showState(
        html`${message.why ?? "Nothing runs until the errors below are corrected."}`,
        false,
      );
  }
}

/** The text has been read: the form, the flags and the buttons show what it has. */
function showRead({
  problems,
  limits,
  lanes: names,
  events,
  form: state,
}: RunReply["message"] & { readonly kind: "read" }): void {
  showProblems(problems);
  // A run that was started earlier than the last change has nothing about the text of now.
  if (ranText !== editor.text()) return;
  readText = ranText;
  lanes = names;
  if (variants === 0) {
    changed = null;
    form.show(null);
    return;
  }
  faults.setLimits(limits);
  flags.show(events, ranText);
  if (changed !== null) {
    runNext({ ...changed, faults: state?.faults ?? [], changes: state?.changes ?? [] });
    return;
  }
  form.show(state);
  if (!isOpening) return;
  isOpening = false;
  tabs.show(state === null ? "yaml" : "form");
  if (state === null) reportDetails.open = true;
}

function showRun(report: ScenarioReport): void {
  last = report;
  refusals = null;
  const failed = report.variants.filter(({ outcome }) => outcome === "fail" || outcome === "error");
  const ran = many(report.variants.length, "variant");
  timeline.show({ report, names: lanes }, () => {
    showState(
      failed.length === 0
        ? html`${ran} ran: <b class="${report.outcome}">${report.outcome}</b>.`
        : html`${ran} ran, <b class="fail">${failed.length} failed</b>.`,
      false,
    );
    if (hasNext) runAgain();
    else {
      if (reportDetails.open) void showReport();
      later = setTimeout(wantRest, CHARTS_MS);
    }
    document.documentElement.dataset["ready"] = "";
  });
}

async function showReport(): Promise<void> {
  try {
    const { show, explain } = await loadResult();
    if (last !== null) show(last);
    if (refusals !== null) explain(refusals);
  } catch (error) {
    result = undefined;
    showState(html`The result cannot be drawn: ${(error as Error).message}.`, false);
  }
}

/** Requests what is shown in addition to the timeline: explanations and digests. */
function wantRest(): void {
  if (reportDetails.open && refusals === null) runner.want({ want: "refusals" });
  if (digestDetails.open) runner.want({ want: "digests" });
}

function showProblems(problems: readonly PlacedProblem[]): void {
  editor.showProblems(problems);
  problemList.hidden = problems.length === 0;
  replaceContents(problemList, problemsHtml(problems));
}

function open(scenario: ScenarioText): void {
  file = scenario.file;
  seedField.value = String(scenario.seed);
  isOpening = true;
  changed = null;
  timeline.forgetAxis();
  timeline.forgetMoment();
  editor.open(scenario.text);
  runAgain();
}

function openFound(found: OpenedScenario | Failure): void {
  if (isFailure(found)) {
    showState(html`${found.message}`, false);
    return;
  }
  showExample(found.example);
  open(found.scenario);
}

/** Marks the chosen example; null: the scenario is a reader's own. */
function showExample(id: string | null): void {
  for (const button of examples)
    button.setAttribute("aria-pressed", String(button.dataset["example"] === id));
}

/** Opens the scenario of the address, unless this page has just written that address. */
async function openAddress(): Promise<void> {
  if (location.hash !== "" && location.hash === sharing.fragment()) return;
  openFound(await scenarioIn(location.hash, load));
}

problemList.addEventListener("click", ({ target }) => {
  const place = target instanceof HTMLElement ? target.dataset["at"] : undefined;
  const [line, column] = (place ?? "").split(":").map(Number);
  if (line !== undefined && column !== undefined) goToLine(line, column);
});
document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>("[data-copy]") : null;
  if (button !== null) void copy(button.previousElementSibling?.textContent ?? "", button, "Copy");
});
digestDetails.addEventListener("toggle", () => {
  if (digestDetails.open && digestList.childElementCount === 0) runner.want({ want: "digests" });
});
stopButton.addEventListener("click", () => runner.stop());
seedField.addEventListener("input", runAgain);
for (const button of examples)
  button.addEventListener("click", () => {
    void exampleCalled(button.dataset["example"]!, load).then(openFound);
  });
reportDetails.addEventListener("toggle", () => {
  if (!reportDetails.open) return;
  void showReport();
  wantRest();
});
byId("save").addEventListener("click", () => sharing.save(last));
byId("share").addEventListener("click", ({ currentTarget }) => {
  void sharing.share(currentTarget as HTMLElement);
});
const form = followForm(byId("form") as HTMLFormElement, byId("no-form"), runNext);
followLogs(byId("logs") as HTMLDetailsElement, `${root}assets/log-worker.js`, async () =>
  (await load("templates.json")).json(),
);
followComparison(byId("compare") as HTMLDetailsElement, `${root}assets/configuration-worker.js`);
const faults = followFaults(document.querySelector<HTMLFormElement>(".inject")!, {
  inject: (fault) => inject(withFault(editor.text(), timeline.atSeconds(), fault)),
  change: (limit, rate) => inject(withLimit(editor.text(), timeline.atSeconds(), limit, rate)),
});
addEventListener("hashchange", () => {
  // A link within this page changes neither its content nor its address.
  if (document.getElementById(location.hash.slice(1)) === null) void openAddress();
  else history.replaceState(null, "", sharing.fragment());
});
await openAddress();
