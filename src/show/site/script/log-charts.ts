// The charts of a replayed log, drawn as on the page of `weir replay --html`.
import { sectionsOfMeasured } from "../../html/measured.ts";
import type { MeasuredPart } from "../../../lab/report/measured.ts";
import type { Figure } from "../../figures/drawable-of.ts";
import type { Templates } from "../../figures/templates.ts";
import { charts } from "../../page/script/charts.ts";
import { replaceContents } from "../../page/script/insert.ts";
import { followLimits } from "../../page/script/limit.ts";

/** Shows the charts of a replay; null removes all charts. */
export type ShowLogCharts = (part: MeasuredPart | null) => void;

export function createLogCharts(place: HTMLElement, templates: Templates): ShowLogCharts {
  let figures: Readonly<Record<string, Figure>> = {};
  const { lookAt, leave } = charts((name) => figures[name], templates);
  return (part) => {
    leave(place);
    if (part === null) {
      place.replaceChildren();
      return;
    }
    const sections = sectionsOfMeasured("log", part);
    figures = sections.figures;
    replaceContents(place, sections.html(new Map()));
    followLimits((name) => figures[name]);
    lookAt(place);
  };
}
