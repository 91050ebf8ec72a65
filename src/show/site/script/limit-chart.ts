// The chart of a dragged limit, drawn as in reports.
import { charts } from "../../page/script/charts.ts";
import { numbersHtml } from "../../html/numbers.ts";
import { appendTo, replaceContents } from "../../page/script/insert.ts";
import type { Templates } from "../../figures/templates.ts";
import type { ScenarioReport } from "../../../lab/report/model.ts";
import { liveFigure, liveResultHtml, type LiveRun } from "../algorithms/live-limit.ts";

export interface LimitChart {
  readonly show: (run: LiveRun) => void;
}

export function createLimitChart(place: HTMLElement, templates: Templates): LimitChart {
  let shown: ScenarioReport | null = null;
  const { lookAt, leave } = charts(
    () => (shown === null ? undefined : liveFigure(shown)),
    templates,
  );
  const numbers = (): HTMLDetailsElement | null => place.querySelector("details.numbers");
  place.addEventListener(
    "toggle",
    () => {
      const figure = shown === null ? undefined : liveFigure(shown);
      const details = numbers();
      if (figure === undefined || details === null || details.childElementCount > 1) return;
      appendTo(details, numbersHtml(figure));
    },
    true,
  );
  return {
    show: (run) => {
      const isOpen = numbers()?.open === true;
      leave(place);
      shown = run.report;
      replaceContents(place, liveResultHtml(run, new Map()));
      const details = numbers();
      if (details !== null) details.open = isOpen;
      lookAt(place);
    },
  };
}
