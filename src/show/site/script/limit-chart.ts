// The chart of a dragged limit, drawn as in reports.
import { charts } from "../../page/script/charts.ts";
import { replaceContents } from "../../page/script/insert.ts";
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
  return {
    show: (run) => {
      leave(place);
      shown = run.report;
      replaceContents(place, liveResultHtml(run, new Map()));
      lookAt(place);
    },
  };
}
