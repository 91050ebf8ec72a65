// The playground: a scenario on the left, its run on the right, and both in the address.
import { SECOND } from "../../../kit/units.ts";
import { html, type Html } from "../../html/html.ts";
import { many } from "../../html/parts.ts";
import type { ScenarioReport } from "../../../lab/report/model.ts";
import { replaceContents } from "../../page/script/insert.ts";
import { announce } from "../../page/script/notices.ts";
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import { fragmentOf, siteScenarioIn, stateOf } from "../address.ts";
import { withLimit } from "../change-limit.ts";
import type { SchemaPart } from "../completions.ts";
import { fileToSave } from "../file-to-save.ts";
import { formScenario, formStateIn, type FormState } from "../form.ts";
import type { VariantDigest } from "../last-run.ts";
import type { PlacedProblem, ScenarioText } from "../run-scenario.ts";
import { withFault } from "../with-fault.ts";
import { createEditor } from "./editor.ts";
import { followFaults, followForm } from "./form.ts";
import type { ResultView } from "./result.ts";
import { followLogs } from "./logs.ts";
import { createMoments } from "./moments.ts";
import { createRunner } from "./runner.ts";
import type { RunReply } from "./worker.ts";

const byId = (id: string): HTMLElement => document.getElementById(id)!;

const root = document.body.dataset["root"]!;
const state = byId("state");
const problemList = byId("problems");
const stopButton = byId("stop") as HTMLButtonElement;
const seedField = byId("seed") as HTMLInputElement;
const exampleChoice = byId("example") as HTMLSelectElement;
const digestList = byId("digests");
const digestDetails = digestList.closest("details")!;

/** A text runs this long after the last key press, so that no half word is run. */
const PAUSE_MS = 250;
/** Explanations are computed this long after the charts, so that dragging does not wait for them. */
const CHARTS_MS = 150;
const FIRST_EXAMPLE = "examples/first";

let file = `scenarios/${FIRST_EXAMPLE}.yaml`;
let fragment = "";
let addresses = 0; // number of addresses that `writeAddress` began
let addressed: Promise<void> = Promise.resolve();
let variants = 0;
let last: ScenarioReport | null = null;
let form: FormState | null = null; // the last state of the form; the text may have changed since
let pause = 0;
let later = 0;
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

const editor = createEditor(byId("editor"), loadSchema, () => {
  exampleChoice.value = "";
  clearTimeout(pause);
  pause = setTimeout(runAgain, PAUSE_MS);
});

const runner = createRunner(`${root}assets/worker.js`, onMessage);

const moments = createMoments(byId("moments") as HTMLDetailsElement, (question) =>
  runner.want(question),
);

/** Charts are loaded after the editor, because they take longer. */
const result: Promise<ResultView> = Promise.all([
  import("./result.ts"),
  load("templates.json"),
]).then(async ([{ createResult }, templates]) =>
  createResult(byId("result"), await templates.json(), (line) => editor.goTo(line, 1)),
);

const current = (): ScenarioText => ({
  file,
  text: editor.text(),
  seed: Number(seedField.value),
});

function showState(contents: Html, isBusy: boolean): void {
  replaceContents(state, contents);
  stopButton.hidden = !isBusy;
}

function runAgain(): void {
  clearTimeout(pause);
  clearTimeout(later);
  digestList.replaceChildren();
  moments.clear();
  hasNext = false;
  const { seed } = current();
  if (!Number.isSafeInteger(seed) || seed < 0 || seedField.value === "") {
    runner.stop();
    showState(html`The seed must be an integer of at least 0.`, false);
    return;
  }
  addressed = writeAddress();
  showState(html`Running.`, true);
  runner.run(current());
}

async function writeAddress(): Promise<void> {
  const scenario = current();
  const isOfForm = form !== null && formScenario(form) === scenario.text;
  const address = ++addresses;
  const written = await fragmentOf(isOfForm ? { ...scenario, form } : scenario);
  // The compression of an older text may end after that of a newer text.
  if (address !== addresses) return;
  fragment = written;
  try {
    history.replaceState(null, "", fragment);
  } catch {
    // Some browsers limit how often a page may change its address. The next run tries again.
    announce("the browser has not changed the address yet: run again before you share it");
  }
}

/** While a reader drags, a started run is finished, and the newest scenario runs next. */
function runNext(position: FormState): void {
  exampleChoice.value = "";
  file = "scenarios/try/traffic.yaml";
  form = position;
  editor.open(formScenario(position));
  if (stopButton.hidden) runAgain();
  else hasNext = true;
}

function onMessage(message: RunReply["message"]): void {
  switch (message.kind) {
    case "read":
      variants = message.variants;
      if (variants > 0) faults.setLimits(message.limits);
      showProblems(message.problems);
      return;
    case "ran":
      if (variants > 1)
        showState(html`${message.variants} of ${many(variants, "variant")} ran.`, true);
      return;
    case "done":
      void showRun(message.report);
      return;
    case "refusals":
      void result.then(({ explain }) => explain(message.refusals));
      return;
    case "digests":
      showDigests(message.digests);
      return;
    case "marks":
      moments.showMarks(message.variant, message.marks);
      return;
    case "reason":
      moments.showReason(message.row, message.reason);
      return;
    case "stopped":
      void result.then(({ fade }) => fade());
      showState(
        html`${message.why ?? "Nothing runs until the errors below are corrected."}`,
        false,
      );
  }
}

