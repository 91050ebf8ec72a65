// Renders refusals when they are opened, because most never are.
import {
  requestInEntryHtml,
  entryWith,
  refusalHtml,
  refusalId,
  refusalsHtml,
  type RefusalsAt,
} from "../../html/refusals.ts";
import type { Report } from "../../../lab/report/model.ts";
import { appendTo, insertAfter } from "./insert.ts";

/** Opens the refusal with this row of the history; null if it is not listed. Its variant must be displayed. */
export type RefusalWith = (at: RefusalsAt, row: number) => HTMLElement | null;

export function openRefusals(run: Report, lookAt: (part: ParentNode) => void): RefusalWith {
  const fill = (details: HTMLDetailsElement): void => {
    const { refusals, refusal } = details.dataset;
    const place = refusals ?? refusal;
    if (place === undefined || details.childElementCount > 1) return;
    const [index, variant, entry] = place.split(".").map(Number);
    const at: RefusalsAt = { scenario: index!, variant: variant! };
    const scenario = run.scenarios[at.scenario]!;
    appendTo(
      details,
      entry === undefined
        ? refusalsHtml(scenario, scenario.variants[at.variant]!, at)
        : refusalHtml(run, scenario, at, entry),
    );
    lookAt(details);
  };
  const open = (details: HTMLElement | null): void => {
    if (!(details instanceof HTMLDetailsElement)) return;
    details.open = true;
    fill(details);
  };
  document.addEventListener(
    "toggle",
    ({ target }) => {
      if (target instanceof HTMLDetailsElement && target.open) fill(target);
    },
    { capture: true }, // this event does not bubble
  );
  return (at, row) => {
    const entry = entryWith(run.scenarios[at.scenario]!.variants[at.variant]!, row);
    if (entry === null) return null;
    open(document.querySelector<HTMLElement>(`[data-refusals="${at.scenario}.${at.variant}"]`));
    const details = document.getElementById(refusalId(at, entry));
    open(details);
    const scenario = run.scenarios[at.scenario]!;
    details?.querySelector(":scope > .addressed")?.remove();
    const summary = details?.querySelector("summary") ?? null;
    if (summary !== null)
      insertAfter(
        summary,
        requestInEntryHtml(scenario, scenario.variants[at.variant]!, entry, row),
      );
    return details;
  };
}
