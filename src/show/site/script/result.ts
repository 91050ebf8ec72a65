// The report of the last run, drawn as the page of `weir run --html` draws it, with links into the editor.
import { reportOf } from "../../../lab/report/build/report-of.ts";
import { addressOf } from "../../html/address.ts";
import { html, type Html } from "../../html/html.ts";
import { numbersHtml } from "../../html/numbers.ts";
import { anchorOf } from "../../html/parts.ts";
import { figureNamed, optionsHtml, sectionHtml, variantHtml } from "../../html/scenario.ts";
import { variantsHtml } from "../../html/variants.ts";
import { worstVariant } from "../../html/overview.ts";
import type { Report, ScenarioReport } from "../../../lab/report/model.ts";
import type { RefusalsReport } from "../../../lab/report/model-refusals.ts";
import type { Templates } from "../../figures/templates.ts";
import { charts, nameOfFigure } from "../../page/script/charts.ts";
import { appendTo, replaceContents } from "../../page/script/insert.ts";
import { announce } from "../../page/script/notices.ts";
import { openRefusals } from "../../page/script/refusals.ts";
import { sortOnClick } from "../../page/script/sort.ts";

export interface ResultView {
  readonly show: (report: ScenarioReport) => void;
  /** Adds explanations to the displayed refusals, for each variant. */
  readonly explain: (refusals: readonly RefusalsReport[]) => void;
  /** Marks the report as outdated, because the text has changed. */
  readonly fade: () => void;
  readonly clear: () => void;
}

/** The maximum number of variants shown side by side. If there are more, one is shown at a time. */
const MOST_SIDE_BY_SIDE = 3;

const ALL_SENTENCES = {
  hasTable: false,
  isAlone: false,
  isClosed: false,
  sentences: Number.POSITIVE_INFINITY,
};

const sidesHtml = (scenario: ScenarioReport): Html =>
  html`<div class="sides">${scenario.variants.map(
    ({ name }, variant) =>
      html`<div><h4>${name}</h4>${variantHtml(scenario, { scenario: 0, variant }, new Map())}</div>`,
  )}</div>`;

/** An empty report. The displayed report is a copy of this one, with the scenario added. */
const EMPTY = reportOf(
  {
    seed: 1,
    argv: [],
    startedAt: "",
    tookSeconds: 0,
    commit: null,
    versions: {},
    isComplete: true,
    faults: [],
  },
  [],
  () => "",
);

/** `goTo` shows a line of the scenario. */
export function createResult(
  place: HTMLElement,
  templates: Templates,
  goTo: (line: number) => void,
): ResultView {
  const scenarios: ScenarioReport[] = [];
  const run: Report = { ...EMPTY, scenarios };
  const { lookAt, leave } = charts((name) => figureNamed(run, name), templates);
  const refusalWith = openRefusals(run, lookAt);
  let shown = 0;
  let name = "";

  function showVariant(variant: number): void {
    shown = variant;
    name = scenarios[0]!.variants[variant]!.name;
    const part = place.querySelector(".variant")!;
    leave(part);
    replaceContents(part, variantHtml(scenarios[0]!, { scenario: 0, variant }, new Map()));
    lookAt(part);
    const choice = place.querySelector<HTMLSelectElement>("select[data-variants]");
    if (choice !== null) choice.value = String(variant);
  }

  /** A link of the report leads to a position in it or to a line of the scenario; the page's address stays. */
  function follow(hash: string): void {
    const { anchor, variant, line, refusal } = addressOf(hash);
    if (line !== null) goTo(line);
    const named = scenarios[0]!.variants.findIndex((each) => each.name === variant);
    const areAllShown = place.querySelector(".sides") !== null;
    if (named >= 0 && named !== shown && !areAllShown) showVariant(named);
    const target =
      refusal === null
        ? place.querySelector(`#${CSS.escape(anchor)}`)
        : refusalWith({ scenario: 0, variant: areAllShown ? Math.max(named, 0) : shown }, refusal);
    target?.scrollIntoView({ block: "nearest" });
  }

  place.addEventListener("click", (event) => {
    const { target } = event;
    if (!(target instanceof Element) || scenarios.length === 0) return;
    const step = target.closest<HTMLElement>("[data-step]");
    const link = target.closest("a");
    const line = target.closest<HTMLElement>("[data-line]");
    const count = scenarios[0]!.variants.length;
    if (step !== null) {
      showVariant((shown + Number(step.dataset["step"]) + count) % count);
      announce(`${name}: ${scenarios[0]!.variants[shown]!.outcome}`);
    } else if (link !== null) {
      event.preventDefault();
      follow(link.hash);
    } else if (line !== null) goTo(Number(line.dataset["line"]));
  });
  sortOnClick(place);
  place.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLSelectElement && target.dataset["variants"] !== undefined)
      showVariant(Number(target.value));
  });
  place.addEventListener(
    "toggle",
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || !target.open) return;
      if (target.childElementCount > 1) return;
      const figure = figureNamed(run, nameOfFigure(target));
      if (figure !== undefined) appendTo(target, numbersHtml(figure));
      if (target.dataset["table"] !== undefined) appendTo(target, variantsHtml(scenarios[0]!));
    },
    true,
  );
  return {
    show: (report) => {
      const isSame = scenarios[0] !== undefined && anchorOf(scenarios[0]) === anchorOf(report);
      leave(place);
      scenarios.splice(0, 1, report);
      replaceContents(place, sectionHtml(report, 0, new Map(), ALL_SENTENCES));
      place.classList.remove("old");
      const { length } = report.variants;
      if (length > 1 && length <= MOST_SIDE_BY_SIDE) {
        replaceContents(place.querySelector(".variant")!, sidesHtml(report));
        lookAt(place);
        return;
      }
      const choice = place.querySelector<HTMLSelectElement>("select[data-variants]");
      if (choice !== null) replaceContents(choice, optionsHtml(report));
      const before = report.variants.findIndex((each) => each.name === name);
      shown = worstVariant(report);
      if (isSame && before >= 0) showVariant(before);
      else if (choice !== null) choice.value = String(shown);
      name = report.variants[shown]?.name ?? "";
      lookAt(place);
    },
    explain: (refusals) => {
      const [scenario] = scenarios;
      if (scenario === undefined) return;
      const variants = scenario.variants.map((variant, index) => ({
        ...variant,
        refusals: refusals[index] ?? variant.refusals,
      }));
      scenarios.splice(0, 1, { ...scenario, variants });
      // Refusals that are already open were rendered without explanations, so they are rendered again.
      for (const details of place.querySelectorAll<HTMLDetailsElement>("details.refusals[open]")) {
        leave(details);
        while (details.childElementCount > 1) details.lastElementChild!.remove();
        details.open = false;
        details.open = true;
      }
    },
    fade: () => place.classList.add("old"),
    clear: () => {
      leave(place);
      scenarios.length = 0;
      place.replaceChildren();
    },
  };
}