async function showRun(report: ScenarioReport): Promise<void> {
  const { show } = await result;
  last = report;
  const endUs = Math.max(0, ...report.variants.map(({ virtualUs }) => virtualUs));
  faults.setEnd(Math.max(1, Math.ceil(endUs / SECOND)));
  show(report);
  const failed = report.variants.filter(({ outcome }) => outcome === "fail" || outcome === "error");
  const ran = many(report.variants.length, "variant");
  showState(
    failed.length === 0
      ? html`${ran} ran: <b class="${report.outcome}">${report.outcome}</b>.`
      : html`${ran} ran, <b class="fail">${failed.length} failed</b>.`,
    false,
  );
  if (hasNext) runAgain();
  else later = setTimeout(wantRest, CHARTS_MS);
  document.documentElement.dataset["ready"] = "";
}

/** Requests what is shown in addition to the charts: explanations, requests and digests. */
function wantRest(): void {
  runner.want({ want: "refusals" });
  if (last !== null) moments.show(last);
  if (digestDetails.open) runner.want({ want: "digests" });
}

function showDigests(digests: readonly VariantDigest[]): void {
  replaceContents(
    digestList,
    html`${digests.map(
      ({ variant, digest }) =>
        html`<li><code>${digest ?? "not run"}</code> ${variant === "" ? "the history" : variant}</li>`,
    )}`,
  );
}

function showProblems(problems: readonly PlacedProblem[]): void {
  editor.showProblems(problems);
  problemList.hidden = problems.length === 0;
  replaceContents(
    problemList,
    html`${problems.map(
      ({ line, column, severity, sentence }) =>
        html`<li class="${severity}"><button type="button" data-at="${line}:${column}">Line ${line}</button> ${sentence}</li>`,
    )}`,
  );
}

function open(scenario: ScenarioText): void {
  file = scenario.file;
  seedField.value = String(scenario.seed);
  editor.open(scenario.text);
  runAgain();
}

async function openExample(id: string): Promise<void> {
  try {
    const text = await (await load(`${id}.yaml`)).text();
    exampleChoice.value = id;
    open({ file: `scenarios/${id}.yaml`, text, seed: 1 });
  } catch (error) {
    showState(html`The example cannot be opened: ${(error as Error).message}.`, false);
  }
}

/** Opens a scenario of the site; undefined if it was opened. From then on the address has its text. */
async function openOfSite(id: string): Promise<Failure | undefined> {
  try {
    const all = (await (await load("scenarios.json")).json()) as Readonly<Record<string, string>>;
    const text = Object.hasOwn(all, id) ? all[id] : undefined;
    if (text === undefined) return new Failure(`The site has no scenario ${id}.`);
    exampleChoice.value = "";
    open({ file: `scenarios/${id}.yaml`, text, seed: 1 });
    return undefined;
  } catch (error) {
    return new Failure(`The scenario cannot be opened: ${(error as Error).message}.`);
  }
}

/** Opens the scenario of the address, unless this page has just written that address. */
async function openAddress(): Promise<void> {
  if (location.hash !== "" && location.hash === fragment) return;
  const id = siteScenarioIn(location.hash);
  const read = id === null ? await stateOf(location.hash) : await openOfSite(id);
  if (read === undefined) return;
  if (read === null) await openExample(FIRST_EXAMPLE);
  else if (isFailure(read)) showState(html`${read.message}`, false);
  else {
    exampleChoice.value = "";
    form = formStateIn(read.form);
    if (form !== null) showForm(form);
    open(read);
  }
}

function save(): void {
  const { name, text } = fileToSave(current(), last);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
  announce(`saved as ${name}`);
}

async function copy(text: string, button: HTMLElement, words: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = words), 2_000);
    announce("copied");
  } catch {
    // If the browser forbids writing to the clipboard, its address bar has the address.
    announce("copy it with your browser");
    button.textContent = "Copy it with your browser";
  }
}

/** Copies the address of the current state. If an address is being written, waits for it first. */
async function share(button: HTMLElement): Promise<void> {
  let waited: Promise<void>;
  do {
    waited = addressed;
    await waited;
  } while (waited !== addressed);
  await copy(location.href, button, "Copy address");
}

problemList.addEventListener("click", ({ target }) => {
  const place = target instanceof HTMLElement ? target.dataset["at"] : undefined;
  const [line, column] = (place ?? "").split(":").map(Number);
  if (line !== undefined && column !== undefined) editor.goTo(line, column);
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
exampleChoice.addEventListener("change", () => {
  if (exampleChoice.value !== "") void openExample(exampleChoice.value);
});
byId("save").addEventListener("click", save);
byId("share").addEventListener("click", ({ currentTarget }) => {
  void share(currentTarget as HTMLElement);
});
const showForm = followForm(byId("form") as HTMLFormElement, runNext);
followLogs(byId("logs") as HTMLDetailsElement, `${root}assets/log-worker.js`, async () =>
  (await load("templates.json")).json(),
);
const faults = followFaults(byId("inject") as HTMLFormElement, {
  inject: (fault, atSeconds) => editor.change(withFault(editor.text(), atSeconds, fault)),
  change: (limit, rate, atSeconds) =>
    editor.change(withLimit(editor.text(), atSeconds, limit, rate)),
});
addEventListener("hashchange", () => {
  // A link within this page changes neither its content nor its address.
  if (document.getElementById(location.hash.slice(1)) === null) void openAddress();
  else history.replaceState(null, "", fragment);
});
result.catch((error: unknown) => {
  showState(html`The result cannot be drawn: ${(error as Error).message}.`, false);
});
await openAddress();
