// Refusals are written into the page when somebody opens them: most of them nobody does.
import { refusalHtml, refusalsHtml, type RefusalsAt } from "../../report/html/refusals.ts";
import type { Report } from "../../report/model.ts";

export function openRefusals(run: Report | null, lookAt: (part: ParentNode) => void): void {
  if (run === null) return;
  document.addEventListener(
    "toggle",
    ({ target }) => {
      if (target instanceof HTMLDetailsElement && target.open) fill(target, run, lookAt);
    },
    { capture: true }, // it does not bubble
  );
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element)) return;
    const place = target.closest<HTMLElement>("[data-opens]")?.dataset["opens"];
    if (place !== undefined) show(place, run, lookAt);
  });
}

/** Opens one, from wherever it is spoken of: its list is filled before the browser goes there. */
function show(place: string, run: Report, lookAt: (part: ParentNode) => void): void {
  const [scenario, variant] = place.split(".");
  for (const name of [`[data-refusals="${scenario}.${variant}"]`, `[data-refusal="${place}"]`]) {
    const details = document.querySelector<HTMLDetailsElement>(name);
    if (details === null) return;
    details.open = true;
    fill(details, run, lookAt);
  }
}

function fill(details: HTMLDetailsElement, run: Report, lookAt: (part: ParentNode) => void): void {
  const { refusals, refusal } = details.dataset;
  const place = refusals ?? refusal;
  if (place === undefined || details.childElementCount > 1) return;
  const [scenario, variant, entry] = place.split(".").map(Number);
  const at: RefusalsAt = { scenario: scenario!, variant: variant! };
  const told = run.scenarios[at.scenario]!;
  details.insertAdjacentHTML(
    "beforeend",
    entry === undefined
      ? refusalsHtml(told, told.variants[at.variant]!, at)
      : refusalHtml(run, told, at, entry),
  );
  lookAt(details);
}
